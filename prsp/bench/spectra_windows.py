"""Windows that slide over a stream, as the slices and deltas an engine is given."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice

from prsp.model.delta import Change, Delta, Net
from prsp.model.snapshot import Contribution, Slice, Snapshot, may_have_blank_nodes

_STREAM = "http://example.org/stream"


@dataclass(frozen=True)
class PaneSlice:
    """Consecutive elements of the stream, by number; the text is at hand, as a pane's is once it is read."""

    start: int
    stop: int
    payload: bytes = field(repr=False, compare=False)

    @property
    def elements(self) -> int:
        """How many elements."""
        return self.stop - self.start

    @property
    def triples(self) -> int:
        """How many triples: each element is one."""
        return self.stop - self.start

    @property
    def blank_nodes(self) -> bool:
        """Whether a blank node may be in it."""
        return may_have_blank_nodes(self.payload)

    def data(self) -> bytes:
        """The elements as N-Triples lines."""
        return self.payload

    def times(self) -> list[int]:
        """One millisecond an element."""
        return list(range(self.start, self.stop))

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each element: its timestamp and its line."""
        return zip(range(self.start, self.stop), self.payload.splitlines(keepends=True), strict=True)

    def minus(self, others: Iterable[Slice], /) -> list[Slice]:
        """Slices of these windows are the same or share nothing."""
        return [] if self in others else [self]


Source = Callable[[int], list[bytes]]
"""Gives so many more lines of a stream."""


def over_and_over(lines: list[bytes]) -> Source:
    """A stream that begins again when it is at its end."""
    endless = cycle(lines)
    return lambda count: list(islice(endless, count))


class SlidingWindow:
    """A window of so many triples that moves on by so many, in elements or pieces of ``event`` triples."""

    def __init__(self, source: Source, size: int, slide: int, *, steps: int, event: int | None = None) -> None:
        self._source, self._size, self._event = source, size, event or slide
        self._end = 0
        self._slices: deque[PaneSlice] = deque()
        # What the planned steps will push out is cut as it will leave; the rest may be coarse.
        fine = min(size, slide * steps)
        for length, until in ((self._event, fine), (max(self._event, min(1_000, size)), size)):
            while self._end < until:
                self._slices.append(self._take(min(length, until - self._end)))
        self.snapshot = self._shot()

    def _take(self, count: int) -> PaneSlice:
        piece = PaneSlice(self._end, self._end + count, b"".join(self._source(count)))
        self._end += count
        return piece

    def _shot(self) -> Snapshot:
        part = Contribution(_STREAM, None, self._end - self._size, self._end, tuple(self._slices))
        return Snapshot(self._end, 0, (part,))

    def data(self) -> bytes:
        """The whole window as N-Triples."""
        return b"".join(piece.payload for piece in self._slices)

    def advance(self, count: int) -> Delta:
        """Move on by so many triples."""
        left: list[PaneSlice] = []
        entered: list[PaneSlice] = []
        gone = came = 0
        while gone < count:
            left.append(self._slices.popleft())
            gone += left[-1].elements
        while came < gone:
            entered.append(self._take(min(self._event, gone - came)))
            came += entered[-1].elements
        self._slices.extend(entered)
        before, self.snapshot = self.snapshot, self._shot()
        change = Change(tuple(entered), tuple(left))
        return Delta(before, self.snapshot, {None: change}, lambda: _net(change))


def _net(change: Change) -> Mapping[str | None, Net]:
    """Triples of these streams do not occur twice in a window, so the raw change is the net one."""
    came, went = (frozenset(line for s in slices for line in s.data().splitlines()) for slices in (change.entered, change.left))
    return {None: Net(came - went, went - came)}
