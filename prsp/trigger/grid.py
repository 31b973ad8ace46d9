"""The windows of one stream in one query: where window k opens, closes, and what it contains."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.model.profile import Bounds


@dataclass(frozen=True, slots=True)
class Grid:
    """Window k opens at ``origin + k·step`` and closes ``range`` later, k = 0, 1, 2 and so on."""

    range: int
    step: int
    origin: int
    bounds: Bounds

    def open(self, k: int) -> int:
        """O of window k."""
        return self.origin + k * self.step

    def close(self, k: int) -> int:
        """C of window k."""
        return self.open(k) + self.range

    def interval(self, k: int) -> tuple[int, int]:
        """The first and last millisecond that belong to window k."""
        opens, closes = self.open(k), self.close(k)
        return opens + (self.bounds is Bounds.LEFT_OPEN), closes - (self.bounds is Bounds.RIGHT_OPEN)

    def closing_at(self, instant: int) -> int | None:
        """The window that closes at an instant."""
        k, rest = divmod(instant - self.origin - self.range, self.step)
        return k if rest == 0 and k >= 0 else None

    def first_close_after(self, instant: int) -> int:
        """The earliest close later than an instant."""
        return self.close(max(0, (instant - self.origin - self.range) // self.step + 1))

    def earliest_containing(self, instant: int) -> int | None:
        """The earliest opened window that contains an instant under the bounds (RSP-QL, Examples 7 and 10)."""
        last_inside = self.range - (self.bounds is Bounds.RIGHT_OPEN)
        k = max(0, -((self.origin + last_inside - instant) // self.step))
        first, last = self.interval(k)
        return k if first <= instant <= last else None

    def last_close(self, largest: int) -> int | None:
        """The close of the last window a flush reports: the last that opens in time for the largest timestamp."""
        k = (largest - (self.bounds is Bounds.LEFT_OPEN) - self.origin) // self.step
        return self.close(k) if k >= 0 else None

    def passed(self, largest: int, lateness: int) -> int:
        """The latest instant a window could close at and have passed, once ``largest`` has arrived."""
        return largest - lateness - (self.bounds is not Bounds.RIGHT_OPEN)

    def reach(self, close: int, lateness: int) -> int:
        """The largest time that may have arrived before an element that still enters the window closing at ``close``."""
        return close + lateness - (self.bounds is Bounds.RIGHT_OPEN)
