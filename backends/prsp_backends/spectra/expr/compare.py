"""Equality, order and truth of values."""

from __future__ import annotations

from typing import Any

from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.expr.temporal import compare_moments, read_moment
from prsp_backends.spectra.node import BLANK, BOOLEAN, IRI, IS_DOUBLE, IS_FLOAT, LITERAL, RANKS, STRING, Node, Number, double, single

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def promoted(left: Node, right: Node) -> tuple[Number, Number]:
    """Both numbers in the type of the higher rank."""
    rank = max(left.rank, right.rank)
    try:
        if rank == IS_DOUBLE:
            return float(left.number), float(right.number)
        if rank == IS_FLOAT:
            return single(float(left.number)), single(float(right.number))
    except OverflowError:  # an integer of more than 300 digits
        return double(left.number), double(right.number)
    return left.number, right.number


def truth(node: Node) -> bool:
    """The effective boolean value (17.2.2): that of an ill-formed boolean or number is false."""
    if node.rank:
        return bool(node.number) and node.number == node.number
    if node.kind == LITERAL:
        if node.datatype == BOOLEAN:
            return _TRUTH.get(node.lexical, False)
        if node.datatype == STRING or node.language:
            return node.lexical != ""
        if node.datatype in RANKS:
            return False
    raise ExpressionError


def equal(left: Node, right: Node) -> bool:
    """The ``=`` operator; an error for literals whose values cannot be compared."""
    if left.rank and right.rank:
        one, two = promoted(left, right)
        return one == two
    if left.kind != LITERAL or right.kind != LITERAL or left.same(right):
        return left.same(right)
    one_family, one_value = _known(left)
    two_family, two_value = _known(right)
    if one_family != two_family and "language" in (one_family, two_family):
        return False
    if one_family == "unknown" or two_family == "unknown":
        raise ExpressionError
    if one_family != two_family:
        return False
    if one_family in ("dateTime", "date", "time"):
        return compare_moments(one_value, two_value) == 0
    return bool(one_value == two_value)


def less(left: Node, right: Node) -> bool:
    """The ``<`` operator; an error for operands without an order."""
    if left.rank and right.rank:
        one, two = promoted(left, right)
        return one < two
    if left.kind != LITERAL or right.kind != LITERAL:
        raise ExpressionError
    one_family, one_value = _known(left)
    two_family, two_value = _known(right)
    if one_family != two_family or one_family in ("unknown", "language"):
        raise ExpressionError
    if one_family in ("dateTime", "date", "time"):
        return compare_moments(one_value, two_value) < 0
    return bool(one_value < two_value)


def less_or_equal(left: Node, right: Node) -> bool:
    """The ``<=`` operator."""
    if left.rank and right.rank:
        one, two = promoted(left, right)
        return one <= two
    return less(left, right) or equal(left, right)


def _known(node: Node) -> tuple[str, Any]:
    """The value space of a literal and its value there."""
    if node.rank:
        return "number", node.number
    if node.datatype == STRING:
        return "string", node.lexical
    if node.language:
        return "language", (node.lexical, node.language)
    if node.datatype == BOOLEAN:
        value = _TRUTH.get(node.lexical)
        return ("unknown", None) if value is None else ("boolean", value)
    moment = read_moment(node.lexical, node.datatype)
    return ("unknown", None) if moment is None else (moment.family, moment)


_CLASS = {"number": 0, "date": 1, "dateTime": 2, "time": 3, "language": 5, "string": 6, "boolean": 7, "unknown": 8}
_NAN = 4
OrderKey = tuple[Any, ...]


def order_key(node: Node | None) -> OrderKey:
    """A key for ORDER BY, MIN and MAX: unbound, blank nodes, IRIs, literals; values of one kind by value."""
    if node is None:
        return (0,)
    if node.kind == BLANK:
        return (1, node.lexical)
    if node.kind == IRI:
        return (2, node.lexical)
    family, value = _known(node)
    if family == "number":
        # NaN has no place among numbers; it gets one of its own, so that the order is total.
        return (3, 0, node.number) if node.number == node.number else (3, _NAN)
    if family in ("dateTime", "date", "time"):
        return (3, _CLASS[family], value.instant, value.zone is None)
    if family == "unknown":
        return (3, 8, node.datatype, node.lexical)
    return (3, _CLASS[family], value)
