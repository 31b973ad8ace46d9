"""The set functions of section 18.5.1.

An expression without a value for some solution makes every aggregate of that group an error, but COUNT, which does not count it, and
SAMPLE, which takes another.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import reduce

from prsp.model.term import Literal, Term
from prsp.oracle.compare import sort_key
from prsp.oracle.functions import text_of
from prsp.oracle.numbers import Kind, Number, arithmetic, literal, need_number
from prsp.oracle.problem import ExpressionError
from prsp.parse.syntax import Aggregate

_ZERO = Number(Kind.INTEGER, Fraction(0))


def aggregate(of: Aggregate, values: Sequence[Term | None]) -> Term:
    """The aggregate of the values its expression has in a group, None where it has none."""
    good = [value for value in values if value is not None]
    if of.distinct:
        good = list(dict.fromkeys(good))
    if of.name == "COUNT":
        return count(good)
    if of.name == "SAMPLE":
        return _first(good)
    if None in values:
        raise ExpressionError(f"{of.name} of something without a value")
    if of.name == "GROUP_CONCAT":
        return Literal((of.separator if of.separator is not None else " ").join(map(text_of, good)))
    return _FUNCTIONS[of.name](good)


def count(things: Collection[object]) -> Literal:
    """How many there are."""
    return literal(Number(Kind.INTEGER, Fraction(len(things))))


def _sum(values: Sequence[Term]) -> Number:
    return reduce(lambda total, value: arithmetic("+", total, need_number(value)), values, _ZERO)


def _average(values: Sequence[Term]) -> Term:
    return literal(arithmetic("/", _sum(values), Number(Kind.INTEGER, Fraction(len(values)))) if values else _ZERO)


def _first(values: Sequence[Term]) -> Term:
    if not values:
        raise ExpressionError("there is nothing to choose from")
    return values[0]


_FUNCTIONS: dict[str, Callable[[Sequence[Term]], Term]] = {
    "SUM": lambda values: literal(_sum(values)),
    "AVG": _average,
    "MIN": lambda values: _first(sorted(values, key=sort_key)),
    "MAX": lambda values: _first(sorted(values, key=sort_key, reverse=True)),
}
