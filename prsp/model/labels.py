"""Blank nodes in answers: those of streams and static graphs keep their labels, those an engine made are ``_:q0``, ``_:q1`` and so on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from prsp.model.result import Result, Row, Solutions, Triples
from prsp.model.term import BlankNode, Term

_OURS = re.compile(r"[sg][0-9]+_")
_MADE = re.compile(r"_:q[0-9]+")
_SUBJECT = re.compile(rb"^_:(\S+) ", re.MULTILINE)
_OBJECT = re.compile(rb" _:(\S+) \.$", re.MULTILINE)


def labelled(result: Result) -> Result:
    """The answer with labels that do not depend on the engine; nothing is decoded before somebody looks."""
    match result:
        case Triples(payload) if b"_:" in payload:
            named = _names()
            done = _SUBJECT.sub(lambda m: b"_:%s " % named(m[1].decode()).encode(), payload)
            return Triples(_OBJECT.sub(lambda m: b" _:%s ." % named(m[1].decode()).encode(), done))
        case Solutions():
            return LabelledSolutions(result)
        case _:
            return result


def in_stream(triple: str, at: int, seq: int) -> str:
    """A triple of an answer as an element of a stream, where a label stands for one node.

    A blank node that the query made is another one in every evaluation, so its label carries the instant.
    """
    if "_:q" not in triple:
        return triple
    subject, predicate, rest = triple.split(" ", 2)
    nodes = (f"{term}_{at}_{seq}" if _MADE.fullmatch(term) else term for term in (subject, rest.removesuffix(" .")))
    return f"{next(nodes)} {predicate} {next(nodes)} ."


@dataclass(frozen=True, slots=True)
class LabelledSolutions(Solutions):
    """Solutions whose blank nodes are renamed when they are looked at."""

    given: Solutions = field(repr=False)

    @property
    def variables(self) -> tuple[str, ...]:
        """The projected variables, in order."""
        return self.given.variables

    def rows(self) -> list[Row]:
        """The solutions as terms."""
        named, rows = _names(), self.given.rows()
        if not any(isinstance(term, BlankNode) for row in rows for term in row):
            return rows
        return [tuple(_renamed(term, named) for term in row) for row in rows]

    def json(self) -> bytes:
        """The answer as SPARQL 1.1 JSON results, the engine's own bytes where it can be."""
        payload = self.given.json()
        return payload if b'"bnode"' not in payload else Solutions.json(self)

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        document, named = self.given.frame(), _names()
        bindings = [{name: _renamed_cell(cell, named) for name, cell in row.items()} for row in document["results"]["bindings"]]
        return {"head": document["head"], "results": {"bindings": bindings}}

    def __len__(self) -> int:
        return len(self.given)


def _names() -> Callable[[str], str]:
    """The label of each engine's label, the same for the same one within an answer."""
    known: dict[str, str] = {}

    def name(label: str) -> str:
        if _OURS.match(label):
            return label
        return known.setdefault(label, f"q{len(known)}")

    return name


def _renamed_cell(cell: dict[str, str], named: Callable[[str], str]) -> dict[str, str]:
    return {**cell, "value": named(cell["value"])} if cell["type"] == "bnode" else cell


def _renamed(term: Term | None, named: Callable[[str], str]) -> Term | None:
    return BlankNode(named(term.label)) if isinstance(term, BlankNode) else term
