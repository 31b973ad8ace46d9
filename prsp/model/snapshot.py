"""Snapshots: what a query is asked of at one instant, as slices of stored panes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


class Slice(Protocol):
    """Consecutive elements of one stored pane; equal slices hold the same elements of the same log."""

    @property
    def elements(self) -> int:
        """How many elements, every occurrence counted."""

    @property
    def triples(self) -> int:
        """How many triples, every occurrence counted."""

    def data(self) -> bytes:
        """The elements as N-Triples lines."""

    def times(self) -> list[int]:
        """The timestamp of each element."""

    def minus(self, others: Iterable[Slice], /) -> list[Slice]:
        """What is in this slice and in none of the others."""


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
