"""A hash of an answer: the same for the same bag of rows, whatever their order and the labels of the blank nodes a query made."""

from __future__ import annotations

import hashlib
import re

from prsp.model.result import Boolean, Result, Triples
from prsp.model.term import XSD, BlankNode, Literal, Term

_MADE = re.compile(r"_:q[0-9]+")
_INEXACT = (XSD + "float", XSD + "double")


def digest(answer: Result) -> str:
    """Hash of an answer. Two answers of one hash may still differ in which of the nodes that the query made is which."""
    match answer:
        case Boolean(value):
            lines = [str(value)]
        case Triples():
            lines = sorted(_MADE.sub("_:q", line) for line in answer.lines())
        case _:
            names = answer.variables
            order = sorted(range(len(names)), key=names.__getitem__)
            lines = sorted(" ".join(_text(row[place]) for place in order) for row in answer.rows())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _text(term: Term | None) -> str:
    match term:
        case None:
            return "-"
        case BlankNode():
            return _MADE.sub("_:q", str(term))
        case Literal(lexical, datatype) if datatype in _INEXACT:
            # A sum of floats depends on the order in which an engine comes upon them.
            return f"{_rounded(lexical)}^^{datatype}"
        case _:
            return str(term)


def _rounded(lexical: str) -> str:
    try:
        return f"{float(lexical):.6g}"
    except ValueError:
        return lexical
