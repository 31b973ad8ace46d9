"""What ORDER BY determines: which of two keys certainly comes first."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import Any

from prsp.model.term import IRI, XSD, BlankNode, Literal, Term

Key = tuple[tuple[Term | None, bool], ...]
"""The values of the order conditions, and whether each is descending."""

_NUMBERS = {XSD + name for name in ("integer", "decimal", "double", "float")}


def before(one: Key, other: Key) -> bool:
    """Whether the first certainly comes before the second."""
    for (a, down), (b, _) in zip(one, other, strict=True):
        if a == b:
            continue
        sign = _compare(a, b)
        if sign is None:
            return False
        if sign:
            return (sign < 0) != down
    return False


def _compare(a: Term | None, b: Term | None) -> int | None:
    """Negative, zero or positive; None where the recommendation says nothing."""
    ranks = _rank(a), _rank(b)
    if ranks[0] != ranks[1]:
        return ranks[0] - ranks[1]
    match a, b:
        case IRI(), IRI():
            return -1 if a.value < b.value else 1
        case Literal(), Literal():
            x, y = _value(a), _value(b)
            if x is None or y is None or x[0] != y[0]:
                return None
            return 0 if x[1] == y[1] else -1 if x[1] < y[1] else 1
        case _:
            return None


def _rank(term: Term | None) -> int:
    return 0 if term is None else 1 if isinstance(term, BlankNode) else 2 if isinstance(term, IRI) else 3


def _value(literal: Literal) -> tuple[str, Any] | None:
    """A kind, and a value that compares within the kind."""
    if literal.datatype in _NUMBERS:
        try:
            number = float(literal.lexical.replace("INF", "inf"))
        except ValueError:
            return None
        return None if math.isnan(number) else ("number", number)
    if literal.datatype == XSD + "string":
        return "string", literal.lexical
    if literal.datatype == XSD + "boolean" and literal.lexical in ("true", "false"):
        return "boolean", literal.lexical == "true"
    if literal.datatype == XSD + "dateTime" and re.fullmatch(r"[0-9-]+T[0-9:.]+(Z|[+-][0-9:]+)", literal.lexical):
        return "instant", datetime.fromisoformat(literal.lexical)
    return None
