"""The W3C syntax tests, and every query of the evaluation tests, come out right."""

from collections import Counter

from prsp.errors import QuerySyntaxError
from prsp.parse import parse_sparql
from tests.data import needs_data
from tests.parse.w3c import BASE, SyntaxCase, syntax_cases

EXCEPTIONS: dict[str, str] = {}
"""Tests we do not follow, each with its reason; an entry that is no longer needed fails."""


def comes_out_right(case: SyntaxCase) -> bool:
    try:
        parse_sparql(case.text, base=BASE)
    except QuerySyntaxError:
        return not case.valid
    return case.valid


@needs_data
def test_every_query_of_the_suite_comes_out_right() -> None:
    wrong = {case.name for case in syntax_cases() if not comes_out_right(case)}
    assert wrong == set(EXCEPTIONS)


@needs_data
def test_the_suite_is_all_there() -> None:
    counts = Counter(case.valid for case in syntax_cases())
    assert counts == {True: 731, False: 90}
