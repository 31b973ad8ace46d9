"""Continuous queries and the tuples they mean. A golden file is read by eye before it is committed.

`PRSP_UPDATE_GOLDEN=1 pytest tests/parse/test_golden.py` writes them anew.
"""

import json
import os
from pathlib import Path
from string import Template

import pytest

from prsp.cli.explain import to_json
from prsp.model import PROFILES, ContinuousQuery
from prsp.parse import parse_query
from tests.data import DATA, ROOT, needs_data

GOLDEN = Path(__file__).parent / "golden"
QUERIES = sorted(GOLDEN.glob("*.rq"))
BENCHMARKS = GOLDEN / "benchmarks.json"


def tuple_of(query: ContinuousQuery) -> dict[str, object]:
    return {key: value for key, value in to_json(query, PROFILES["prsp"]).items() if key != "profile"}


@pytest.mark.parametrize("path", QUERIES, ids=lambda path: path.stem)
def test_the_query_gives_the_golden_tuple(path: Path) -> None:
    got = tuple_of(parse_query(path.read_text(encoding="utf-8")))
    golden = path.with_suffix(".json")
    if os.environ.get("PRSP_UPDATE_GOLDEN"):
        golden.write_text(json.dumps(got, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert got == json.loads(golden.read_text(encoding="utf-8"))


def test_there_is_a_golden_tuple_for_every_query_and_no_other() -> None:
    assert {p.stem for p in QUERIES} == {p.stem for p in GOLDEN.glob("*.json")} - {"benchmarks"}
    assert len(QUERIES) > 50


def test_a_name_means_what_was_declared_before_it_if_anything_was() -> None:
    text = "{} REGISTER QUERY {} AS {} ASK FROM STREAM s [RANGE 1s] {{}}"
    for before, name, after, expected in [
        ("PREFIX ex: <http://1/>", "ex:q", "PREFIX ex: <http://2/>", "http://1/q"),
        ("", "ex:q", "PREFIX ex: <http://2/>", "http://2/q"),
        ("BASE <http://b/>", "<q>", "BASE <http://c/>", "http://b/q"),
        ("", "<q>", "BASE <http://c/>", "http://c/q"),
        ("", "<q>", "", "q"),
    ]:
        assert parse_query(text.format(before, name, after)).registration.name == expected


def benchmark_texts() -> dict[str, str]:
    """CSRBench's and YABench's C-SPARQL texts, their templates filled in from their own configurations."""
    folders = {f"csrbench/Q{n}": DATA / "csrbench" / "queries" / f"csparql_Q{n}" for n in range(1, 8)}
    folders |= {f"yabench/E{n}": DATA / "yabench" / "yabench-one" / f"Experiment_{n}" / "csparql" for n in range(1, 5)}
    texts = {}
    for name, folder in folders.items():
        values = json.loads((folder / "config.json").read_text(encoding="utf-8"))["vars"]
        texts[name] = Template((folder / "engine.query").read_text(encoding="utf-8")).substitute(values)
    return texts


@needs_data
def test_csrbench_and_yabench_give_the_golden_tuples() -> None:
    got = {}
    for name, text in benchmark_texts().items():
        query = parse_query(text)
        lines = text.splitlines()
        kept = [line for line in lines if not line.startswith(("REGISTER", "FROM STREAM"))]
        assert query.sparql.splitlines()[1:] != lines[1:], "the stream clause is still there"
        assert [line for line in query.sparql.splitlines() if line in kept] == kept, "something else was touched"
        # The texts belong to their projects; what is kept here is what they mean.
        got[name] = {key: value for key, value in tuple_of(query).items() if key != "sparql"}
    if os.environ.get("PRSP_UPDATE_GOLDEN"):
        BENCHMARKS.write_text(json.dumps(got, indent=1) + "\n", encoding="utf-8")
    assert got == json.loads(BENCHMARKS.read_text(encoding="utf-8"))


def test_prsp_example_2_gives_the_tuple_of_example_3() -> None:
    query = parse_query((ROOT / "examples" / "sensor.rq").read_text(encoding="utf-8"))
    assert (query.registration.kind, query.registration.name) == ("query", "SensorQuery")
    assert (query.stream, query.range, query.step) == ("SensorStreams", 5_000, 4_000)
    without_comments = " ".join(line for line in query.sparql.splitlines() if not line.startswith("#"))
    paper = """
        PREFIX om-owl: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
        PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
        SELECT ?sensor ?obs ?value
        WHERE { ?obs om-owl:observedProperty weather:AirTemperature ;
                  om-owl:procedure ?sensor ;
                  om-owl:result [om-owl:floatValue ?value] . }
    """
    assert without_comments.split() == paper.split()
