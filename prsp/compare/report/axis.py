"""Axes: where a value lies between the two ends, and which values have a tick."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from prsp.compare.report.numbers import Quantity, digits, load, unit_for

_LOG_FROM = 30
"""How many times the smallest value the largest is when a logarithmic axis shows more."""
_TICKS = 8


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from ``low`` to ``high``; ticks are values with their labels, ``unit`` belongs to the labels."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    unit: str = ""
    log: bool = False

    def place(self, value: float) -> float:
        """Where the value lies, from 0 at the low end to 1 at the high one."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def titled(self, name: str) -> str:
        """The name with the unit, and whether the axis is logarithmic."""
        extra = ", ".join(part for part in (self.unit, "log scale" if self.log else "") if part)
        return f"{name} ({extra})" if extra else name


def measure_axis(quantity: Quantity, values: Sequence[float], room: int = 9) -> Axis:
    """The axis for measured values: from zero, or logarithmic when they differ by orders of magnitude."""
    if quantity is Quantity.SHARE:
        return Axis(0.0, 1.0, tuple((n / 5, f"{n / 5:.1f}") for n in range(6)))
    unit = unit_for(quantity, values)
    scaled = [value / unit.factor for value in values]
    axis = _log(scaled, room) if _spread(scaled) else _linear(0.0, max(scaled, default=1.0) or 1.0, min(room, 6))
    ticks = tuple((value * unit.factor, label) for value, label in axis.ticks)
    return Axis(axis.low * unit.factor, axis.high * unit.factor, ticks, unit.name, axis.log)


def bar_axis(quantity: Quantity, values: Sequence[float]) -> Axis:
    """The axis bars stand on: where it is logarithmic it begins at a power of ten below all of them, so that each has a length."""
    floor = [10 ** math.floor(math.log10(min(values) / 1.5))] if _spread(values) else []
    return measure_axis(quantity, [*values, *floor], room=5)


def share_axis(values: Sequence[float]) -> Axis:
    """The axis for points that are shares: to 1, and from 0 unless none is that low."""
    low = next((low for low in (0.9, 0.5) if min(values, default=0.0) > low), 0.0)
    return Axis(low, 1.0, tuple((low + n * (1 - low) / 5, f"{low + n * (1 - low) / 5:.{1 if low < 0.9 else 2}f}") for n in range(6)))


def load_axis(values: Sequence[float], *, each: bool, margin: float = 0.04) -> Axis:
    """The axis for loads, with some room at both ends; with ``each`` every one has a tick, where they are few."""
    loads = sorted(set(values))
    log = len(loads) > 2 and _spread(loads)
    low, high = (loads[0], loads[-1]) if len(loads) > 1 else (loads[0] - 1, loads[0] + 1)
    room = (high / low) ** margin if log else (high - low) * margin
    ends = (low / room, high * room) if log else (low - room, high + room)
    if each and len(loads) <= _TICKS:
        return Axis(*ends, tuple((value, load(value)) for value in loads), log=log)
    ticks = _log(loads, _TICKS + 2).ticks if log else _linear(low, high, _TICKS).ticks
    return Axis(*ends, tuple(tick for tick in ticks if ends[0] <= tick[0] <= ends[1]), log=log)


def _spread(values: Sequence[float]) -> bool:
    return bool(values) and min(values) > 0 and max(values) / min(values) >= _LOG_FROM


def _linear(low: float, high: float, room: int) -> Axis:
    """Ticks at 1, 2 or 5 times a power of ten, and the high end at a tick."""
    raw = (high - low) / (room - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.ceil(high / step - 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    ticks = tuple((n * step, f"{n * step:,.{decimals}f}") for n in range(first, last + 1))
    return Axis(low, last * step, ticks)


def _log(values: Sequence[float], room: int) -> Axis:
    """Ticks at powers of ten, at 1, 2 and 5 times them when they would be few; every second power when they would be many."""
    steps = [factor * 10.0**power for power in range(-30, 31) for factor in (1, 2, 5)]
    low = max((step for step in steps if step <= min(values) * (1 + 1e-9)), default=steps[0])
    high = min((step for step in steps if step >= max(values) * (1 - 1e-9)), default=steps[-1])
    inside = [step for step in steps if low <= step <= high]
    powers = [step for step in inside if f"{step:e}".startswith("1.0")]
    shown = inside if len(inside) <= room else powers
    shown = shown[:: math.ceil(len(shown) / (room + 2))]
    return Axis(low, high, tuple((step, digits(step, 1)) for step in shown), log=True)
