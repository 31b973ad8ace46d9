"""Every expected answer of the kit is what the naive evaluator gives; every construct of SPARQL has a case."""

import json
from collections import Counter

import pytest

from prsp.model.ability import Ability
from prsp.model.equality import Literals, compare_booleans, compare_graphs, compare_solutions
from prsp.model.feature import Feature
from prsp.model.result import Boolean, Solutions, Triples
from prsp.oracle import Dataset, evaluate, read_ntriples
from prsp.oracle import Solutions as OracleSolutions
from prsp.testing.cases import FOLDER, Case, Window, load_cases

CASES = load_cases()


def _dataset(case: Case, window: Window) -> Dataset:
    graphs = {
        graph: read_ntriples(window.graphs.get(graph, b"") + case.static.graphs.get(graph, b""))
        for graph in {None, *window.graphs, *case.static.graphs}
    }
    return Dataset(graphs[None], {graph: triples for graph, triples in graphs.items() if graph is not None})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_expected_answer_is_the_one_of_the_naive_evaluator(case: Case) -> None:
    for window in case.windows:
        right = evaluate(case.rho.text, _dataset(case, window))
        match window.expected, right:
            case Solutions() as expected, OracleSolutions(names, rows):
                difference = compare_solutions(
                    (names, rows), (expected.variables, expected.rows()), ordered=case.ordered, literals=Literals.BY_VALUE
                )
                assert expected.variables == names
            case Boolean(value), bool():
                difference = compare_booleans(right, value)
            case Triples(lines), frozenset():
                difference = compare_graphs(list(right), list(read_ntriples(lines)), literals=Literals.BY_VALUE)
            case other:
                pytest.fail(f"answers of two kinds: {other}")
        assert difference is None, difference


def test_every_group_has_cases_and_there_are_many() -> None:
    groups = Counter(case.name.partition("/")[0] for case in CASES)
    names = "aggregates blank-nodes datatypes forms graphs modifiers paths patterns sequences static text windows"
    assert sorted(groups) == names.split()
    assert len(CASES) > 80
    assert min(groups.values()) >= 8


def test_every_construct_has_a_case() -> None:
    # Nothing outside may be reached, other functions have no standard meaning, and f:timestamp is prsp's own.
    without = {Feature.SERVICE, Feature.CUSTOM_FUNCTIONS, Feature.TIMESTAMP}
    needed = {need for case in CASES for need in case.needs}
    assert {need for need in needed if isinstance(need, Feature)} == set(Feature) - without
    assert {need for need in needed if isinstance(need, Ability)} == {Ability.STATIC_DATA, Ability.NAMED_WINDOWS, Ability.BLANK_NODES}


def test_every_file_of_a_case_is_read_and_every_case_says_what_it_is_about() -> None:
    known = {"query.rq", "data.nt", "case.toml", "expected.srj", "expected.nt"}
    for case in CASES:
        folder = FOLDER / case.name
        files = [path for path in folder.rglob("*") if path.is_file()]
        unknown = [path for path in files if path.name not in known and path.parent.name != "named" and not path.stem.startswith("static")]
        assert not unknown, folder
        expected = [path for path in files if path.name.startswith("expected.")]
        assert len(expected) == len(case.windows)
        assert case.about.endswith("."), folder
        for path in expected:
            assert path.suffix == ".nt" or json.loads(path.read_bytes())


def test_a_case_that_asks_for_an_order_says_so() -> None:
    for case in CASES:
        if case.ordered:
            assert Feature.ORDER_BY in case.needs, case.name
    assert sum(case.ordered for case in CASES) >= 8
