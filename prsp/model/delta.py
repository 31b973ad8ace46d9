"""Deltas: what changed from one snapshot to a later one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prsp.model.snapshot import Slice, Snapshot, held


@dataclass(frozen=True, slots=True)
class Change:
    """One graph's raw change: the slices that entered and left, every occurrence, with their times."""

    entered: tuple[Slice, ...]
    left: tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Net:
    """One graph's change as a set: N-Triples lines. Applied blindly to the earlier set they give the later one."""

    added: frozenset[bytes]
    removed: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Delta:
    """The change of every graph between two snapshots of the same query.

    The net change counts what is also in another pane, in another stream of the graph, or static; it is worked out only when an
    engine asks for it.
    """

    before: Snapshot
    after: Snapshot
    changes: Mapping[str | None, Change]
    net: Callable[[], Mapping[str | None, Net]] = field(repr=False, compare=False)

    def in_memory(self) -> Delta:
        """The same delta with its net change worked out and without logs, to be sent elsewhere; of ``after`` only the instant."""
        changes = {g: Change(tuple(map(held, c.entered)), tuple(map(held, c.left))) for g, c in self.changes.items()}
        return Delta(_instant(self.before), _instant(self.after), changes, _Worked(dict(self.net())))


def _instant(snapshot: Snapshot) -> Snapshot:
    return Snapshot(snapshot.at, snapshot.seq, ())


@dataclass(frozen=True, slots=True)
class _Worked:
    """A net change that is known already."""

    changes: Mapping[str | None, Net]

    def __call__(self) -> Mapping[str | None, Net]:
        return self.changes
