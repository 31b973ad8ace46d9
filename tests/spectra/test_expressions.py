"""Expressions at the edges of their types, as the naive evaluator has them."""

from datetime import UTC, datetime, timedelta
from time import sleep

import pytest

from prsp.model.snapshot import Snapshot
from tests.spectra.ask import agrees, fed, prepared, shown, windows

VALUES = """:a :v 1 . :b :v 1.5 . :c :v 2.5e0 . :d :v "INF"^^xsd:double . :e :v "NaN"^^xsd:double . :g :v "3"^^xsd:float .
:h :v "x" . :i :v "" . :j :v 0.1e0 . :k :v 1e308 . :l :v "7"^^xsd:byte . :m :v true . :n :v "maybe"^^xsd:boolean .
:o :v "abc"^^xsd:integer . :p :v "a"@en . :q :v ""@en . :r :v :z . :s :v _:b . :t :v "007"^^xsd:integer . :u :v "x"^^:odd .
:v :v 1e6 . :w :v 1e-7 . :x :v "0.1"^^xsd:float ."""


@pytest.mark.parametrize("expression", ["!?v", "IF(?v, 1, 2)", "?v && true", "?v || false", "?v || ?nothing", "!(!?v)"])
def test_the_truth_of_every_kind_of_term(expression: str) -> None:
    agrees(f"SELECT ?x ({expression} AS ?e) {{ ?x :v ?v }}", VALUES)
    agrees(f"SELECT ?x {{ ?x :v ?v FILTER({expression}) }}", VALUES, "")


@pytest.mark.parametrize(
    "expression", ["xsd:string(?v)", "xsd:decimal(?v)", "xsd:double(?v)", "xsd:float(?v)", "xsd:integer(?v)", "+?v", "-?v"]
)
def test_casts_and_signs_of_every_kind_of_term(expression: str) -> None:
    agrees(f"SELECT ?x ({expression} AS ?e) {{ ?x :v ?v }}", VALUES)


@pytest.mark.parametrize("expression", ["xsd:integer(' 5')", "xsd:double('\\t1e3 ')", "xsd:boolean(' true ')", "xsd:decimal(' 1.5\\n')"])
def test_blanks_around_a_number_do_not_count_in_a_cast(expression: str) -> None:
    agrees(f"SELECT ({expression} AS ?e) {{ }}", "")


def test_an_integer_beyond_all_doubles_is_infinite_among_them() -> None:
    query = "SELECT ?x (?v > 1.5e0 AS ?more) (xsd:double(?v) AS ?d) (?v * 2.0e0 AS ?m) (?v + '1'^^xsd:float AS ?f) { ?x :v ?v }"
    agrees(query, f":a :v {'1' * 400} . :b :v -{'1' * 400} . :c :v 3 .", ":c :v 3 .")


def test_an_integer_longer_than_python_reads_is_no_number_and_no_end() -> None:
    session = prepared("SELECT ?x (COUNT(*) AS ?c) (SUM(?v) AS ?s) { ?x :v ?v FILTER(!(?v < 0)) } GROUP BY ?x")
    long = f":a :v {'1' * 5_000} . :b :v 2 ."
    assert [shown(session.evaluate()) for _ in fed(session, windows(":b :v 2 .", long, ":b :v 2 ."))] == [["b 1 2"]] * 3


@pytest.mark.parametrize("mode", ["inc", "rev", "auto"])
@pytest.mark.parametrize("pattern", ["?x :t ?t FILTER(?t < NOW())", "?x :p ?y FILTER EXISTS { ?x :t ?t FILTER(?t < NOW()) }"])
def test_now_is_another_time_at_every_evaluation(pattern: str, mode: str) -> None:
    soon = (datetime.now(UTC) + timedelta(seconds=0.5)).isoformat(timespec="milliseconds")
    session = prepared(f"SELECT ?x {{ {pattern} }}", mode=mode)
    first, second = windows(*[f":a :t '{soon}'^^xsd:dateTime ; :p :b ."] * 2)
    steps = fed(session, [first, Snapshot(9, 0, second.contributions)])
    next(steps)
    before = shown(session.evaluate())
    sleep(0.8)
    next(steps)
    assert (before, shown(session.evaluate())) == ([], ["a"])
