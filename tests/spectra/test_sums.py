"""SUM and AVG are exact under retraction: taking a number out again leaves nothing of it behind."""

import math
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.node import DECIMAL, DOUBLE, FLOAT, INTEGER, Node
from prsp_backends.spectra.operators.aggregates import Sum
from tests.spectra.ask import fed, prepared, shown, windows

SUMS = "SELECT (SUM(?v) AS ?s) (AVG(?v) AS ?a) { ?x :v ?v }"


class Totals:
    """A sum and an average that terms go in and out of."""

    def __init__(self) -> None:
        self._terms = Dictionary()
        self._sum, self._average = (Sum(self._terms.nodes, average=average) for average in (False, True))

    def add(self, lexical: str, datatype: str, count: int = 1) -> None:
        number = self._terms.ids[f'"{lexical}"^^<{datatype}>'.encode()]
        self._sum.add(number, count)
        self._average.add(number, count)

    @property
    def both(self) -> tuple[Node, Node]:
        total, mean = self._sum.result(), self._average.result()
        assert total is not None
        assert mean is not None
        return total, mean


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_a_large_number_that_left_takes_no_small_one_with_it(mode: str) -> None:
    session = prepared(SUMS, mode=mode)
    contents = (
        ":a :v 1e16 . :b :v 1.0e0 .",
        ":b :v 1.0e0 .",
        ":b :v 1.0e0 . :c :v 0.1e0 .",
        ":c :v 0.1e0 .",
        ":c :v 0.1e0 . :d :v 1e300 .",
        "",
    )
    found = [shown(session.evaluate()) for _ in fed(session, windows(*contents))]
    assert found[1:4] == [["1 1"], ["1.1 0.55"], ["0.1 0.1"]]
    assert found[5] == ["0 0"]


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_infinities_and_nan_come_and_go(mode: str) -> None:
    more, less, none = (f':{name} :v "{text}"^^xsd:double .' for name, text in (("i", "INF"), ("j", "-INF"), ("k", "NaN")))
    base = ":a :v 0.1e0 . :b :v 2 ."
    session = prepared(SUMS, mode=mode)
    steps = windows(base, base + more, base + more + less, base + less, base + none, base + none + more, base, more + less, more, "")
    found = [shown(session.evaluate()) for _ in fed(session, steps)]
    sums = ["2.1", "INF", "NaN", "-INF", "NaN", "NaN", "2.1", "NaN", "INF", "0"]
    assert [row[0].split()[0] for row in found] == sums
    assert found[0] == found[6] == ["2.1 1.05"]


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_what_is_no_number_makes_an_error_only_while_it_is_there(mode: str) -> None:
    session = prepared(SUMS, mode=mode)
    contents = (":a :v 1 .", ":a :v 1 . :b :v 'x' .", ":a :v 1 . :b :v 'x' . :c :v :d .", ":a :v 1 . :c :v :d .", ":a :v 1 .")
    assert [shown(session.evaluate()) for _ in fed(session, windows(*contents))] == [["1 1"], ["- -"], ["- -"], ["- -"], ["1 1"]]


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_the_type_of_a_sum_is_that_of_the_numbers_that_are_there(mode: str) -> None:
    session = prepared("SELECT (DATATYPE(SUM(?v)) AS ?t) { ?x :v ?v }", mode=mode)
    integer, decimal, single, double = ":a :v 1 .", ":b :v 1.5 .", ":c :v '1.5'^^xsd:float .", ":d :v 1.5e0 ."
    steps = windows(
        integer, integer + decimal, integer + decimal + single, integer + decimal + single + double, integer + decimal, integer, ""
    )
    found = [shown(session.evaluate())[0].rpartition("#")[2] for _ in fed(session, steps)]
    assert found == ["integer", "decimal", "float", "double", "decimal", "integer", "integer"]


def test_sums_of_doubles_are_rounded_once() -> None:
    random, held, totals = Random(5), list[str](), Totals()
    for _ in range(600):
        if held and random.random() < 0.45:
            totals.add(held.pop(random.randrange(len(held))), DOUBLE, -1)
        else:
            held.append(repr(random.choice((-1, 1)) * random.random() * 10.0 ** random.randint(-300, 300)))
            totals.add(held[-1], DOUBLE)
        exact = sum(map(Fraction, map(float, held)))
        total, mean = totals.both
        assert total.number == float(exact)
        assert mean.number == (float(exact / len(held)) if held else 0)


def test_the_smallest_and_largest_doubles_are_held_exactly() -> None:
    totals = Totals()
    totals.add("5e-324", DOUBLE)
    totals.add("1.7976931348623157e308", DOUBLE)
    totals.add("1.7976931348623157e308", DOUBLE)
    assert totals.both[0].number == math.inf
    totals.add("1.7976931348623157e308", DOUBLE, -2)
    assert totals.both[0].number == 5e-324


def test_decimals_and_integers_of_any_size_are_summed_exactly() -> None:
    totals = Totals()
    totals.add("1" + "0" * 60, INTEGER)
    totals.add("0." + "0" * 60 + "1", DECIMAL)
    assert totals.both[0].number == Decimal("1" + "0" * 60 + "." + "0" * 60 + "1")
    totals.add("1" + "0" * 60, INTEGER, -1)
    totals.add("0.1", FLOAT)
    totals.add("0.1", FLOAT, -1)
    assert totals.both[0].lexical == "0." + "0" * 60 + "1"
