"""prsp from Python: every kind of source, lazily, live, and with errors that say what to do."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
import rdflib

from prsp.api import Evaluation, PrspError, Run, Status, parse_query, run
from prsp.errors import EngineError, InputError
from prsp.model.term import IRI, Literal
from tests.data import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUERY = """REGISTER QUERY q AS SELECT ?s (COUNT(*) AS ?n) FROM STREAM <http://e/s> [RANGE 10ms STEP 5ms]
WHERE { ?s <http://e/p> ?o } GROUP BY ?s"""


def elements(number: int = 30) -> list[tuple[object, int]]:
    return [(f"<http://e/{i % 3}> <http://e/p> <http://e/o{i}>", i) for i in range(number)]


def bags(evaluations: list[Evaluation]) -> list[tuple[int, list[tuple[str, str]]]]:
    return [(e.at, sorted((str(s), str(n)) for s, n in e.rows())) for e in evaluations]


@pytest.fixture(scope="module")
def right(spark: "SparkSession") -> list[tuple[int, list[tuple[str, str]]]]:
    with run(QUERY, elements(), backend="rdflib") as going:
        found = bags(list(going))
    assert [at for at, _ in found] == [10, 15, 20, 25, 30, 35]
    return found


pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]
Right = list[tuple[int, list[tuple[str, str]]]]


def test_terms_of_three_libraries_and_text_are_the_same_stream(spark: "SparkSession", right: Right) -> None:
    kinds = [
        lambda i: (rdflib.URIRef(f"http://e/{i % 3}"), rdflib.URIRef("http://e/p"), rdflib.URIRef(f"http://e/o{i}")),
        lambda i: pyoxigraph.Triple(*(pyoxigraph.NamedNode(f"http://e/{x}") for x in (i % 3, "p", f"o{i}"))),
        lambda i: (IRI(f"http://e/{i % 3}"), IRI("http://e/p"), IRI(f"http://e/o{i}")),
        lambda i: f"<http://e/{i % 3}> <http://e/p> <http://e/o{i}> .",
    ]
    mixed = ((kinds[i % 4](i), i) for i in range(30))  # type: ignore[no-untyped-call]
    with run(parse_query(QUERY), mixed, backend="spectra") as going:
        assert bags(list(going)) == right


def test_literals_of_rdflib_keep_language_datatype_and_line_breaks(spark: "SparkSession") -> None:
    terms = [rdflib.Literal('a "b"\n'), rdflib.Literal("x", lang="en"), rdflib.Literal(5)]
    stream = [((rdflib.BNode("b"), rdflib.URIRef("http://e/p"), term), i) for i, term in enumerate(terms)]
    with run("REGISTER QUERY q AS SELECT ?o FROM STREAM s [RANGE 5ms] WHERE { ?s ?p ?o }", stream) as going:
        (first,) = going
    xsd = "http://www.w3.org/2001/XMLSchema#integer"
    lang = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
    assert {row[0] for row in first.rows()} == {Literal('a "b"\n'), Literal("x", lang, "en"), Literal("5", xsd)}


def test_paths_frames_and_tables(spark: "SparkSession", right: Right, tmp_path: Path) -> None:
    (tmp_path / "s.nts").write_text("".join(f"{t} .\t{time}\n" for t, time in elements()), encoding="utf-8")
    with run(QUERY, {"http://e/s": tmp_path / "s.nts"}) as going:
        assert bags(list(going)) == right
    frame = spark.createDataFrame([(f"{t} .", time) for t, time in elements()], ["triple", "timestamp"])
    with run(QUERY, frame) as going:
        assert bags(list(going)) == right
    columns = ["subject", "predicate", "object", "timestamp"]
    broken = [(f"<http://e/{i % 3}>", "<http://e/p>", f"<http://e/o{i}>", i) for i in range(30)] + [(None, "<http://e/p>", "x", 3)]
    with run(QUERY, spark.createDataFrame(broken, columns)) as going:
        table = going.pandas()
    assert (len(table), list(table.columns)) == (sum(len(rows) for _, rows in right), ["query", "at", "seq", "s", "n"])
    assert going.summary.streams[0].rejected == 1
    assert spark.range(3).count() == 3, "the session is still there"


def test_evaluations_are_made_as_they_are_asked_for(spark: "SparkSession", right: Right) -> None:
    seen: list[Status] = []
    with run(QUERY, elements(), on_progress=seen.append) as going:
        first = list(itertools.islice(going, 2))
        assert going.summary.reported == 2, "no more than was asked for"
        rest = going.arrow()
    assert bags(first) == right[:2]
    assert rest.column("at").to_pylist()[0] == right[2][0]
    assert seen[-1].fraction == 1.0
    assert all(first)
    assert first[0].json().startswith(b'{"id":')


def test_a_function_that_fails_gets_the_same_evaluation_again(spark: "SparkSession", right: Right) -> None:
    calls, taken = itertools.count(), list[Evaluation]()

    def takes(evaluation: Evaluation) -> None:
        if next(calls) == 1:
            raise OSError("no room for a moment")
        taken.append(evaluation)

    with run(QUERY, [*elements(), ("broken", 3)]) as going:
        going.each(takes)
    assert bags(taken) == right
    assert str(going.summary.first_rejected).partition(": ")[2], "what was rejected is told with the reason"


