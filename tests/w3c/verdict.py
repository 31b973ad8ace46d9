"""Whether an answer is the one a W3C test expects."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from prsp.model.equality import Difference, Literals, Row, Solutions, TripleOfTerms, compare_booleans, compare_graphs, compare_solutions
from prsp.model.term import IRI, XSD, BlankNode, Literal, Term
from tests.w3c.cases import EvaluationCase
from tests.w3c.read import Table

Got = Solutions | bool | AbstractSet[TripleOfTerms]
"""Variables and rows, or the answer of ASK, or a set of triples."""


def verdict(case: EvaluationCase, got: Got) -> str | None:
    """None when the answer is right, else what is wrong with it; numbers may be written differently, but in the same datatype."""
    difference = _difference(case, got)
    return None if difference is None else f"{case.name}: {difference}"


def _difference(case: EvaluationCase, got: Got) -> Difference | str | None:
    expected = case.expected
    if isinstance(expected, bool) and isinstance(got, bool):
        return compare_booleans(expected, got)
    if isinstance(expected, frozenset) and isinstance(got, AbstractSet):
        return compare_graphs(expected, got, literals=Literals.BY_VALUE)
    if isinstance(expected, Table) and isinstance(got, tuple):
        return _compare(expected, got[0], got[1], case.lax)
    return f"expected {_kind(expected)}, got {_kind(got)}"


def _compare(expected: Table, variables: tuple[str, ...], rows: Sequence[Row], lax: bool) -> Difference | str | None:
    wanted: Sequence[Row] = expected.rows
    if expected.lossy:
        wanted, rows = ([tuple(map(_text, row)) for row in side] for side in (wanted, rows))
    if lax:
        if len(rows) > len(wanted):
            return f"at most {len(wanted)} rows are expected, got {len(rows)}"
        wanted, rows = list(dict.fromkeys(wanted)), list(dict.fromkeys(rows))
    return compare_solutions((expected.variables, wanted), (variables, rows), ordered=expected.ordered, literals=Literals.BY_VALUE)


def _text(term: Term | None) -> Term:
    """What CSV keeps of a term: its text, and nothing for unbound; numbers may be written differently."""
    if isinstance(term, BlankNode):
        return term
    text = "" if term is None else term.value if isinstance(term, IRI) else term.lexical
    try:
        return Literal(repr(float(text)), XSD + "double")
    except ValueError:
        return Literal(text)


def _kind(answer: object) -> str:
    return "a boolean" if isinstance(answer, bool) else "solutions" if isinstance(answer, Table | tuple) else "a graph"
