"""A stream as one query sees it: its windows over a pane log, by time or by count, and what became of its elements."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from prsp.model.pane import AFTER_ALL, BEFORE_ALL, Part
from prsp.model.profile import Bounds
from prsp.model.snapshot import Contribution, Slice
from prsp.model.window import CountWindow
from prsp.source.batch import Integers, exact
from prsp.transform.log import PaneLog
from prsp.transform.slices import between, runs
from prsp.trigger import Due, Grid


@dataclass(slots=True)
class Tally:
    """What became of the accepted elements of a stream in one query."""

    in_windows: int = 0
    in_no_window: int = 0
    late: int = 0


def seen_before(log: PaneLog, part: Part) -> Integers:
    """For each element of a part the largest time that had arrived before it, or its own time if that is larger."""
    times = log.integers(part, "times")
    seen = np.maximum(times, max(part.carry, BEFORE_ALL + 1))
    overtaken = log.integers(part, "overtaken")
    if len(overtaken):
        seen[overtaken] = np.maximum(seen[overtaken], log.integers(part, "seen"))
    return seen


class TimeStream:
    """Time windows over a log. ``lateness`` None means nothing is ever late."""

    def __init__(self, stream: str, graph: str | None, log: PaneLog, grid: Grid, lateness: int | None, scope: str = "") -> None:
        self.stream, self.graph, self.log, self.grid, self.lateness, self.scope = stream, graph, log, grid, lateness, scope
        self.tally = Tally()
        self.last_close = AFTER_ALL
        """No window that closes later is reported: set when the input has ended."""

    def end(self, largest: int) -> None:
        """The input has ended with this largest time over the query's streams."""
        close = self.grid.last_close(largest)
        self.last_close = BEFORE_ALL if close is None else close

    def closes_after(self, instant: int, upto: int) -> Iterator[int]:
        """The closes in (instant, upto], in order."""
        close = self.grid.first_close_after(instant)
        while close <= min(upto, self.last_close):
            yield close
            close += self.grid.step

    def entries_after(self, instant: int, upto: int) -> Iterator[int]:
        """The times in (instant, upto], in order, of elements that are in a window and came before their own time had passed."""
        for times, seen in self._arrived(instant + 1, upto):
            _, member = self._last_windows(times)
            kept = member if seen is None else member & (seen <= times + (self.lateness or 0)).astype(np.bool_)
            yield from np.unique(times[kept]).tolist()

    def exits_after(self, instant: int, upto: int) -> Iterator[int]:
        """The instants in (instant, upto], in order, just after the end of an element's last window."""
        inside = self.grid.range - (self.grid.bounds is Bounds.RIGHT_OPEN)
        before = None
        # An element leaves a window's length after its time at the latest, and a step less than that at the earliest.
        for times, seen in self._arrived(instant - inside, upto - inside + self.grid.step):
            k, member = self._last_windows(times)
            ends = self.grid.origin + k * self.grid.step + inside
            kept = member & (instant < ends + 1).astype(np.bool_) & (ends + 1 <= upto).astype(np.bool_)
            if seen is not None:
                kept &= (seen <= ends + (self.lateness or 0)).astype(np.bool_)
            for exit_ in np.unique(ends[kept] + 1).tolist():
                if exit_ != before:
                    yield exit_
                before = exit_

    def _last_windows(self, times: Integers) -> tuple[Integers, NDArray[np.bool_]]:
        """The last window of each time, and whether it contains it; if that one does not, none does."""
        grid = self.grid
        k = (times - (grid.bounds is Bounds.LEFT_OPEN) - grid.origin) // grid.step
        inside = grid.range - (grid.bounds is Bounds.RIGHT_OPEN)
        return k, ((k >= 0) & (times <= grid.origin + k * grid.step + inside)).astype(np.bool_)

    def _arrived(self, first: int, last: int) -> Iterator[tuple[Integers, Integers | None]]:
        """The times in [first, last], pane by pane, and the largest that had arrived before each; None where nothing is late."""
        grid = self.grid
        for _, parts in groupby(self.log.parts_between(first, last), key=attrgetter("pane")):
            times: list[Integers] = []
            seen: list[Integers] = []
            for part in parts:
                own = self.log.integers(part, "times")
                chosen = slice(int(np.searchsorted(own, max(first, part.first))), int(np.searchsorted(own, min(last, part.last), "right")))
                times.append(own[chosen])
                if self.lateness is not None:
                    seen.append(seen_before(self.log, part)[chosen])
            together = exact(np.concatenate(times), grid.origin, grid.range, grid.step, self.lateness or 0)
            yield together, np.concatenate(seen) if seen else None

    def contribution(self, due: Due, *, window_close: bool) -> Contribution:
        """What this stream gives at an instant."""
        k = self.grid.closing_at(due.at) if window_close else None
        whole = k is not None
        if k is None:
            k = self.grid.earliest_containing(due.at)
        if k is None:
            return Contribution(self.stream, self.graph, None, None, ())
        first, last = self.grid.interval(k)
        reach = None
        if self.lateness is not None:
            # Inside a window it is the instant that has to have passed, so that it does not matter when it is looked at.
            reach = self.grid.reach(self.grid.close(k), self.lateness) if whole else due.at + self.lateness
        slices = between(self.log, first, last if whole else min(last, due.at), reach=reach, scope=self.scope)
        return Contribution(self.stream, self.graph, self.grid.open(k), self.grid.close(k), slices)

    def passed(self, *, partial: bool = False) -> int:
        """The latest instant that has passed for this stream; with ``partial`` also for what lies inside a window."""
        if self.log.largest == BEFORE_ALL:
            return BEFORE_ALL
        return self.log.largest - (self.lateness or 0) - 1 if partial else self.grid.passed(self.log.largest, self.lateness or 0)

    def needed_from(self, reported: int) -> int:
        """The earliest time that the last reported window, or one after it, can hold."""
        return self.grid.first_close_after(reported) - self.grid.range - self.grid.step

    def account(self, parts: list[Part], reported: int | None = None) -> Iterator[tuple[Part, Integers]]:
        """Count the elements of newly cut parts; gives the late ones by position.

        An element of a window that closed at ``reported`` or before, because this stream was not waited for, is late too.
        """
        first = self.grid.interval(0)[0]
        # Windows meet when no millisecond lies between the last of one and the first of the next.
        seamless = self.grid.step <= self.grid.interval(0)[1] - first + 1
        for part in parts:
            missed = reported is not None and part.first <= reported
            if seamless and part.first >= first and self._on_time(part) and not missed:
                self.tally.in_windows += part.elements
                continue
            member, late = self._classify(part, reported)
            self.tally.in_windows += int((member & ~late).sum())
            self.tally.in_no_window += int((~member).sum())
            if late.any():
                positions = np.flatnonzero(late)
                self.tally.late += len(positions)
                yield part, positions

    def _on_time(self, part: Part) -> bool:
        if self.lateness is None:
            return True
        return part.carry - self.lateness <= part.first and not len(self.log.integers(part, "overtaken"))

    def _classify(self, part: Part, reported: int | None) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which elements of a part are in some window, and which of those came too late for the first of theirs."""
        grid = self.grid
        times = exact(self.log.integers(part, "times"), grid.origin, grid.range, grid.step, self.lateness or 0)
        after_open, inside = grid.bounds is Bounds.LEFT_OPEN, grid.range - (grid.bounds is Bounds.RIGHT_OPEN)
        k = np.maximum(0, -((grid.origin + inside - times) // grid.step))
        opens = grid.origin + k * grid.step
        member = (opens + after_open <= times) & (times <= opens + inside)
        member = member.astype(np.bool_)
        late = np.zeros(len(times), np.bool_)
        if self.lateness is not None:
            late |= (seen_before(self.log, part) > opens + inside + self.lateness).astype(np.bool_)
        if reported is not None:
            late |= (opens + grid.range <= reported).astype(np.bool_)
        return member, member & late


class CountStream:
    """Count windows over a log: elements numbered 1, 2, … by (time, arrival).

    An element whose own time has passed when it arrives is late and gets no number.
    """

    def __init__(self, stream: str, graph: str | None, log: PaneLog, window: CountWindow, lateness: int | None, scope: str = "") -> None:
        self.stream, self.graph, self.log, self.window, self.lateness, self.scope = stream, graph, log, window, lateness, scope
        self._late = 0
        self._counts: dict[int, int] = {}
        """Numbered elements by pane."""
        self._parts: dict[int, list[Part]] = {}
        self._panes: list[int] = []
        self._totals: Integers = np.zeros(1, np.int64)
        self._orders: dict[int, tuple[Integers, Integers, Integers]] = {}

    def end(self, largest: int) -> None:
        """The input has ended; a count window that is not full is not reported, so nothing changes."""

    @property
    def tally(self) -> Tally:
        """What became of the elements so far."""
        numbered = int(self._totals[-1])
        in_windows = numbered // self.window.step * min(self.window.size, self.window.step)
        return Tally(in_windows, numbered - in_windows, self._late)

    def passed(self, *, partial: bool = False) -> int:  # noqa: ARG002  # a count window ends with an element
        """The latest instant that has passed for this stream."""
        return BEFORE_ALL if self.log.largest == BEFORE_ALL else self.log.largest - (self.lateness or 0) - 1

    def needed_from(self, reported: int) -> int:
        """The earliest time that the last reported window, or one after it, can hold."""
        first = self._numbered_upto(reported - 1) // self.window.step * self.window.step - self.window.size + 1
        needed = self._time_of(first) if first > 0 else BEFORE_ALL
        for pane in [pane for pane in self._orders if (pane + 1) * self.log.pane <= needed]:
            del self._orders[pane]
        return needed

    def refresh(self) -> None:
        """The log was merged: the elements and their numbers are the same, their places are not."""
        self._orders.clear()
        self._parts = {}
        for part in self.log.parts():
            self._parts.setdefault(part.pane, []).append(part)

    def account(self, parts: list[Part], reported: int | None = None) -> Iterator[tuple[Part, Integers]]:  # noqa: ARG002  # its own rule
        """Number the elements of newly cut parts; gives the late ones by position."""
        for part in parts:
            late = self._late_in(part)
            self._late += len(late)
            self._counts[part.pane] = self._counts.get(part.pane, 0) + part.elements - len(late)
            self._parts.setdefault(part.pane, []).append(part)
            self._orders.pop(part.pane, None)
            if len(late):
                yield part, late
        self._panes = sorted(self._counts)
        self._totals = np.cumsum([0, *(self._counts[pane] for pane in self._panes)])

    def closes_after(self, instant: int, upto: int) -> Iterator[int]:
        """The times of elements m, 2m, 3m … that lie in (instant, upto], in order."""
        step = self.window.step
        j = self._numbered_upto(instant) // step + 1
        while j * step <= int(self._totals[-1]):
            time = self._time_of(j * step)
            if time > upto:
                return
            yield time
            j += 1

    def entries_after(self, instant: int, upto: int) -> Iterator[int]:
        """The instants at which windows end: elements enter what is contributed together."""
        return (time for time, _ in groupby(self.closes_after(instant, upto)))

    def exits_after(self, instant: int, upto: int) -> Iterator[int]:  # noqa: ARG002  # as above
        """None of its own: elements leave when others enter."""
        return iter(())

    def contribution(self, due: Due, *, window_close: bool) -> Contribution:
        """With whole windows the one that ends at the instant, the seq-th of several; else the last one that has ended."""
        size, step = self.window.size, self.window.step
        before, upto = self._numbered_upto(due.at - 1) // step, self._numbered_upto(due.at) // step
        j = min(before + 1 + due.seq, upto) if window_close else upto
        if j == 0:
            return Contribution(self.stream, self.graph, None, None, ())
        first, last = max(1, j * step - size + 1), j * step
        return Contribution(self.stream, self.graph, self._time_of(first), self._time_of(last), self._slices(first, last))

    def _late_in(self, part: Part) -> Integers:
        if self.lateness is None or (part.carry - self.lateness <= part.first and not len(self.log.integers(part, "overtaken"))):
            return np.empty(0, np.int64)
        return np.flatnonzero(exact(seen_before(self.log, part), self.lateness) - self.lateness > self.log.integers(part, "times"))

    def _order(self, pane: int) -> tuple[Integers, Integers, Integers]:
        """A pane's numbered elements in order: time, number of the part, position in the part."""
        if pane not in self._orders:
            columns: list[tuple[Integers, Integers, Integers, Integers]] = []
            for number, part in enumerate(self._parts[pane]):
                kept = np.setdiff1d(np.arange(part.elements), self._late_in(part), assume_unique=True)
                times, arrivals = (self.log.integers(part, name)[kept] for name in ("times", "arrivals"))
                columns.append((times, arrivals, np.full(len(kept), number), kept))
            times, arrivals, numbers, positions = (np.concatenate(column) for column in zip(*columns, strict=True))
            order = np.lexsort((arrivals, times))
            self._orders[pane] = times[order], numbers[order], positions[order]
        return self._orders[pane]

    def _numbered_upto(self, instant: int) -> int:
        position = bisect_right(self._panes, instant // self.log.pane) - 1
        if position < 0:
            return 0
        pane = self._panes[position]
        inside = self._counts[pane]
        if pane == instant // self.log.pane and inside:
            inside = int(np.searchsorted(self._order(pane)[0], instant, "right"))
        return int(self._totals[position]) + inside

    def _locate(self, number: int) -> tuple[int, int]:
        """Where element ``number`` is: the pane's position in the list, and the place in its order."""
        position = int(np.searchsorted(self._totals, number, "left")) - 1
        return position, number - int(self._totals[position]) - 1

    def _time_of(self, number: int) -> int:
        position, place = self._locate(number)
        return int(self._order(self._panes[position])[0][place])

    def _slices(self, first: int, last: int) -> tuple[Slice, ...]:
        (low, start), (high, stop) = self._locate(first), self._locate(last)
        found: list[Slice] = []
        for position in range(low, high + 1):
            pane = self._panes[position]
            _, numbers, positions = self._order(pane)
            chosen = slice(start if position == low else 0, stop + 1 if position == high else None)
            for number, part in enumerate(self._parts[pane]):
                inside = np.sort(positions[chosen][numbers[chosen] == number])
                if len(inside):
                    holes = np.setdiff1d(np.arange(inside[0], inside[-1] + 1), inside, assume_unique=True)
                    found += runs(self.log, part, int(inside[0]), int(inside[-1]) + 1, holes, self.scope)
        return tuple(found)


QueryStream = TimeStream | CountStream