def test_live_from_an_iterable_without_an_end(spark: "SparkSession", right: Right) -> None:
    def forever() -> Iterator[tuple[object, int]]:
        yield from elements()
        for i in itertools.count(30):
            yield f"<http://e/{i % 3}> <http://e/p> <http://e/o{i}>", i
            time.sleep(0.05)

    with run(QUERY, forever(), follow=True, backend="spectra", t0=0) as going:
        got = bags(list(itertools.islice(going, 4)))
    assert got == right[:4]
    assert going.summary.reported == 4, "what was not taken was not delivered"


def test_live_from_a_streaming_frame_resumes_where_it_was(spark: "SparkSession", tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()

    def feed(number: int) -> None:
        text = "".join(f"<http://e/{i % 3}> <http://e/p> <http://e/o{i}> .,{i}\n" for i in range(number, number + 20))
        (tmp_path / f".{number}").write_text(text, encoding="utf-8")
        (tmp_path / f".{number}").rename(tmp_path / "in" / f"{number}.csv")

    def taken(number: int) -> list[int]:
        frame = spark.readStream.schema("triple string, timestamp long").csv(str(tmp_path / "in"))
        with run(QUERY, frame, follow=True, t0=0, checkpoint=tmp_path / "checkpoint") as going:
            return [e.at for e in itertools.islice(going, number)]

    feed(0)
    assert taken(2) == [10, 15]
    feed(20)
    assert taken(4) == [20, 25, 30, 35]


def test_what_is_wrong_is_told(spark: "SparkSession", tmp_path: Path) -> None:
    wrong: list[tuple[Callable[[], Run], str]] = [
        (lambda: run("SELECT * WHERE { ?s ?p ?o }", []), "line 1, column 1"),
        (lambda: run(QUERY, {"http://e/other": []}), "no query reads a stream http://e/other"),
        (lambda: run(QUERY, {}), "no source for http://e/s"),
        (lambda: run(QUERY, 5), "a path, an iterable"),  # type: ignore[arg-type]
        (lambda: run(QUERY, [("<http://e/a> <http://e/p> <http://e/o>", 1.5)]), "integer of milliseconds"),  # type: ignore[list-item]
        (lambda: run(QUERY, [("<http://e/a>\n", 1)] * 2), "rejected"),
        (lambda: run(QUERY, [], backend="oxygraph"), "there is no backend"),
        (lambda: run(QUERY, [], backend="oxigraph", options={"mod": "x"}), "did you mean 'mode'"),
        (lambda: run(QUERY, [], profile="nope"), "there is no profile"),
        (lambda: run(QUERY, [], where="moon"), "there is no where"),
        (lambda: run(QUERY, tmp_path / "none.nts"), "no such file"),
        (lambda: run(QUERY, [], follow=True, lateness="soon"), "soon"),
        (lambda: run([QUERY, QUERY], []), "two queries are registered as q"),
    ]
    for call, told in wrong:
        if told == "rejected":
            with call() as going:
                assert list(going) == []
            assert going.summary.streams[0].rejected == 2
            continue
        with pytest.raises(PrspError, match=told):
            call()


def test_an_iterable_that_fails_is_told(spark: "SparkSession") -> None:
    def broken() -> Iterator[tuple[object, int]]:
        yield from elements(12)
        raise RuntimeError("the sensor is gone")

    with pytest.raises(RuntimeError, match="the sensor is gone"):
        run(QUERY, broken())
    with pytest.raises(EngineError, match="the sensor is gone"), run(QUERY, broken(), follow=True) as going:
        list(going)


def test_a_failed_evaluation_is_false_and_says_why(spark: "SparkSession") -> None:
    pattern = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . FILTER(?a != ?d || ?g != ?j) }"
    query = f"REGISTER QUERY slow AS SELECT (COUNT(*) AS ?n) FROM STREAM s [RANGE 20ms] {pattern}"
    many = [(f"<http://e/{i}> <http://e/p> <http://e/o>", i % 10) for i in range(500)]
    with run(query, many, deadline="300ms") as going:
        (failed,) = going
    assert not failed
    assert failed.failure is not None
    assert failed.failure.kind == "DeadlineExceeded"
    with pytest.raises(ValueError, match="DeadlineExceeded"):
        failed.rows()
    with pytest.raises(EngineError, match="fail-fast"), run(query, many, deadline="300ms", fail_fast=True) as going:
        list(going)


def test_the_answers_of_other_forms_say_what_they_are(spark: "SparkSession") -> None:
    asked = "REGISTER QUERY q AS ASK FROM STREAM s [RANGE 50ms] WHERE { ?s ?p ?o }"
    with run(asked, elements()) as going, pytest.raises(ValueError, match="true or false"):
        next(iter(going)).rows()
    made = "REGISTER STREAM q AS CONSTRUCT { ?o ?p ?s } FROM STREAM s [RANGE 50ms] WHERE { ?s ?p ?o }"
    with run(made, elements()) as going:
        assert next(iter(going)).arrow().num_rows == 30


def test_the_example_of_the_sensors_runs_as_a_script(spark: "SparkSession") -> None:
    with pytest.raises(InputError, match="map each name"):
        run(["REGISTER QUERY a AS ASK FROM STREAM x [RANGE 1s] {}", "REGISTER QUERY b AS ASK FROM STREAM y [RANGE 1s] {}"], [])
    with run((ROOT / "examples" / "sensor.rq").read_text(encoding="utf-8"), str(ROOT / "examples" / "sensors.nts")) as going:
        assert len(list(going)) == 2
