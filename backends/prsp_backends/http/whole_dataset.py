"""A dataset that is ours alone: ``mode=replace``."""

from __future__ import annotations

from collections.abc import Iterable

from prsp.errors import EngineError
from prsp.model.static import StaticData
from prsp_backends.http.exclusive import Lock
from prsp_backends.http.settings import Settings
from prsp_backends.http.wire import OWN, Dataset, Wire

_NAMES = "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } LIMIT "
_SHOWN = 20


class WholeDataset:
    """The unnamed graph holds the window and static triples; named graphs have their own names."""

    tidy: tuple[bytes, ...] = ()

    def __init__(self, wire: Wire, static: StaticData, settings: Settings) -> None:
        self._wire, self._static = wire, static
        self._lock = Lock(settings.query)
        self._there: frozenset[str] = frozenset()
        self._written: set[str | None] = set()

    def open(self) -> None:
        """See what is in the dataset; load static data unless something there may turn out to be foreign."""
        self._lock.take()
        self._there = frozenset(row["g"] for row in self._wire.select(f"{_NAMES}{len(self._static.graphs) + 1000}", "look at the dataset"))
        if self._there <= self._static.graphs.keys():
            self._hold()

    def settle(self, named: Iterable[str], deadline: float | None = None) -> Dataset:  # noqa: ARG002  # it sends nothing that can wait
        """The endpoint's own dataset; nothing is written into one that holds a graph which is not ours."""
        ours = {*named, *self._static.graphs}
        foreign = sorted(self._there - ours)
        if foreign:
            raise EngineError(
                f"mode=replace wants a dataset of its own, and this one holds <{'>, <'.join(foreign[:_SHOWN])}>, which the query would "
                "see; use --option mode=graph, or empty the dataset first"
            )
        if not self._there <= self._static.graphs.keys():
            self._hold()
        self._written |= {None, *ours}
        return OWN

    def _hold(self) -> None:
        # The unnamed graph is replaced also where nothing is static in it: a query may have windows in named graphs only.
        for graph, lines in ({None: b""} | dict(self._static.graphs)).items():
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
        finally:
            self._lock.release()
