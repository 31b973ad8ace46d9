"""Windows made by hand: snapshots of elements held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from prsp.model.snapshot import Contribution, HeldSlice, Snapshot

Stream = tuple[str, str | None]
"""A stream's name and the graph its window is; None is the default graph."""


def snapshot_of(graphs: Mapping[str | None, bytes], *, number: int = 0) -> Snapshot:
    """A window per graph, each line one element; windows of different numbers share no element."""
    contributions = []
    for place, (graph, data) in enumerate(graphs.items()):
        lines = data.splitlines(keepends=True)
        elements = HeldSlice(tuple(enumerate(lines)), identity=number * len(graphs) + place)
        contributions.append(Contribution(f"stream{place}", graph, 0, len(lines), (elements,)))
    return Snapshot(at=number, seq=0, contributions=tuple(contributions))


def snapshot_of_panes(streams: Sequence[tuple[Stream, Iterable[HeldSlice]]], *, at: int) -> Snapshot:
    """A window per stream, of these panes; two windows that share a pane share its elements."""
    return Snapshot(at, 0, tuple(Contribution(name, graph, at, at + 1, tuple(panes)) for (name, graph), panes in streams))


def pane(identity: int, lines: Iterable[bytes]) -> HeldSlice:
    """A pane of one-line elements."""
    return HeldSlice(tuple(enumerate(lines)), identity=identity)
