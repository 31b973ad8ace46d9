"""Comparisons: the same windows for all, right and wrong engines told apart."""

from dataclasses import replace
from pathlib import Path
from statistics import median
from time import sleep

import pytest
from pyspark.sql import SparkSession

from prsp.compare import Asked, compare
from prsp.compare.asked import NAIVE_UP_TO
from prsp.compare.document import document as report
from prsp.compare.frozen import Frozen, freeze
from prsp.errors import EngineError, InputError, PrspError, UnsupportedQuery
from prsp.model.profile import PROFILES, Operator
from prsp.model.snapshot import Snapshot
from prsp.run import RunOptions
from prsp.source import StreamSource
from prsp.source.files import GENERATED_AT
from tests.compare.support import VALUES, S, case, document, engine, readings, run, verdicts
from tests.testing.faulty import DropsASolution, DuplicatesASolution, Faulty, LosesDatatypes, Sound

pytestmark = pytest.mark.spark


class HangsOnce(Sound):
    """At one window; here, so that it can be sent to a process of its own."""

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        while snapshot.at == 15:
            sleep(1)
        super().load(snapshot, deadline=deadline)


def test_engines_get_the_same_windows_and_are_told_to_agree(tmp_path: Path, spark: SparkSession) -> None:
    what = case(tmp_path, VALUES, {S: readings(40)}, repeat=3)
    engines = [engine("oxigraph"), engine("rdflib"), engine("spectra")]
    made = [document(compare(what, engines, lambda: spark)) for _ in range(2)]
    first, second = made
    assert len(first["windows"]) == 8
    assert [w["at"] for w in first["windows"]] == list(range(10, 50, 5))
    assert all(w["rows"] > 0 for w in first["windows"])
    for result in first["results"]:
        assert verdicts(result) == ["equal"] * 8
        assert all(len(w["tlt"]) == len(w["qrt"]) == 3 and min(w["tlt"] + w["qrt"]) > 0 for w in result["windows"])
        totals = result["totals"]
        assert (totals["precision"], totals["recall"], totals["f"], totals["failed"]) == (1.0, 1.0, 1.0, 0)
        assert totals["eet_sum"] >= totals["eet"] > totals["tlt"] > 0
    # The same comparison again: the same windows, the same answers, by their hashes.
    assert [w["sha256"] for w in first["windows"]] == [w["sha256"] for w in second["windows"]]
    for one, other in zip(first["results"], second["results"], strict=True):
        assert [w["answer"] for w in one["windows"]] == [w["answer"] for w in other["windows"]]
    # And one hash over all engines.
    assert len({tuple(w["answer"] for w in result["windows"]) for result in first["results"]}) == 1
    (stream,) = first["streams"]
    assert stream["read"] == stream["in_windows"] + stream["in_no_window"] + stream["late"] + stream["rejected"] == 80


@pytest.mark.parametrize(
    ("fault", "verdict", "precision", "recall"),
    [(Sound, "equal", 1.0, 1.0), (DropsASolution, "different", 1.0, None), (DuplicatesASolution, "different", None, 1.0)],
)
def test_a_wrong_engine_is_told(
    tmp_path: Path, spark: SparkSession, fault: type[Sound], verdict: str, precision: float | None, recall: float | None
) -> None:
    found = run(spark, case(tmp_path, VALUES, {S: readings(30)}), [engine("oxigraph"), engine("wrong", Faulty(fault))])
    assert verdicts(found["oxigraph"]) == ["equal"] * 6
    assert set(verdicts(found["wrong"])) == {verdict}
    totals = found["wrong"]["totals"]
    for name, value in (("precision", precision), ("recall", recall)):
        assert totals[name] == 1.0 if value == 1.0 else 0 < totals[name] < 1
    if verdict == "different":
        assert "<http://e/sensor" in found["wrong"]["windows"][0]["check"]["difference"]


def test_the_chosen_engine_is_right_by_definition(tmp_path: Path, spark: SparkSession) -> None:
    what = case(tmp_path, VALUES, {S: readings(30)}, reference=Asked("wrong"))
    found = run(spark, what, [engine("oxigraph"), engine("wrong", Faulty(DropsASolution))])
    assert set(verdicts(found["wrong"])) == {"equal"}
    assert set(verdicts(found["oxigraph"])) == {"different"}


