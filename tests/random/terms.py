"""Terms and answers of pyoxigraph as ours, and N-Triples as terms."""

from __future__ import annotations

import pyoxigraph as ox

from prsp.model.equality import TripleOfTerms
from prsp.model.result import Boolean, Result, Triples, solutions
from prsp.model.term import IRI, BlankNode, Literal, Term


def term(found: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Term:
    """One of our terms from one of pyoxigraph's."""
    match found:
        case ox.NamedNode():
            return IRI(found.value)
        case ox.BlankNode():
            return BlankNode(found.value)
        case ox.Literal():
            return Literal(found.value, found.datatype.value, found.language)
        case _:
            raise ValueError("a triple is no RDF 1.1 term")


def triples(answer: Triples) -> list[TripleOfTerms]:
    """The triples of an answer as terms."""
    return [(term(q.subject), term(q.predicate), term(q.object)) for q in ox.parse(answer.payload, ox.RdfFormat.N_TRIPLES)]


def answer(found: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples) -> Result:
    """Our form of what pyoxigraph answers."""
    if isinstance(found, ox.QueryBoolean):
        return Boolean(bool(found))
    if isinstance(found, ox.QueryTriples):
        return Triples(b"".join(f"{triple} .\n".encode() for triple in found))
    names = tuple(variable.value for variable in found.variables)
    return solutions(names, [tuple(None if cell is None else term(cell) for cell in row) for row in found])
