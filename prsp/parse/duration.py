"""Durations: ``5s``, ``500 ms``, ``PT0.5S`` → milliseconds. The one place that converts."""

from __future__ import annotations

import re
from fractions import Fraction

from prsp.errors import InputError
from prsp.model.window import MAX_MILLISECONDS

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}

_ISO_UNITS = UNITS | {"w": 7 * UNITS["d"]}
_ISO = re.compile(
    r"P(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?(?P<time>T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:[.,]\d+)?)S)?)?",
    re.IGNORECASE | re.ASCII,
)
_ISO_CALENDAR = re.compile(r"P[^T]*\d[YM]", re.IGNORECASE)
_MOST_DIGITS = 40


def unit_duration(number: str, unit: str) -> int:
    """Milliseconds of a number and a unit; ValueError says what is wrong with it."""
    if "." in number:
        raise ValueError(f"{number}{unit} is not a whole number of {unit}: write it in a smaller unit")
    if len(number) > _MOST_DIGITS:
        raise ValueError("the duration is too long: at most 2^63 - 1 ms")
    return _checked(int(number) * UNITS[unit.lower()], number + unit)


def iso_duration(text: str) -> int:
    """Milliseconds of an ISO 8601 duration in days, hours, minutes and seconds; ValueError says what is wrong with it."""
    if len(text) > _MOST_DIGITS:
        raise ValueError("the duration is too long: at most 2^63 - 1 ms")
    if text.startswith("-"):
        raise ValueError(f"{text} is negative: a duration must be more than 0")
    if _ISO_CALENDAR.match(text):
        raise ValueError(f"{text} has years or months, which have no fixed length: use days (P30D)")
    match = _ISO.fullmatch(text)
    if match is None or not any(match[part] for part in "wdhms") or match["time"] in ("T", "t"):
        raise ValueError(f"{text} is not an ISO 8601 duration such as PT5S, PT0.5S, PT1H30M or P1D")
    total = sum(Fraction((match[part] or "0").replace(",", ".")) * _ISO_UNITS[part] for part in "wdhms")
    if total.denominator != 1:
        raise ValueError(f"{text} is not a whole number of milliseconds")
    return _checked(int(total), text)


def _checked(milliseconds: int, text: str) -> int:
    if milliseconds <= 0:
        raise ValueError(f"{text} is {'zero' if milliseconds == 0 else 'negative'}: a duration must be more than 0")
    if milliseconds > MAX_MILLISECONDS:
        raise ValueError("the duration is too long: at most 2^63 - 1 ms")
    return milliseconds


def readable(milliseconds: int) -> str:
    """A duration the way one would write it in a query: the largest unit that leaves a whole number."""
    unit = next(u for u in reversed(UNITS) if milliseconds % UNITS[u] == 0)
    return f"{milliseconds // UNITS[unit]}{unit}"


def parse_duration(text: str) -> int:
    """Milliseconds of an option's value such as ``500ms`` or ``PT5S``; InputError says what is wrong with it."""
    match = re.fullmatch(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]*)\s*", text)
    try:
        if match is None:
            return iso_duration(text.strip())
        if match[2].lower() not in UNITS:
            raise ValueError(f"{text} needs a unit: {', '.join(UNITS)}")
        return 0 if match[1].strip("+-0") == "" else unit_duration(match[1], match[2])
    except ValueError as error:
        raise InputError(str(error)) from None
