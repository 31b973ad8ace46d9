"""Slices of stored panes: a window's content without copying it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from prsp.model.pane import Part
from prsp.model.snapshot import Slice
from prsp.model.window import MAX_MILLISECONDS
from prsp.source.batch import Integers
from prsp.transform.log import PaneLog

_BLANK_SUBJECT = re.compile(rb"^_:", re.MULTILINE)
_BLANK_OBJECT = re.compile(rb"^(\S+ <[^>]*> )_:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StoredSlice:
    """Elements ``start`` to ``stop`` of a part."""

    log: PaneLog = field(compare=False, repr=False)
    part: Part
    start: int
    stop: int
    scope: str = ""
    """What its blank node labels are prefixed with, to keep streams apart."""

    @property
    def elements(self) -> int:
        """How many elements, every occurrence counted."""
        return self.stop - self.start

    @property
    def triples(self) -> int:
        """How many triples, every occurrence counted."""
        if self.part.triples == self.part.elements:
            return self.elements
        return self.part.triples if self.elements == self.part.elements else bytes(self._view()).count(b"\n")

    @property
    def blank_nodes(self) -> bool:
        """Whether a blank node may be in it."""
        return self.log.blank_nodes(self.part)

    def data(self) -> bytes:
        """The elements as N-Triples lines."""
        lines = bytes(self._view())
        return scoped(lines, self.scope) if self.blank_nodes else lines

    def times(self) -> list[int]:
        """The timestamp of each element."""
        times: list[int] = self.log.integers(self.part, "times")[self.start : self.stop].tolist()
        return times

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each element: its timestamp and its N-Triples lines."""
        ends = self.log.integers(self.part, "ends")[self.start : self.stop].tolist()
        begin = 0 if self.start == 0 else int(self.log.integers(self.part, "ends")[self.start - 1])
        view = self.log.data(self.part)
        for time, first, last in zip(self.times(), [begin, *ends], ends, strict=False):
            yield time, scoped(bytes(view[first:last]), self.scope)

    def minus(self, others: Iterable[Slice]) -> list[Slice]:
        """What is in this slice and in none of the others."""
        pieces = [(self.start, self.stop)]
        for other in others:
            if isinstance(other, StoredSlice) and other.part == self.part and other.log is self.log:
                pieces = [piece for a, b in pieces for piece in ((a, min(b, other.start)), (max(a, other.stop), b)) if piece[0] < piece[1]]
        return [replace(self, start=a, stop=b) for a, b in pieces]

    def _view(self) -> memoryview:
        view = self.log.data(self.part)
        if self.elements == self.part.elements:
            return view
        ends = self.log.integers(self.part, "ends")
        return view[0 if self.start == 0 else int(ends[self.start - 1]) : int(ends[self.stop - 1]) if self.stop else 0]


def scoped(lines: bytes, scope: str) -> bytes:
    """Canonical N-Triples with a prefix before every blank node label."""
    if not scope or b"_:" not in lines:
        return lines
    prefix = b"_:" + scope.encode()
    return _BLANK_OBJECT.sub(rb"\1" + prefix, _BLANK_SUBJECT.sub(prefix, lines))


def between(log: PaneLog, first: int, last: int, *, reach: int | None, scope: str = "") -> tuple[Slice, ...]:
    """The elements with times in [first, last]; with ``reach``, only those before whose arrival no later time had been seen."""
    found: list[Slice] = []
    first, last = max(first, -MAX_MILLISECONDS - 1), min(last, MAX_MILLISECONDS)
    for part in log.parts_between(first, last):
        start, stop = 0, part.elements
        if part.first < first or part.last > last:
            times = log.integers(part, "times")
            start, stop = int(np.searchsorted(times, first, "left")), int(np.searchsorted(times, last, "right"))
        found += _in_time(log, part, start, stop, reach, scope)
    return tuple(found)


def _in_time(log: PaneLog, part: Part, start: int, stop: int, reach: int | None, scope: str) -> list[Slice]:
    if start >= stop or (reach is not None and part.carry > reach):
        return []
    holes: Integers = np.empty(0, np.int64)
    if reach is not None:
        overtaken = log.integers(part, "overtaken")
        if len(overtaken):
            holes = overtaken[log.integers(part, "seen") > reach]
    return runs(log, part, start, stop, holes, scope)


def runs(log: PaneLog, part: Part, start: int, stop: int, holes: Integers, scope: str) -> list[Slice]:
    """The slices of [start, stop) around some left-out elements."""
    edges = [start - 1, *(h for h in holes.tolist() if start <= h < stop), stop]
    return [StoredSlice(log, part, a + 1, b, scope) for a, b in pairwise(edges) if a + 1 < b]
