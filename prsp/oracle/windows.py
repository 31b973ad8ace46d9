"""Windows by definition: RSP-QL Definitions 12 and 13, read as Examples 7 and 10 have it, and count windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prsp.model.profile import Bounds
from prsp.model.window import CountWindow, TimeWindow
from prsp.oracle.stream import Element


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one stream gives to an evaluation; ``open`` and ``close`` are None where no window contains the instant."""

    stream: str
    open: int | None
    close: int | None
    elements: tuple[Element, ...]


def contains(bounds: Bounds, opens: int, closes: int, time: int) -> bool:
    """Whether a time belongs to a window."""
    after = opens < time if bounds is Bounds.LEFT_OPEN else opens <= time
    return after and (time < closes if bounds is Bounds.RIGHT_OPEN else time <= closes)


@dataclass(frozen=True, slots=True)
class TimeStream:
    """A stream under a time-based sliding window."""

    iri: str
    elements: Sequence[Element]
    window: TimeWindow
    origin: int
    bounds: Bounds

    def opens(self, largest: int) -> range:
        """The openings of the windows a flush reports."""
        return range(self.origin, largest + (self.bounds is not Bounds.LEFT_OPEN), self.window.step)

    def ends(self, largest: int) -> list[int]:
        """The instants at which its windows close, one for each window."""
        return [opens + self.window.range for opens in self.opens(largest)]

    def entries(self) -> set[int]:
        """The instants at which an element enters what the stream contributes."""
        return {e.time for e in self.elements if self._windows(e.time)}

    def exits(self) -> set[int]:
        """The instants at which an element leaves: just after the end of its last window."""
        late = self.bounds is not Bounds.RIGHT_OPEN
        return {max(found) + self.window.range + late for e in self.elements if (found := self._windows(e.time))}

    def at(self, instant: int, _seq: int, whole: bool) -> Contribution:
        """What it contributes: the window that closes now, if whole ones are asked for, else the earliest that contains the instant."""
        opens = instant - self.window.range
        if whole and opens >= self.origin and (opens - self.origin) % self.window.step == 0:
            return self._content(opens, opens + self.window.range)
        found = self._windows(instant)
        return self._content(min(found), instant) if found else Contribution(self.iri, None, None, ())

    def _windows(self, time: int) -> list[int]:
        """The openings of all windows that contain a time."""
        step, width = self.window.step, self.window.range
        first = self.origin + max(0, (time - width - self.origin) // step) * step
        return [opens for opens in range(first, time + 1, step) if contains(self.bounds, opens, opens + width, time)]

    def _content(self, opens: int, upto: int) -> Contribution:
        closes = opens + self.window.range
        inside = tuple(e for e in self.elements if contains(self.bounds, opens, closes, e.time) and e.time <= upto)
        return Contribution(self.iri, opens, closes, inside)


@dataclass(frozen=True, slots=True)
class CountStream:
    """A stream under an element-count window: window j ends with element j·step."""

    iri: str
    elements: Sequence[Element]
    window: CountWindow

    def ends(self, _largest: int) -> list[int]:
        """The instants at which its windows end, one for each window."""
        return [e.time for e in self._numbered()[self.window.step - 1 :: self.window.step]]

    def entries(self) -> set[int]:
        """The instants at which what it contributes changes."""
        return set(self.ends(0))

    def exits(self) -> set[int]:
        """The instants at which what it contributes changes: elements leave when the next window ends."""
        return set(self.ends(0)[1:])

    def at(self, instant: int, seq: int, whole: bool) -> Contribution:
        """Its last ended window; with whole windows, the one with this number among those that end now."""
        ends = self.ends(0)
        now = [j for j, end in enumerate(ends, 1) if end == instant]
        ended = [j for j, end in enumerate(ends, 1) if end <= instant]
        if not ended:
            return Contribution(self.iri, None, None, ())
        j = now[min(seq, len(now) - 1)] if whole and now else ended[-1]
        last = j * self.window.step
        held = tuple(self._numbered()[max(0, last - self.window.size) : last])
        return Contribution(self.iri, held[0].time, held[-1].time, held)

    def _numbered(self) -> list[Element]:
        return sorted(self.elements, key=lambda e: e.time)


Windowed = TimeStream | CountStream
