"""Numbers of XML Schema: exact integers and decimals, floats of 32 bits, doubles, and arithmetic on them."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

from prsp.model.term import XSD, Literal, Term
from prsp.oracle.problem import ExpressionError

DIGITS = 18
"""How many digits after the point a quotient of decimals keeps, rounded half to even."""


class Kind(IntEnum):
    """The four types arithmetic knows, in the order of promotion."""

    INTEGER = 0
    DECIMAL = 1
    FLOAT = 2
    DOUBLE = 3

    @property
    def iri(self) -> str:
        """The datatype's IRI."""
        return XSD + self.name.lower()


@dataclass(frozen=True, slots=True)
class Number:
    """A value of one of the four types: exact for the first two, a float for the others."""

    kind: Kind
    value: Fraction | float


_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    **{name: (-(2**bits), 2**bits - 1) for name, bits in (("long", 63), ("int", 31), ("short", 15), ("byte", 7))},
    **{f"unsigned{name}": (0, 2**bits - 1) for name, bits in (("Long", 64), ("Int", 32), ("Short", 16), ("Byte", 8))},
}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")
DATATYPES = frozenset({XSD + name for name in (*_BOUNDS, "decimal", "float", "double")})


def read(lexical: str, datatype: str) -> Number | None:
    """The number a lexical form stands for in a numeric datatype; None if there is none."""
    name = datatype.removeprefix(XSD)
    if name in _BOUNDS and _INTEGER.fullmatch(lexical):
        low, high = _BOUNDS[name]
        value = int(lexical)
        fits = (low is None or low <= value) and (high is None or value <= high)
        return Number(Kind.INTEGER, Fraction(value)) if fits else None
    if name == "decimal" and _DECIMAL.fullmatch(lexical):
        return Number(Kind.DECIMAL, Fraction(lexical))
    if name in ("float", "double") and _FLOAT.fullmatch(lexical):
        return floating(Kind.FLOAT if name == "float" else Kind.DOUBLE, float(lexical))
    return None


def number(term: Term) -> Number | None:
    """The value of a well-formed numeric literal; None for anything else."""
    return read(term.lexical, term.datatype) if isinstance(term, Literal) and term.datatype in DATATYPES else None


def need_number(term: Term) -> Number:
    """The value of a numeric literal; a type error for anything else."""
    value = number(term)
    if value is None:
        raise ExpressionError(f"{term} is not a number")
    return value


def floating(kind: Kind, value: float) -> Number:
    """A float or double, rounded to what the type can hold."""
    if kind is Kind.FLOAT and math.isfinite(value):
        try:
            (value,) = struct.unpack("f", struct.pack("f", value))
        except OverflowError:
            value = math.copysign(math.inf, value)
    return Number(kind, value)


def promote(given: Number, kind: Kind) -> Number:
    """The same value in a type further up."""
    if kind in (Kind.INTEGER, Kind.DECIMAL):
        return Number(kind, given.value)
    try:
        return floating(kind, float(given.value))
    except OverflowError:
        return Number(kind, math.inf if given.value > 0 else -math.inf)


def alike(a: Number, b: Number) -> tuple[Number, Number]:
    """Both in the type that arithmetic and comparison use for the pair."""
    kind = max(a.kind, b.kind)
    return promote(a, kind), promote(b, kind)


def literal(given: Number) -> Literal:
    """The literal of a number, in the canonical form of its type."""
    return Literal(text(given), given.kind.iri)


def text(given: Number) -> str:
    """The canonical lexical form."""
    if isinstance(given.value, Fraction):
        return _decimal_text(given.value)
    if math.isnan(given.value):
        return "NaN"
    if math.isinf(given.value):
        return "INF" if given.value > 0 else "-INF"
    mantissa, exponent = f"{given.value:.{_digits(given) - 1}E}".split("E")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}{'' if '.' in mantissa else '.0'}E{int(exponent)}"


def string_of(given: Number) -> str:
    """The text XPath casts a number to: floats between a millionth and a million are written without an exponent."""
    if isinstance(given.value, float) and given.value == 0:
        return "-0" if math.copysign(1, given.value) < 0 else "0"
    if isinstance(given.value, float) and 1e-6 <= abs(given.value) < 1e6:
        return _decimal_text(Fraction(f"{given.value:.{_digits(given) - 1}E}"))
    return text(given)


def _digits(given: Number) -> int:
    """How many digits tell the value apart from its neighbours."""
    return next(n for n in range(1, 18) if floating(given.kind, float(f"{given.value:.{n - 1}E}")).value == given.value)


def _decimal_text(value: Fraction) -> str:
    scale = 0
    while (value * 10**scale).denominator != 1:
        scale += 1
    digits = str(abs(value.numerator * 10**scale // value.denominator)).rjust(scale + 1, "0")
    whole, fraction = (digits[:-scale], "." + digits[-scale:]) if scale else (digits, "")
    return f"{'-' if value < 0 else ''}{whole}{fraction}"


def arithmetic(operator: str, a: Number, b: Number) -> Number:
    """``a + b``, ``a - b``, ``a * b`` or ``a / b`` after promotion; integers divided are decimals."""
    a, b = alike(a, b)
    if operator == "/":
        return _divide(a, b)
    x, y = a.value, b.value
    result = x + y if operator == "+" else x - y if operator == "-" else x * y
    return floating(a.kind, result) if isinstance(result, float) else Number(a.kind, result)


def _divide(a: Number, b: Number) -> Number:
    if isinstance(a.value, Fraction) and isinstance(b.value, Fraction):
        if b.value == 0:
            raise ExpressionError("division by zero")
        return Number(Kind.DECIMAL, Fraction(round(a.value / b.value * 10**DIGITS), 10**DIGITS))
    x, y = float(a.value), float(b.value)
    if y != 0:
        return floating(a.kind, x / y)
    if x == 0 or math.isnan(x):
        return Number(a.kind, math.nan)
    return Number(a.kind, math.copysign(math.inf, x) * math.copysign(1, y))


def rounded(given: Number, how: Callable[[Fraction], int]) -> Number:
    """The number made whole by ``how``, in its own type."""
    if isinstance(given.value, Fraction):
        return Number(given.kind, Fraction(how(given.value)))
    if not math.isfinite(given.value):
        return given
    # The sign of a zero comes from the argument: CEIL(-0.5e0) is -0.0e0.
    return Number(given.kind, math.copysign(float(how(Fraction(given.value))), given.value))
