"""Windows as a query states them: how much of a stream, and how often."""

from __future__ import annotations

from dataclasses import dataclass

MAX_MILLISECONDS = 2**63 - 1
"""The largest instant and the longest duration: time is a signed 64-bit count of milliseconds."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """``[RANGE w STEP s]``, in milliseconds: window k opens at t0 + k·s and closes w later (PRSP Definition 1)."""

    range: int
    step: int


@dataclass(frozen=True, slots=True)
class CountWindow:
    """``[RANGE TRIPLES n STEP m]``: the last n elements, each time m more have come."""

    size: int
    step: int


Window = TimeWindow | CountWindow
