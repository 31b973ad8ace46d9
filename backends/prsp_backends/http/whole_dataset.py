"""A dataset that is ours alone: ``mode=replace``."""

from __future__ import annotations

from collections.abc import Iterable

from prsp.errors import EngineError
from prsp.model.static import StaticData
from prsp_backends.http.wire import OWN, Dataset, Wire

_NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } LIMIT 20"


class WholeDataset:
    """The unnamed graph holds the window and static triples; named graphs have their own names."""

    tidy: tuple[bytes, ...] = ()

    def __init__(self, wire: Wire, static: StaticData) -> None:
        self._wire, self._static = wire, static
        self._there: frozenset[str] = frozenset()
        self._written: set[str | None] = set()

    def open(self) -> None:
        """See what is in the dataset; load named static graphs unless something there may turn out to be foreign."""
        self._there = frozenset(row["g"] for row in self._wire.select(_NAMES, "look at the dataset"))
        if self._there <= self._static.graphs.keys():
            self._hold()

    def settle(self, named: Iterable[str]) -> Dataset:
        """The endpoint's own dataset; nothing is written into one that holds a graph which is not ours."""
        ours = {*named, *self._static.graphs}
        foreign = sorted(self._there - ours)
        if foreign:
            raise EngineError(
                f"mode=replace wants a dataset of its own, and this one holds <{'>, <'.join(foreign)}>, which the query would see; "
                "use --option mode=graph, or empty the dataset first"
            )
        if not self._there <= self._static.graphs.keys():
            self._hold()
        self._written |= {None, *ours}
        return OWN

    def _hold(self) -> None:
        for graph, lines in self._static.graphs.items():
            if graph is not None:
                self._written.add(graph)
                self._wire.put(graph, lines, "load the static data")

    def target(self, graph: str | None) -> str | None:
        """Every graph under its own name."""
        return graph

    def content(self, graph: str | None, window: bytes) -> bytes:
        """The window and what is static in the same graph."""
        return self._static.graphs.get(graph, b"") + window

    def close(self, deadline: float) -> None:
        """Empty what was written."""
        try:
            for graph in self._written:
                self._wire.drop(graph, "empty the dataset", deadline)
        except EngineError:
            self._written.clear()
