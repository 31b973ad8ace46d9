"""RDF datasets in memory: sets of triples, read from N-Triples by a parser of our own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from prsp.errors import InputError
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

Triple = tuple[Term, Term, Term]

_TERM = re.compile(
    r"""[ \t]*(?: <(?P<iri>[^<>"{}|^`\x00-\x20]*)>
        | _:(?P<blank>[^\s<>"]*[^\s<>".])
        | "(?P<lexical>(?:[^"\\\n\r]|\\.)*)"(?:\^\^<(?P<datatype>[^<>"\x00-\x20]*)>|@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*))? )""",
    re.VERBOSE,
)
_END = re.compile(r"[ \t]*\.[ \t]*(?:#.*)?$")
_EMPTY = re.compile(r"[ \t]*(?:#.*)?$")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Dataset:
    """A default graph and named graphs."""

    default: frozenset[Triple]
    named: Mapping[str, frozenset[Triple]] = field(default_factory=lambda: MappingProxyType({}))

    def blank_nodes(self) -> set[str]:
        """The labels of all blank nodes in it."""
        triples = [self.default, *self.named.values()]
        return {term.label for graph in triples for triple in graph for term in triple if isinstance(term, BlankNode)}


class Graph:
    """A graph as the evaluator reads it: triples in one order, found by their predicate, subject or object."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        same_case = {(folded(s), folded(p), folded(o)) for s, p, o in triples}
        self.triples = sorted(same_case, key=lambda triple: tuple(map(str, triple)))
        self.nodes: dict[Term, None] = {}
        self._by: tuple[dict[Term, list[Triple]], ...] = ({}, {}, {})
        for triple in self.triples:
            self.nodes[triple[0]] = self.nodes[triple[2]] = None
            for index, term in zip(self._by, triple, strict=True):
                index.setdefault(term, []).append(triple)

    def match(self, *wanted: Term | None) -> Iterator[Triple]:
        """The triples with these terms, where None is any."""
        found = [index.get(term, []) for index, term in zip(self._by, wanted, strict=True) if term is not None]
        for triple in min(found, key=len, default=self.triples):
            if all(want is None or want == term for want, term in zip(wanted, triple, strict=True)):
                yield triple


def folded(term: Term) -> Term:
    """The term with its language tag in lower case, which is the tag's value in RDF 1.1: terms that are equal then are one."""
    if isinstance(term, Literal) and term.language is not None:
        return Literal(term.lexical, term.datatype, term.language.lower())
    return term


def read_ntriples(data: bytes) -> frozenset[Triple]:
    """The triples of an N-Triples document."""
    triples: set[Triple] = set()
    # Only these end a line: a form feed or a line separator may stand inside a literal.
    for number, line in enumerate(re.split(r"\r\n|\r|\n", data.decode("utf-8")), 1):
        if not _EMPTY.match(line):
            triples.add(_triple(line, number))
    return frozenset(triples)


def _triple(line: str, number: int) -> Triple:
    terms: list[Term] = []
    at = 0
    for _ in range(3):
        match = _TERM.match(line, at)
        if match is None:
            raise InputError(f"line {number}: no N-Triples term at column {at + 1}: {line}")
        terms.append(_term(match))
        at = match.end()
    if not _END.match(line, at):
        raise InputError(f"line {number}: expected '.' at column {at + 1}: {line}")
    return terms[0], terms[1], terms[2]


def _term(match: re.Match[str]) -> Term:
    if match["iri"] is not None:
        return IRI(_unescaped(match["iri"]))
    if match["blank"] is not None:
        return BlankNode(match["blank"])
    lexical = _unescaped(match["lexical"])
    if match["language"] is not None:
        return Literal(lexical, RDF + "langString", match["language"])
    return Literal(lexical, _unescaped(match["datatype"] or XSD + "string"))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPED[m[3]] if m[3] else chr(int(m[1] or m[2], 16)), text) if "\\" in text else text
