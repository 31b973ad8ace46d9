"""The arithmetic operators and functions on numbers."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from prsp_backends.spectra.expr.compare import promoted
from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.node import IS_DECIMAL, IS_INTEGER, Node, Number, number_node

EXACT = Context(prec=400)
"""Sums, differences and products of decimals are exact within this many digits."""

_FRACTION_DIGITS = 18


def add(left: Node, right: Node) -> Node:
    """``left + right``."""
    one, two, rank = _operands(left, right)
    if rank == IS_DECIMAL:
        return number_node(EXACT.add(Decimal(one), Decimal(two)), rank)
    return number_node(one + two, rank)  # type: ignore[operator]


def subtract(left: Node, right: Node) -> Node:
    """``left - right``."""
    one, two, rank = _operands(left, right)
    if rank == IS_DECIMAL:
        return number_node(EXACT.subtract(Decimal(one), Decimal(two)), rank)
    return number_node(one - two, rank)  # type: ignore[operator]


def multiply(left: Node, right: Node) -> Node:
    """``left * right``."""
    one, two, rank = _operands(left, right)
    if rank == IS_DECIMAL:
        return number_node(EXACT.multiply(Decimal(one), Decimal(two)), rank)
    return number_node(one * two, rank)  # type: ignore[operator]


def divide(left: Node, right: Node) -> Node:
    """``left / right``: a decimal for integers and decimals; division by zero is an error there, INF or NaN for floats."""
    one, two, rank = _operands(left, right)
    if rank <= IS_DECIMAL:
        return number_node(decimal_quotient(one, two), IS_DECIMAL)
    if two == 0:
        if one == 0 or math.isnan(one):
            return number_node(math.nan, rank)
        sign = math.copysign(1, float(one)) * math.copysign(1, float(two))
        return number_node(math.inf * sign, rank)
    return number_node(float(one) / float(two), rank)


def decimal_quotient(numerator: Number, denominator: Number) -> Decimal:
    """The quotient cut after 18 digits behind the point; an error when dividing by zero."""
    top, bottom = Decimal(numerator).as_integer_ratio(), Decimal(denominator).as_integer_ratio()
    upper, lower = top[0] * bottom[1] * 10**_FRACTION_DIGITS, top[1] * bottom[0]
    if lower == 0:
        raise ExpressionError
    cut = abs(upper) // abs(lower)
    return Decimal(cut if (upper < 0) == (lower < 0) else -cut).scaleb(-_FRACTION_DIGITS, EXACT)


def negate(node: Node) -> Node:
    """``-node``."""
    if not node.rank:
        raise ExpressionError
    return number_node(EXACT.minus(node.number) if isinstance(node.number, Decimal) else -node.number, node.rank)


def plus(node: Node) -> Node:
    """``+node``, an error for anything but a number."""
    if not node.rank:
        raise ExpressionError
    return number_node(node.number, node.rank)


def absolute(node: Node) -> Node:
    """ABS."""
    if not node.rank:
        raise ExpressionError
    return number_node(EXACT.abs(node.number) if isinstance(node.number, Decimal) else abs(node.number), node.rank)


def ceiling(node: Node) -> Node:
    """CEIL."""
    return _to_whole(node, ROUND_CEILING)


def floor(node: Node) -> Node:
    """FLOOR."""
    return _to_whole(node, ROUND_FLOOR)


def nearest(node: Node) -> Node:
    """ROUND: to the nearest, halves towards positive infinity."""
    if not node.rank:
        raise ExpressionError
    value = node.number
    if isinstance(value, float):
        if not math.isfinite(value) or value == 0 or abs(value) >= 2**52:
            return node if node.rank != IS_INTEGER else number_node(value, node.rank)
        rounded = math.floor(Decimal(value) + Decimal("0.5"))
        return number_node(math.copysign(float(rounded), value), node.rank)
    if isinstance(value, Decimal):
        return number_node(EXACT.add(value, Decimal("0.5")).to_integral_value(ROUND_FLOOR, EXACT), node.rank)
    return number_node(value, IS_INTEGER)


def _to_whole(node: Node, rounding: str) -> Node:
    if not node.rank:
        raise ExpressionError
    value = node.number
    if isinstance(value, float):
        if not math.isfinite(value):
            return node
        whole = math.ceil(value) if rounding == ROUND_CEILING else math.floor(value)
        return number_node(math.copysign(float(whole), value), node.rank)
    if isinstance(value, Decimal):
        return number_node(value.to_integral_value(rounding, EXACT), node.rank)
    return number_node(value, IS_INTEGER)


def _operands(left: Node, right: Node) -> tuple[Number, Number, int]:
    if not left.rank or not right.rank:
        raise ExpressionError
    one, two = promoted(left, right)
    return one, two, max(left.rank, right.rank)
