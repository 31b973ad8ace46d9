"""prsp's own answers to CSRBench's and YABench's queries are verified, also in CSRBench's own format."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prsp.backend import open_backend
from prsp.model import PROFILES, Bounds, ContinuousQuery, Profile
from prsp.model.evaluation import Evaluation
from prsp.oracle.continuous import Setting
from prsp.parse import parse_query
from prsp.run import BoundedRun, RunOptions, register
from prsp.source import StreamSource
from prsp.verify import Case, evaluator_named, oracle_streams, read_answers, verify
from prsp.workload.writer import write_workload
from prsp.workload.yabench import yabench
from tests.data import DATA, needs_data

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

IRI = "http://ex.org/streams/test"


def csrbench() -> list[ContinuousQuery]:
    """The seven C-SPARQL texts with their windows and constants."""
    found = []
    for number in range(1, 8):
        folder = DATA / f"csrbench/queries/csparql_Q{number}"
        text = (folder / "engine.query").read_text(encoding="utf-8").replace("QUERY test", f"QUERY q{number}")
        for name, value in json.loads((folder / "config.json").read_text(encoding="utf-8"))["vars"].items():
            text = text.replace(f"${{{name}}}", value)
        found.append(parse_query(text))
    return found


def answered(queries: list[ContinuousQuery], profile: Profile, sources: dict[str, StreamSource]) -> list[Evaluation]:
    registered = register(queries, open_backend("oxigraph", {}), profile)
    with closing(BoundedRun(RunOptions(registered, sources))) as run:
        return list(run)


def in_csrbench_format(evaluations: list[Evaluation]) -> str:
    relations = []
    for evaluation in evaluations:
        line = evaluation.line()
        bindings = [{"timestamp": evaluation.at, "binding": row} for row in line["results"]["bindings"]]
        relations.append({"head": line["head"], "timestamp": evaluation.at, "results": {"bindings": bindings}})
    return json.dumps({"results": relations})


@needs_data
@pytest.mark.spark
@pytest.mark.parametrize("bounds", [Bounds.LEFT_OPEN, Bounds.RIGHT_OPEN], ids=str)
def test_csrbench(bounds: Bounds, spark: SparkSession, tmp_path: Path) -> None:
    del spark  # a session there is used
    queries, profile = csrbench(), replace(PROFILES["csparql"], bounds=bounds)
    sources = {IRI: StreamSource(IRI, str(DATA / "csrbench/stream.nts"))}
    evaluations, streams = answered(queries, replace(profile, t0=0), sources), oracle_streams(sources)
    wrong: list[str | None] = []
    for query in queries:
        own = [e for e in evaluations if e.query == query.registration.name]
        (tmp_path / "answers.ndjson").write_bytes(b"".join(e.json() + b"\n" for e in own))
        (tmp_path / "answers.json").write_text(in_csrbench_format(own), encoding="utf-8")
        # By definition once; the other bounds are cut by definition and answered by an engine, which is quicker.
        evaluator = evaluator_named("naive" if bounds is Bounds.LEFT_OPEN else "oxigraph", query)
        case = Case(query, streams, Setting(profile), [], evaluator)
        for name in ("answers.ndjson", "answers.json"):
            verdict = verify(replace(case, recorded=read_answers(str(tmp_path / name), query.registration.name)))
            assert verdict.correct, (query.registration.name, verdict.best.first, verdict.reason)
            assert verdict.origins == [{IRI: range(1)}]
            assert len(verdict.best.compared) > 1
        wrong.append(_under(case, replace(profile, bounds=Bounds.CLOSED, t0=0), tmp_path))
    # Elements lie on whole seconds, where windows open and close: with other bounds most answers are others.
    assert sum(reason is not None and f"its windows are {bounds}, not closed" in reason for reason in wrong) >= 5, wrong


def _under(case: Case, profile: Profile, folder: Path) -> str | None:
    recorded = read_answers(str(folder / "answers.ndjson"), case.query.registration.name)
    return verify(replace(case, setting=Setting(profile), recorded=recorded)).reason


@pytest.mark.spark
def test_yabench(spark: SparkSession, tmp_path: Path) -> None:
    del spark
    write_workload(yabench(sensors=20, seconds=40), tmp_path / "made")
    queries = [parse_query(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "made").rglob("*.rq"))]
    assert len(queries) >= 4
    for query in queries:
        source = {s.iri: StreamSource(s.iri, str(next((tmp_path / "made").glob("*.nts")))) for s in query.streams}
        own = answered([query], PROFILES["csparql"], source)
        (tmp_path / "answers.ndjson").write_bytes(b"".join(e.json() + b"\n" for e in own))
        case = Case(query, oracle_streams(source), Setting(PROFILES["csparql"]), [], evaluator_named("naive", query))
        verdict = verify(replace(case, recorded=read_answers(str(tmp_path / "answers.ndjson"))))
        assert verdict.correct, (query.registration.name, verdict.best.first)
        assert verdict.best.whole().wanted > 0
