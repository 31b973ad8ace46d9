"""Whether an engine's answer is the right one, by RDF's own notion of equality."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from prsp.model.equality import Difference, Literals, TripleOfTerms, compare_booleans, compare_graphs, compare_solutions
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.term import IRI, BlankNode, Literal, Term


class Violation(AssertionError):
    """A check of the kit that does not hold; its text says what was expected."""


def demand_same(expected: Result, got: Result, *, ordered: bool = False, what: str = "the answer") -> None:
    """Violation unless both are the same answer: blank nodes up to isomorphism, numbers by value but with their datatype."""
    difference = _difference(expected, got, ordered)
    if difference is not None:
        raise Violation(f"{what} is not the right one: {difference}")


def demand_description(expected: Result, got: Result, data: Iterable[bytes]) -> None:
    """Violation unless the answer has the expected triples and, of others, only such as are in the data."""
    if not isinstance(expected, Triples) or not isinstance(got, Triples):
        raise Violation(f"expected {_kind(expected)}, got {_kind(got)}")
    answered, known = set(triples_of(got.payload)), {triple for lines in data for triple in triples_of(lines)}
    missing, invented = set(triples_of(expected.payload)) - answered, answered - known
    if missing or invented:
        raise Violation(str(Difference("the description is not right", tuple(missing), tuple(invented))))


def triples_of(lines: bytes) -> list[TripleOfTerms]:
    """The triples of an N-Triples document; Violation when it is none."""
    try:
        return [(_term(q.subject), _term(q.predicate), _term(q.object)) for q in ox.parse(lines, ox.RdfFormat.N_TRIPLES)]
    except SyntaxError as error:
        raise Violation(f"triples that are not N-Triples: {error}") from error


def _difference(expected: Result, got: Result, ordered: bool) -> Difference | None:
    match expected, got:
        case Solutions(), Solutions():
            sides = (expected.variables, expected.rows()), (got.variables, got.rows())
            return compare_solutions(*sides, ordered=ordered, literals=Literals.BY_VALUE)
        case Boolean(right), Boolean(value):
            return compare_booleans(right, value)
        case Triples(right_lines), Triples(lines):
            return compare_graphs(triples_of(right_lines), triples_of(lines), literals=Literals.BY_VALUE)
    return Difference(f"expected {_kind(expected)}, got {_kind(got)}")


def _kind(result: object) -> str:
    match result:
        case Solutions():
            return "solutions"
        case Boolean():
            return "a boolean"
        case Triples():
            return "triples"
    return f"a {type(result).__name__}, which is no result"


def _term(node: object) -> Term:
    match node:
        case ox.NamedNode(value=value):
            return IRI(value)
        case ox.BlankNode(value=value):
            return BlankNode(value)
        case ox.Literal(value=value, language=str(language), datatype=datatype):
            return Literal(value, datatype.value, language)
        case ox.Literal(value=value, datatype=datatype):
            return Literal(value, datatype.value)
    raise Violation(f"{node} is not a term of RDF 1.1")
