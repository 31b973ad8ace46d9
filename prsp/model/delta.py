"""Deltas: what changed from one snapshot to a later one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prsp.model.snapshot import Slice, Snapshot


@dataclass(frozen=True, slots=True)
class Change:
    """One graph's change: the slices that entered and left, and the net change of the set of triples."""

    entered: tuple[Slice, ...]
    left: tuple[Slice, ...]
    added: frozenset[bytes]
    removed: frozenset[bytes]
    """N-Triples lines. Applied to the earlier set blindly they give the later one."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The change of every graph between two snapshots of the same query."""

    before: Snapshot
    after: Snapshot

    @property
    def changes(self) -> Mapping[str | None, Change]:
        """Per graph of either snapshot; a line is a triple in canonical form, so equal triples are equal lines."""
        earlier, later = self.before.graphs, self.after.graphs
        return {graph: _change(earlier.get(graph, ()), later.get(graph, ())) for graph in {**earlier, **later}}


def _change(earlier: tuple[Slice, ...], later: tuple[Slice, ...]) -> Change:
    entered = tuple(piece for s in later for piece in s.minus(earlier))
    left = tuple(piece for s in earlier for piece in s.minus(later))
    came, went = _lines(entered), _lines(left)
    # A triple is gone only when no occurrence is left, and new only when there was none: look where it could still be.
    kept = _lines(earlier) if came else frozenset()
    stays = _lines(later) if went else frozenset()
    return Change(entered, left, came - kept, went - stays)


def _lines(slices: tuple[Slice, ...]) -> frozenset[bytes]:
    return frozenset(line for s in slices for line in s.data().split(b"\n") if line)