def test_a_difference_in_datatypes_alone_is_told_and_is_no_fault(tmp_path: Path, spark: SparkSession) -> None:
    averages = f"REGISTER QUERY q AS SELECT (AVG(?v) AS ?a) FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?s <http://e/v> ?v }}"
    found = run(spark, case(tmp_path, averages, {S: readings(20)}), [engine("wrong", Faulty(LosesDatatypes)), engine("oxigraph")])
    assert set(verdicts(found["oxigraph"])) == {"equal"}
    assert set(verdicts(found["wrong"])) <= {"datatypes", "different"}
    assert "equal" not in verdicts(found["wrong"])


def test_a_failure_is_told_and_the_others_go_on(tmp_path: Path, spark: SparkSession) -> None:
    class Fails(Sound):
        def load(self, snapshot: object, /, *, deadline: float | None = None) -> None:
            if getattr(snapshot, "at", 0) == 15:
                raise EngineError("out of paper")
            super().load(snapshot, deadline=deadline)  # type: ignore[arg-type]

    found = run(spark, case(tmp_path, VALUES, {S: readings(20)}), [engine("fails", Faulty(Fails)), engine("oxigraph")])
    assert verdicts(found["fails"]) == ["equal", "failed", "equal", "equal"]
    failed = found["fails"]["windows"][1]
    assert failed["failure"] == {"kind": "EngineError", "message": "out of paper"}
    assert failed["tlt"] == []
    assert found["fails"]["totals"]["failed"] == 1
    assert found["fails"]["totals"]["recall"] < 1
    assert verdicts(found["oxigraph"]) == ["equal"] * 4


def test_a_deadline_ends_an_engine_that_cannot_stop_by_itself(tmp_path: Path, spark: SparkSession) -> None:
    what = case(tmp_path, VALUES, {S: readings(20)}, repeat=1, deadline=3_000, windows=3)
    found = run(spark, what, [engine("hangs", Faulty(HangsOnce)), engine("rdflib")])
    assert verdicts(found["hangs"]) == ["equal", "failed", "equal"]
    assert found["hangs"]["windows"][1]["failure"]["kind"] == "DeadlineExceeded"
    assert verdicts(found["rdflib"]) == ["equal"] * 3


@pytest.mark.parametrize("reference", ["oracle", "fails"])
def test_what_is_new_since_a_window_that_failed_is_not_judged(tmp_path: Path, spark: SparkSession, reference: str) -> None:
    class Fails(Sound):
        def load(self, snapshot: object, /, *, deadline: float | None = None) -> None:
            if getattr(snapshot, "at", 0) == 15:
                raise EngineError("out of paper")
            super().load(snapshot, deadline=deadline)  # type: ignore[arg-type]

    profile = replace(PROFILES["prsp"], operator=Operator.ISTREAM)
    what = case(tmp_path, VALUES, {S: readings(25)}, profile=profile, reference=Asked(reference))
    found = run(spark, what, [engine("fails", Faulty(Fails)), engine("oxigraph")])
    assert verdicts(found["fails"]) == ["equal", "failed", "unjudged", "equal", "equal"]
    if reference == "oracle":
        assert verdicts(found["oxigraph"]) == ["equal"] * 5
    else:
        assert verdicts(found["oxigraph"]) == ["equal", "unjudged", "unjudged", "equal", "equal"]
    # What nobody judged is in no precision.
    assert all(result["totals"]["precision"] == 1.0 for result in found.values())


def test_a_window_that_failed_in_a_later_round_is_in_no_mean(tmp_path: Path, spark: SparkSession) -> None:
    loaded = []

    class FailsLater(Sound):
        def load(self, snapshot: object, /, *, deadline: float | None = None) -> None:
            if getattr(snapshot, "at", 0) == 15:
                loaded.append(15)
                if len(loaded) == 3:  # after the warm-up and the first round
                    raise EngineError("out of paper")
            super().load(snapshot, deadline=deadline)  # type: ignore[arg-type]

    found = run(spark, case(tmp_path, VALUES, {S: readings(20)}), [engine("fails", Faulty(FailsLater))])["fails"]
    assert verdicts(found) == ["equal", "failed", "equal", "equal"]
    eet = [sum(median(w[name]) for name in ("tlt", "qrt")) for number, w in enumerate(found["windows"]) if number != 1]
    assert found["totals"]["eet_sum"] == pytest.approx(sum(eet))


