"""Numbers as a reader wants them: three significant digits, thousands apart, in a unit that fits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

NOTHING = "–"
"""What stands where there is no number."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit by name, and how much of the document's own unit one of it is."""

    name: str
    factor: float


class Quantity(Enum):
    """What is measured, and so which units and digits it has."""

    TIME = "time"
    MEMORY = "memory"
    RATE = "rate"
    SHARE = "share"
    COUNT = "count"


_UNITS = {
    Quantity.TIME: (Unit("ns", 1e-9), Unit("µs", 1e-6), Unit("ms", 1e-3), Unit("s", 1.0)),
    Quantity.MEMORY: (Unit("B", 1.0), Unit("KiB", 2.0**10), Unit("MiB", 2.0**20), Unit("GiB", 2.0**30)),
    Quantity.RATE: (Unit("triples/s", 1.0),),
    Quantity.SHARE: (Unit("", 1.0),),
    Quantity.COUNT: (Unit("", 1.0),),
}


def digits(value: float | None, significant: int = 3) -> str:
    """The number with that many significant digits and thousands apart: 123,000, 12.3, 0.0123."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    rounded = float(f"{value:.{significant - 1}e}")
    decimals = significant - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:,.{decimals}f}" if decimals > 0 else f"{rounded:,.0f}"


def told(quantity: Quantity, value: float | None) -> str:
    """The number with its unit, the largest in which it is at least one."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if quantity is Quantity.SHARE:
        return share(value)
    if quantity is Quantity.COUNT:
        return f"{value:,.0f}"
    unit = _largest(quantity, value)
    return f"{digits(value / unit.factor)} {unit.name}".rstrip()


def duration(seconds: float | None) -> str:
    """A time: 12.3 ms."""
    return told(Quantity.TIME, seconds)


def memory(size: float | None) -> str:
    """A number of bytes: 12.3 MiB."""
    return told(Quantity.MEMORY, size)


def count(value: float | None) -> str:
    """A whole number, thousands apart."""
    return told(Quantity.COUNT, value)


def load(value: float) -> str:
    """A load: whole as it is, else with four digits."""
    return count(value) if value == int(value) else digits(value, 4)


def times(value: float | None) -> str:
    """How many times as much: 2.34×."""
    return NOTHING if value is None or not math.isfinite(value) else f"{digits(value)}×"


def share(value: float | None) -> str:
    """A share with three decimals, cut and not rounded: what is told as 1.000 is all of it, and what is told as 0 is nothing."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if 0 < value < 0.001:
        return "<0.001"
    return f"{math.floor(value * 1000 + 1e-9) / 1000 if value < 1 else value:.3f}" if value else "0"


def unit_for(quantity: Quantity, values: Iterable[float]) -> Unit:
    """The unit an axis with these values has: the one that fits their middle."""
    positive = sorted(value for value in values if value > 0)
    return _largest(quantity, positive[len(positive) // 2] if positive else 1.0)


def _largest(quantity: Quantity, value: float) -> Unit:
    units = _UNITS[quantity]
    rounded = float(f"{abs(value):.2e}") * (1 + 1e-9)  # 999.6 ms has three digits as 1.00 s
    return next((unit for unit in reversed(units) if rounded >= unit.factor), units[0])
