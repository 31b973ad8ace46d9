"""Random cases by number: a query, static graphs, and the contents of successive windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import StaticData
from tests.random.node import smaller
from tests.random.queries import Query, query
from tests.random.streams import STEP, Windows, static_graphs, windows
from tests.random.vocabulary import GRAPHS, Flavour

STREAMS = (("http://e/stream0", None), ("http://e/stream1", GRAPHS[0]))
"""The streams every case has, and the graphs their windows are."""


@dataclass(frozen=True, slots=True)
class Case:
    """One query over some windows; ``seed``, ``flavour`` and ``stream`` make it again."""

    seed: int
    flavour: Flavour
    stream: int
    query: Query
    windows: Windows

    @property
    def static(self) -> StaticData:
        """The static graphs as a backend gets them."""
        return StaticData(self.windows.static)

    def snapshots(self) -> list[Snapshot]:
        """What each evaluation is asked of."""
        return [self._snapshot(number) for number in range(self.windows.evaluations)]

    def _snapshot(self, number: int) -> Snapshot:
        close = (number + 1) * STEP
        parts = [Contribution(stream, graph, 0, close, self._slices(number, graph)) for stream, graph in STREAMS]
        return Snapshot(close, 0, tuple(parts))

    def _slices(self, number: int, graph: str | None) -> tuple[HeldSlice, ...]:
        # An element is a slice of its own: any two evaluations then differ by whole slices, as with panes.
        indexed = ((i, o) for i, o in enumerate(self.windows.occurrences) if o.graph == graph and o.enters <= number < o.leaves)
        return tuple(HeldSlice(((o.time, o.lines),), identity=i) for i, o in indexed)

    @property
    def data(self) -> list[str]:
        """What is static, line by line, and what the streams give when."""
        lines = [f"static {graph}: {line}" for graph, data in self.windows.static.items() for line in data.decode().splitlines()]
        return lines + [f"[{o.enters}, {o.leaves}) {o.graph or ''} {o.lines.decode()}".rstrip() for o in self.windows.occurrences]

    def __str__(self) -> str:
        return "\n".join([f"case({self.seed}, Flavour.{self.flavour.name}, {self.stream})", self.query.text, *self.data])


def case(seed: int, flavour: Flavour, stream: int = 0) -> Case:
    """The case of that number, the same on every machine; the cases of different streams share query and static graphs."""
    random = Random(f"{flavour.value} {seed}")
    made, wishes = query(random, flavour)
    static = static_graphs(random, flavour, wishes)
    return Case(seed, flavour, stream, made, windows(Random(f"{flavour.value} {seed} {stream}"), flavour, wishes, static))


def cuts(whole: Case) -> Iterator[Case]:
    """Every case that is this one with a single piece left out, large pieces first."""
    found = whole.windows
    for evaluations in range(1, found.evaluations):
        yield replace(whole, windows=replace(found, evaluations=evaluations))
    size = len(found.occurrences)
    for length in (size // 2, size // 4, 1):
        for start in range(0, size, length or 1) if length else ():
            yield replace(whole, windows=replace(found, occurrences=found.occurrences[:start] + found.occurrences[start + length :]))
    for graph, data in found.static.items():
        lines = data.splitlines(keepends=True)
        for index in range(len(lines)):
            static = {**found.static, graph: b"".join(lines[:index] + lines[index + 1 :])}
            yield replace(whole, windows=replace(found, static={g: d for g, d in static.items() if d}))
    for tree in smaller(whole.query.tree):
        yield replace(whole, query=replace(whole.query, tree=tree))
