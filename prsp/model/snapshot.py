"""Snapshots: what a query is asked of at one instant, as slices of stored panes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Slice(Protocol):
    """Consecutive elements of one stored pane; equal slices hold the same elements of the same log."""

    @property
    def elements(self) -> int:
        """How many elements, every occurrence counted."""

    @property
    def triples(self) -> int:
        """How many triples, every occurrence counted."""

    @property
    def blank_nodes(self) -> bool:
        """Whether a blank node may be in it; where it says no, there is none."""

    def data(self) -> bytes:
        """The elements as N-Triples lines."""

    def times(self) -> list[int]:
        """The timestamp of each element."""

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each element: its timestamp and its N-Triples lines."""

    def minus(self, others: Iterable[Slice], /) -> list[Slice]:
        """What is in this slice and in none of the others."""


_BLANK_NODE = re.compile(rb"_:")


def may_have_blank_nodes(lines: ReadableBuffer) -> bool:
    """Whether anything in N-Triples lines looks like a blank node."""
    # As a pattern it is found in half the time that ``in`` takes.
    return _BLANK_NODE.search(lines) is not None


@dataclass(frozen=True, slots=True)
class HeldSlice:
    """Elements held in memory, such as those of a saved window: each is some N-Triples lines with one time."""

    content: tuple[tuple[int, bytes], ...]
    """Time and lines of each element; every line ends with a line feed."""
    identity: int = 0
    """Slices of different identity share no element, even where their text is equal."""
    start: int = 0
    """The number of the first element among those of this identity."""

    @property
    def elements(self) -> int:
        """How many elements, every occurrence counted."""
        return len(self.content)

    @property
    def triples(self) -> int:
        """How many triples, every occurrence counted."""
        return sum(lines.count(b"\n") for _, lines in self.content)

    @property
    def blank_nodes(self) -> bool:
        """Whether a blank node may be in it."""
        return any(may_have_blank_nodes(lines) for _, lines in self.content)

    def data(self) -> bytes:
        """The elements as N-Triples lines."""
        return b"".join(lines for _, lines in self.content)

    def times(self) -> list[int]:
        """The timestamp of each element."""
        return [time for time, _ in self.content]

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each element: its timestamp and its N-Triples lines."""
        return iter(self.content)

    def minus(self, others: Iterable[Slice], /) -> list[Slice]:
        """What is in this slice and in none of the others, in runs of consecutive elements."""
        same = [o for o in others if isinstance(o, HeldSlice) and o.identity == self.identity]
        taken = {n for o in same for n in range(o.start, o.start + len(o.content))}
        kept = [n for n in range(self.start, self.start + len(self.content)) if n not in taken]
        breaks = [i for i in range(1, len(kept)) if kept[i] != kept[i - 1] + 1]
        runs = [kept[a:b] for a, b in zip([0, *breaks], [*breaks, len(kept)], strict=True) if a < b]
        return [replace(self, content=tuple(self.content[n - self.start] for n in run), start=run[0]) for run in runs]


def held(source: Slice) -> HeldSlice:
    """A slice taken into memory, without its log."""
    return source if isinstance(source, HeldSlice) else HeldSlice(tuple(source.items()))


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one stream gives at an instant: its window's bounds, None where no window contains the instant."""

    stream: str
    graph: str | None
    open: int | None
    close: int | None
    slices: tuple[Slice, ...]

    @property
    def elements(self) -> int:
        """How many elements, every occurrence counted."""
        return sum(s.elements for s in self.slices)

    @property
    def triples(self) -> int:
        """How many triples, every occurrence counted."""
        return sum(s.triples for s in self.slices)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The dataset of one evaluation: at an instant, the contributions of the query's streams in the order of its text."""

    at: int
    seq: int
    contributions: tuple[Contribution, ...]

    @property
    def graphs(self) -> Mapping[str | None, tuple[Slice, ...]]:
        """The slices of each graph; None is the default graph."""
        merged: dict[str | None, tuple[Slice, ...]] = {}
        for contribution in self.contributions:
            merged[contribution.graph] = merged.get(contribution.graph, ()) + contribution.slices
        return merged

    def data(self, graph: str | None = None) -> bytes:
        """One graph as N-Triples lines, a triple as often as it occurs."""
        return b"".join(s.data() for s in self.graphs.get(graph, ()))

    def blank_nodes(self, graph: str | None = None) -> bool:
        """Whether a blank node may be in one graph; where it says no, there is none."""
        return any(s.blank_nodes for s in self.graphs.get(graph, ()))

    def in_memory(self) -> Snapshot:
        """The same snapshot without its logs, to be sent elsewhere."""
        return replace(self, contributions=tuple(replace(c, slices=tuple(held(s) for s in c.slices)) for c in self.contributions))
