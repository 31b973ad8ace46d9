"""How often each triple occurs in each graph: what the net change of a set is read off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from prsp.model.delta import Change, Delta, Net
from prsp.model.snapshot import Slice, Snapshot
from prsp.model.static import StaticData


class Occurrences:
    """Counts over all streams and static triples of each graph, brought to the snapshot that is asked about."""

    def __init__(self, static: StaticData) -> None:
        self._static = {graph: frozenset(data.split(b"\n")) for graph, data in static.graphs.items()}
        self._counts: dict[str | None, Counter[bytes]] = {}
        self._at: Snapshot | None = None

    def net(self, before: Snapshot, after: Snapshot, changes: Mapping[str | None, Change]) -> Mapping[str | None, Net]:
        """The change of each graph as a set, from one snapshot to a later one."""
        if self._at is not before:
            self._counts = {graph: Counter(_lines(slices)) for graph, slices in before.graphs.items()}
        self._at = after
        return {graph: self._advance(graph, change) for graph, change in changes.items()}

    def _advance(self, graph: str | None, change: Change) -> Net:
        counts, static = self._counts.setdefault(graph, Counter()), self._static.get(graph, frozenset())
        came, went = Counter(_lines(change.entered)), Counter(_lines(change.left))
        added = frozenset(line for line in came if line not in counts and line not in static)
        for line, number in came.items():
            counts[line] += number
        removed = set()
        for line, number in went.items():
            counts[line] -= number
            if not counts[line]:
                del counts[line]
                if line not in static:
                    removed.add(line)
        # What came and went within one delta was never in either set.
        return Net(added - removed, frozenset(removed - added))


def delta_between(before: Snapshot, after: Snapshot, occurrences: Occurrences) -> Delta:
    """What changed, per stream of the query, so that an element in two windows of one graph counts twice."""
    entered: dict[str | None, list[Slice]] = {}
    left: dict[str | None, list[Slice]] = {}
    for earlier, later in zip(before.contributions, after.contributions, strict=True):
        entered.setdefault(later.graph, []).extend(_only_in(later.slices, earlier.slices))
        left.setdefault(later.graph, []).extend(_only_in(earlier.slices, later.slices))
    changes = {graph: Change(tuple(entered[graph]), tuple(left[graph])) for graph in entered}
    memo: list[Mapping[str | None, Net]] = []

    def net() -> Mapping[str | None, Net]:
        if not memo:
            memo.append(occurrences.net(before, after, changes))
        return memo[0]

    return Delta(before, after, changes, net)


def _only_in(slices: tuple[Slice, ...], others: tuple[Slice, ...]) -> list[Slice]:
    same = set(slices) & set(others)
    rest = [other for other in others if other not in same]
    return [piece for s in slices if s not in same for piece in s.minus(rest)]


def _lines(slices: Iterable[Slice]) -> list[bytes]:
    return [line for s in slices for line in s.data().split(b"\n") if line]
