"""Several queries in one run: read once, in one order; and queries that read each other's streams."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from prsp.api import StreamInput, run
from prsp.errors import InputError
from prsp.model import QueryForm
from prsp.parse import parse_query
from prsp.run.chain import levels, read_from_outside
from prsp.sink import Format, encoder_of
from prsp.transform import job
from tests.cli.run import prsp

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WARM = """REGISTER STREAM <http://e/warm> AS PREFIX : <http://e/>
CONSTRUCT { ?s :warm ?t . ?s :seen [ :as ?t ] } FROM STREAM <http://e/in> [RANGE 20ms STEP 10ms] WHERE { ?s :temp ?t FILTER(?t > 3) }"""
COUNT = """REGISTER QUERY count AS PREFIX : <http://e/>
SELECT ?s (COUNT(?t) AS ?n) FROM STREAM <http://e/warm> [RANGE 30ms STEP 15ms] WHERE { ?s :warm ?t } GROUP BY ?s"""
BOTH = """REGISTER QUERY both AS PREFIX : <http://e/>
SELECT ?s ?t ?w FROM STREAM <http://e/in> [RANGE 20ms STEP 10ms] FROM NAMED STREAM <http://e/warm> [RANGE 40ms STEP 10ms]
WHERE { ?s :temp ?t GRAPH <http://e/warm> { ?s :seen [ :as ?w ] } }"""


def elements() -> list[tuple[object, int]]:
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    return [(f'<http://e/s{i % 4}> <http://e/temp> "{i * 7 % 11}"^^{integer}', i * 3) for i in range(40)]


def by_query(going: Any) -> dict[str, list[tuple[int, list[str]]]]:
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for e in going:
        rows = sorted(str(row) for row in e.rows()) if e.query != "http://e/warm" else e.line()["triples"]
        found.setdefault(e.query, []).append((e.at, rows))
    return found


@pytest.mark.spark
@pytest.mark.parametrize("backend", ["oxigraph", "spectra"])
def test_three_queries_in_a_chain_match_evaluating_them_by_hand(spark: "SparkSession", tmp_path: Path, backend: str) -> None:
    with run([BOTH, WARM, COUNT], elements(), backend=backend) as going:
        evaluations = list(going)
    order = [(e.at, e.seq, ["both", "http://e/warm", "count"].index(e.query)) for e in evaluations]
    assert order == sorted(order)
    together = by_query(evaluations)
    with run(WARM, elements(), backend=backend) as going:
        produced = list(going)
    encoder = encoder_of(Format.NT, QueryForm.CONSTRUCT, ())
    (tmp_path / "warm.nts").write_bytes(b"".join(encoder.body(e) for e in produced))
    sources: dict[str, StreamInput] = {"http://e/warm": tmp_path / "warm.nts", "http://e/in": elements()}
    with run([COUNT, BOTH], sources, backend=backend) as going:
        by_hand = by_query(going)
    assert together == {**by_query(produced), **by_hand}
    assert sum(len(rows) for _, rows in together["both"]) > 20
    assert sum(len(rows) for _, rows in together["count"]) > 10


@pytest.mark.spark
def test_a_chain_stops_after_as_many_windows_as_asked_for(spark: "SparkSession") -> None:
    with run([WARM, COUNT], elements(), windows=5) as going:
        got = list(going)
    assert len(got) == going.summary.reported == 5


@pytest.mark.spark
def test_every_stream_is_cut_once_however_many_queries_read_it(spark: "SparkSession", monkeypatch: pytest.MonkeyPatch) -> None:
    cut: list[int] = []
    original = job.cut_files

    def counting(*arguments: Any) -> Any:
        cut.append(len(arguments[1]))
        return original(*arguments)

    monkeypatch.setattr("prsp.run.cutting.cut_files", counting)
    queries = [f"REGISTER QUERY q{n} AS ASK FROM STREAM s [RANGE {n}0ms STEP 10ms] {{ ?s ?p ?o }}" for n in range(1, 6)]
    with run(queries, elements()) as going:
        assert len({e.query for e in going}) == 5
    assert cut == [1]
    assert [s.read for s in going.summary.streams] == [40] * 5


def test_the_order_of_a_chain_and_what_comes_from_outside() -> None:
    queries = [parse_query(text) for text in (BOTH, WARM, COUNT)]
    assert levels(queries) == [[1], [0, 2]]
    assert read_from_outside(queries) == ["http://e/in"]


def test_a_circle_is_refused_by_name() -> None:
    text = "REGISTER STREAM {} AS CONSTRUCT {{ ?s ?p ?o }} FROM STREAM {} [RANGE 1s] WHERE {{ ?s ?p ?o }}"
    circle = [text.format("a", "c"), text.format("b", "a"), text.format("c", "b")]
    with pytest.raises(InputError, match="in a circle: a reads c reads b reads a"):
        run(circle, [])
    with pytest.raises(InputError, match="a reads a"):
        run(text.format("a", "a"), [])


@pytest.mark.spark
def test_several_queries_through_the_command(tmp_path: Path) -> None:
    for name, text in (("warm", WARM), ("count", COUNT), ("both", BOTH)):
        (tmp_path / f"{name}.rq").write_text(text, encoding="utf-8")
    stream = "".join(f"{triple} .\t{time}\n" for triple, time in elements())
    (tmp_path / "in.nts").write_text(stream, encoding="utf-8")
    files = [str(tmp_path / f"{name}.rq") for name in ("both", "warm", "count")]
    done = prsp("run", *files, "--stream", str(tmp_path / "in.nts"), "--output", f"{tmp_path}/out/", "--summary", str(tmp_path / "summary"))
    assert done.returncode == 0, done.stderr
    counts = {q["query"]: q["reported"] for q in json.loads((tmp_path / "summary").read_text(encoding="utf-8"))["queries"]}
    assert {p.name: len(list(p.iterdir())) for p in (tmp_path / "out").iterdir()} == {
        "both": counts["both"],
        "http%3A%2F%2Fe%2Fwarm": counts["http://e/warm"],
        "count": counts["count"],
    }
    mixed = prsp("run", *files, "--stream", str(tmp_path / "in.nts"), "--format", "csv", "--output", str(tmp_path / "mixed"))
    assert (mixed.returncode, "does not tell several queries apart" in mixed.stderr) == (2, True), mixed.stderr
    live = prsp("run", *files, "--stream", str(tmp_path), "--follow", "--checkpoint", str(tmp_path / "ck"))
    assert (live.returncode, "cannot chain" in live.stderr) == (2, True), live.stderr
