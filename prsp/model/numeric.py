"""Numeric literals by value, for comparing answers of engines that write numbers differently."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from prsp.model.term import XSD, Literal

TOLERANCE = Fraction(1, 10**9)
"""How far apart two floats may be, relative to the larger."""

_INTEGERS = (
    *("integer", "nonPositiveInteger", "negativeInteger", "nonNegativeInteger", "positiveInteger"),
    *("long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
)
_EXACT = {XSD + name: re.compile(r"[+-]?[0-9]+") for name in _INTEGERS} | {
    XSD + "decimal": re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
}
_FLOATING = {XSD + "float", XSD + "double"}
_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?INF|NaN")


@dataclass(frozen=True, slots=True)
class NumericKey:
    """Equal for literals whose values are: a value, or ``INF``, ``-INF``, ``NaN``."""

    value: Fraction | str


@dataclass(frozen=True, slots=True)
class _Value:
    value: Fraction
    exact: bool


def value_keys(literals: Iterable[Literal]) -> dict[Literal, NumericKey]:
    """A key for every well-formed numeric literal among these.

    Values within the tolerance of each other get one key, if one of them is a float or double. A float between two decimals
    that are that close makes them one.
    """
    keys: dict[Literal, NumericKey] = {}
    finite: list[tuple[_Value, Literal]] = []
    for literal in dict.fromkeys(literals):
        value = _read(literal)
        if isinstance(value, str):
            keys[literal] = NumericKey(value)
        elif value is not None:
            finite.append((value, literal))
    finite.sort(key=lambda pair: pair[0].value)
    previous: _Value | None = None
    key = NumericKey("")
    for value, literal in finite:
        if previous is None or not _close(previous, value):
            key = NumericKey(value.value)
        keys[literal] = key
        previous = value
    return keys


def _close(a: _Value, b: _Value) -> bool:
    return a.value == b.value or (not (a.exact and b.exact) and abs(a.value - b.value) <= TOLERANCE * max(abs(a.value), abs(b.value)))


def _read(literal: Literal) -> _Value | str | None:
    pattern = _EXACT.get(literal.datatype)
    if pattern is not None:
        return _Value(Fraction(literal.lexical), True) if pattern.fullmatch(literal.lexical) else None
    if literal.datatype not in _FLOATING or not _FLOAT.fullmatch(literal.lexical):
        return None
    number = float(literal.lexical)
    if literal.datatype == XSD + "float" and math.isfinite(number):
        number = _single(number)
    if math.isnan(number):
        return "NaN"
    return _Value(Fraction(number), False) if math.isfinite(number) else "INF" if number > 0 else "-INF"


def _single(number: float) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)
