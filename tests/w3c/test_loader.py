"""The loader of the W3C evaluation tests: whole, and its verdict can say no."""

import re
from dataclasses import replace

import pytest

from prsp.model.term import IRI, Literal
from prsp.parse.query import parse_sparql
from tests.data import needs_data
from tests.w3c.cases import SUITE, EvaluationCase, cases
from tests.w3c.read import Table
from tests.w3c.verdict import Got, verdict

pytestmark = needs_data


def case(name: str) -> EvaluationCase:
    return next(case for case in cases() if case.name == name)


def right(case: EvaluationCase) -> Got:
    expected = case.expected
    return (expected.variables, expected.rows) if isinstance(expected, Table) else expected


def test_every_listed_test_is_there_once() -> None:
    names = [case.name for case in cases()]
    assert len(names) == len(set(names))
    listed = 0
    for manifest in SUITE.glob("*/*/manifest.ttl"):
        if manifest.parent.name not in ("entailment", "service"):
            text = re.sub(r"(?m)^\s*#.*$", "", manifest.read_text(encoding="utf-8"))
            listed += len(re.findall(r"(?:rdf:type|\ba)\s+mf:(?:QueryEvaluationTest|CSVResultFormatTest)", text))
    given_up = 1  # sparql10/optional-filter describes two readings of one query and lists one
    assert len(names) == listed - given_up


def test_a_right_answer_is_right_and_rho_is_a_query_without_dataset() -> None:
    for one in cases():
        assert verdict(one, right(one)) is None
        assert not parse_sparql(one.rho).dataset


def test_a_wrong_answer_is_wrong() -> None:
    for one in cases():
        expected = one.expected
        if isinstance(expected, bool):
            assert verdict(one, not expected)
        elif isinstance(expected, Table) and expected.variables:
            assert verdict(one, (expected.variables, [*expected.rows, tuple(IRI("urn:x") for _ in expected.variables)]))
        elif isinstance(expected, frozenset):
            assert verdict(one, expected | {(IRI("urn:x"), IRI("urn:x"), IRI("urn:x"))})
        assert verdict(one, frozenset() if isinstance(expected, bool | Table) else True)


def test_duplicates_of_reduced_are_free_but_not_invented() -> None:
    lax = case("sparql10/reduced/reduced-1")
    assert isinstance(lax.expected, Table)
    assert lax.lax
    rows = lax.expected.rows
    assert verdict(lax, (lax.expected.variables, list(dict.fromkeys(rows)))) is None
    assert verdict(lax, (lax.expected.variables, [*rows, rows[0]])) is not None


def test_order_counts_where_the_test_has_an_index() -> None:
    ordered = case("sparql10/sort/dawg-sort-1")
    assert isinstance(ordered.expected, Table)
    assert ordered.expected.ordered
    assert verdict(ordered, (ordered.expected.variables, ordered.expected.rows[::-1])) is not None


def test_datatypes_count() -> None:
    sums = case("sparql11/aggregates/agg-sum-01")
    assert isinstance(sums.expected, Table)
    rows = tuple(tuple(replace(c, datatype=c.datatype + "x") if isinstance(c, Literal) else c for c in row) for row in sums.expected.rows)
    assert verdict(sums, (sums.expected.variables, rows)) is not None


@pytest.mark.parametrize("name", ["sparql10/dataset/dawg-dataset-09b", "sparql11/construct/constructwhere04"])
def test_dataset_clauses_become_graphs(name: str) -> None:
    one = case(name)
    assert "FROM" in one.query
    assert "FROM" not in one.rho
    assert one.graphs[None]
