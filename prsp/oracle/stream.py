"""Streams as the oracle reads them: our stream text, by a reader of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prsp.errors import InputError
from prsp.model.term import BlankNode, Term
from prsp.oracle.dataset import Triple, read_ntriples

_TIME = re.compile(r"-?[0-9]+")


@dataclass(frozen=True, slots=True)
class Element:
    """A timestamped set of triples (RSP-QL Definition 9; more than one triple is a graph event)."""

    triples: frozenset[Triple]
    time: int


def read_stream(data: bytes) -> list[Element]:
    """The elements of a stream text, in the order of its lines."""
    elements: list[Element] = []
    for number, line in enumerate(re.split(r"\r\n|\n", data.decode("utf-8")), 1):
        if not line or line.startswith("#"):
            continue
        text, _, time = line.rpartition("\t")
        if not _TIME.fullmatch(time):
            raise InputError(f"line {number}: no TAB and timestamp at the end: {line}")
        elements.append(Element(read_ntriples(text.encode()), int(time)))
    return elements


def scoped(element: Element, scope: str) -> Element:
    """The element with its blank node labels prefixed, so that streams are kept apart."""

    def own(term: Term) -> Term:
        return BlankNode(scope + term.label) if isinstance(term, BlankNode) else term

    return Element(frozenset((own(s), own(p), own(o)) for s, p, o in element.triples), element.time)