def test_windows_that_the_oracle_cuts_otherwise_are_a_fault_in_prsp(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loses_the_last(options: RunOptions, root: str, session: SparkSession) -> Frozen:
        frozen = freeze(options, root, session)
        return replace(frozen, windows=frozen.windows[:-1])

    monkeypatch.setattr("prsp.compare.comparison.freeze", loses_the_last)
    with pytest.raises(PrspError, match="RSP-QL defines more than the 3 windows that prsp cut, which is a fault in prsp"):
        run(spark, case(tmp_path, VALUES, {S: readings(20)}), [engine("oxigraph")])
    few = run(spark, case(tmp_path, VALUES, {S: readings(20)}, windows=2), [engine("oxigraph")])
    assert verdicts(few["oxigraph"]) == ["equal"]


def test_large_windows_that_are_asked_for_times_have_the_naive_evaluator(tmp_path: Path, spark: SparkSession) -> None:
    text = f"""REGISTER QUERY q AS PREFIX f: <http://larkc.eu/csparql/sparql/jena/ext#>
SELECT ?v ?t FROM STREAM <{S}> [RANGE 2s STEP 2s]
WHERE {{ <http://e/sensor1> <http://e/v> ?v BIND(f:timestamp(<http://e/sensor1>, <http://e/v>, ?v) AS ?t) }}"""
    compared = compare(case(tmp_path, text, {S: readings(1100)}, repeat=1), [engine("oxigraph")], lambda: spark)
    assert compared.facts[0].triples > NAIVE_UP_TO
    assert compared.reference == "oracle, naive evaluator"
    assert verdicts(document(compared)["results"][0]) == ["equal"]


def test_an_engine_that_refuses_the_query_is_told_with_its_reason(tmp_path: Path, spark: SparkSession) -> None:
    paths = f"REGISTER QUERY q AS SELECT ?a ?b FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?a <http://e/v>+ ?b }}"
    found = run(spark, case(tmp_path, paths, {S: readings(12)}), [engine("oxigraph"), engine("spectra")])
    assert "spectra" in found["spectra"]["refused"]
    assert found["spectra"]["windows"] == []
    assert set(verdicts(found["oxigraph"])) == {"equal"}
    with pytest.raises(UnsupportedQuery):
        run(spark, case(tmp_path, paths, {S: readings(12)}), [engine("spectra")])


def test_a_known_fault_of_an_engine_is_shown(tmp_path: Path, spark: SparkSession) -> None:
    # MIN gives a member of its group (SPARQL 1.1, 18.5.1.5); rdflib makes a string of an IRI.
    text = f"REGISTER QUERY q AS SELECT (MIN(?s) AS ?least) FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?s <http://e/v> ?v }}"
    found = run(spark, case(tmp_path, text, {S: readings(20)}), [engine("oxigraph"), engine("rdflib"), engine("spectra")])
    assert (verdicts(found["oxigraph"]), verdicts(found["spectra"])) == (["equal"] * 4, ["equal"] * 4)
    assert verdicts(found["rdflib"]) == ["different"] * 4
    assert '+ "http://e/sensor0"' in found["rdflib"]["windows"][0]["check"]["difference"]


@pytest.mark.parametrize("operator", [Operator.ISTREAM, Operator.DSTREAM])
def test_operators_are_compared_as_they_come_out(tmp_path: Path, spark: SparkSession, operator: Operator) -> None:
    what = case(tmp_path, VALUES, {S: readings(40)}, profile=replace(PROFILES["prsp"], operator=operator))
    found = run(spark, what, [engine("oxigraph"), engine("spectra", mode="inc"), engine("rdflib")])
    assert all(verdicts(result) == ["equal"] * 8 for result in found.values())


def test_streams_named_windows_static_graphs_and_times(tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "kb.ttl").write_text("<http://e/sensor1> <http://e/in> <http://e/hall> . _:b <http://e/in> <http://e/attic> .", "utf-8")
    text = f"""REGISTER QUERY q AS PREFIX f: <http://larkc.eu/csparql/sparql/jena/ext#>
SELECT ?s ?v ?t ?room
FROM NAMED STREAM <{S}> [RANGE 10ms STEP 5ms] FROM STREAM <http://e/other> [RANGE TRIPLES 4] FROM <http://e/kb>
WHERE {{ GRAPH <{S}> {{ ?s <http://e/v> ?v }} OPTIONAL {{ ?s <http://e/in> ?room }} BIND(f:timestamp(?s, <http://e/v>, ?v) AS ?t) }}"""
    what = case(
        tmp_path, text, {S: readings(12), "http://e/other": readings(6)}, files={"http://e/kb": str(tmp_path / "kb.ttl")}, memory=True
    )
    found = run(spark, what, [engine("oxigraph"), engine("rdflib"), engine("spectra")])
    for result in found.values():
        assert set(verdicts(result)) == {"equal"}
        assert result["totals"]["memory"] > 1_000_000
        assert 0 < result["totals"]["memory_base"] <= result["totals"]["memory"] * 2


def test_an_answer_that_may_differ_each_time_is_not_judged(tmp_path: Path, spark: SparkSession) -> None:
    text = f"REGISTER QUERY q AS SELECT (SAMPLE(?v) AS ?any) FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?s <http://e/v> ?v }}"
    found = run(spark, case(tmp_path, text, {S: readings(12)}), [engine("oxigraph"), engine("rdflib")])
    assert all(set(verdicts(result)) == {"unjudged"} for result in found.values())
    assert all(result["totals"]["different"] == 0 for result in found.values())


def test_graph_events_constructs_and_empty_streams(tmp_path: Path, spark: SparkSession) -> None:
    construct = f"""REGISTER STREAM q AS CONSTRUCT {{ ?s <http://e/was> [ <http://e/v> ?v ] }}
FROM STREAM <{S}> [RANGE 10ms STEP 5ms] WHERE {{ ?s <http://e/v> ?v }}"""
    trig = tmp_path / "stream.trig"
    graphs = [f"<http://e/g{n}> {{ <http://e/a{n}> <http://e/v> {n} . <http://e/a{n}> a <http://e/Sensor> }}\n" for n in range(20)]
    trig.write_text("".join(graphs) + "".join(f"<http://e/g{n}> <{GENERATED_AT}> {n} .\n" for n in range(20)), encoding="utf-8")
    what = case(tmp_path, construct, {})
    compared = compare(
        replace(what, sources={S: StreamSource(S, str(trig))}), [engine("oxigraph"), engine("rdflib"), engine("spectra")], lambda: spark
    )
    made = document(compared)
    assert all(w["triples"] == 2 * w["elements"] > 0 for w in made["windows"])
    assert all(set(verdicts(result)) == {"equal"} for result in made["results"])
    empty = document(compare(case(tmp_path, construct, {S: "# nothing\n"}), [engine("oxigraph")], lambda: spark))
    assert empty["windows"] == []
    assert empty["results"][0]["totals"]["eet"] is None


def test_what_cannot_be_the_reference_is_refused(tmp_path: Path, spark: SparkSession) -> None:
    with pytest.raises(InputError, match="no such engine takes the query here; there is oracle, oxigraph"):
        compare(case(tmp_path, VALUES, {S: readings(3)}, reference=Asked("fuseki")), [engine("oxigraph")], lambda: spark)
    with pytest.raises(InputError, match="the oracle knows no late elements"):
        compare(case(tmp_path, VALUES, {S: readings(3)}, lateness=5), [engine("oxigraph")], lambda: spark)


def test_late_elements_are_counted_and_engines_compared_with_each_other(tmp_path: Path, spark: SparkSession) -> None:
    late = readings(40) + "<http://e/x> <http://e/v> <http://e/y> .\t3\n"
    made = document(
        compare(
            case(tmp_path, VALUES, {S: late}, lateness=2, reference=Asked("oxigraph")),
            [engine("oxigraph"), engine("spectra")],
            lambda: spark,
        )
    )
    assert made["streams"][0]["late"] == 1
    assert set(verdicts(made["results"][1])) == {"equal"}


def test_everything_a_report_needs_is_in_the_document(tmp_path: Path, spark: SparkSession) -> None:
    engines = [engine("oxigraph"), engine("spectra", mode="inc")]
    made = report(
        "two engines",
        [document(compare(case(tmp_path, VALUES, {S: readings(12)}), engines, lambda: spark))],
        engines,
        command="c",
        repeat=2,
    )
    assert made["format"] == "prsp-comparison-1"
    assert made["engines"][1]["options"] == {"mode": "inc"}
    assert made["reference"] == "oracle, naive evaluator"
    assert {"prsp", "pyoxigraph", "pyspark"} <= set(made["versions"])
    assert made["machine"]["cores"] > 0
