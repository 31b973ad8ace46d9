"""Oxigraph, embedded through pyoxigraph: the default engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Self

import pyoxigraph as ox

from prsp.backend import Backend, Option, Requirement, Session, chosen
from prsp.errors import EngineError
from prsp.model.ability import Ability, Capabilities
from prsp.model.delta import Delta
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.result import Boolean, JsonSolutions, Result, Row, Triples
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData

_GAPS: Mapping[Feature | Ability, str] = {
    Ability.DEADLINE: "it has no time limit of its own; prsp runs it in a process that can be ended",
    Ability.CHANGES: "it answers anew each time",
    Ability.HELD_GRAPHS: "its store is made for the run",
    Feature.CUSTOM_FUNCTIONS: "it knows no function of that name",
    Feature.SERVICE: "a query may reach nothing outside",
}
_FAULTS = {
    "datatypes/kept-derived": "a number of a derived type comes back as an xsd:integer",
    "paths/zero-or-more-absent-start": "a path of length zero does not match a term that is in the query but not in the data",
}
_SNAPSHOTS = Capabilities({**_GAPS, Ability.DELTA: "asked for whole windows; --option mode=delta sends the change"}, _FAULTS)
_DELTAS = Capabilities(_GAPS, _FAULTS)


@dataclass(frozen=True)
class OxigraphBackend(Backend):
    """Oxigraph in this process, in memory."""

    name: ClassVar[str] = "oxigraph"
    about: ClassVar[str] = "Oxigraph embedded through pyoxigraph, in memory"
    options: ClassVar[tuple[Option, ...]] = (
        Option("mode", "load each window anew, or keep one store and apply the change", "snapshot", ("snapshot", "delta")),
    )
    requires: ClassVar[tuple[Requirement, ...]] = (Requirement("pyoxigraph", "pip install pyoxigraph"),)

    capabilities: Capabilities = _SNAPSHOTS

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from its one option."""
        mode = chosen(cls.name, cls.options, options)["mode"]
        return cls(_DELTAS) if mode == "delta" else cls()

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session for one query, refused here if Oxigraph cannot parse it."""
        with _told("take the query"):
            ox.Store().query(rho.text)
        session = OxigraphSession(rho.text, keep=bool(static.graphs) or Ability.DELTA in self.capabilities)
        session.hold(static)
        return session


class OxigraphSession:
    """A store per window, which is cheaper to drop than to empty; one store for all where static data or deltas want it."""

    def __init__(self, rho: str, *, keep: bool) -> None:
        self._rho, self._keep = rho, keep
        self._store = ox.Store()
        self._static: dict[str | None, frozenset[bytes]] = {}
        self._static_quads: list[ox.Quad] = []
        self._window: list[ox.Quad] = []
        self._changed = False

    def hold(self, static: StaticData) -> None:
        """Put static data into the store, once."""
        with _told("load the static data"):
            self._static_quads = [quad for graph, lines in static.graphs.items() for quad in _quads(lines, graph)]
            self._static = {graph: frozenset(lines.split(b"\n")) for graph, lines in static.graphs.items()}
            self._store.bulk_extend(self._static_quads)

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:  # noqa: ARG002  # run in a process that can be ended
        """Load each graph's bytes."""
        with _told("load the window"):
            if self._keep:
                self._replace(snapshot)
                return
            self._store = ox.Store()
            for graph in snapshot.graphs:
                _load(self._store, snapshot.data(graph), graph, blank_nodes=snapshot.blank_nodes(graph))

    def _replace(self, snapshot: Snapshot) -> None:
        if self._changed:
            # What deltas added is in no list of ours.
            self._store, self._changed = ox.Store(), False
            self._store.bulk_extend(self._static_quads)
        else:
            for quad in self._window:
                self._store.remove(quad)
        self._window = []
        for graph in snapshot.graphs:
            held = self._static.get(graph, frozenset())
            new = b"\n".join(line for line in set(snapshot.data(graph).split(b"\n")) if line not in held)
            self._window += _quads(new, graph)
        self._store.bulk_extend(self._window)

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:  # noqa: ARG002  # as load
        """Add and remove what changed."""
        with _told("apply the change"):
            self._changed = True
            for graph, net in delta.net().items():
                for quad in _quads(b"\n".join(net.removed), graph):
                    self._store.remove(quad)
                self._store.extend(_quads(b"\n".join(net.added), graph))

    def evaluate(self, /, *, deadline: float | None = None) -> Result:  # noqa: ARG002  # as load
        """The whole answer as bytes."""
        with _told("answer"):
            answer = self._store.query(self._rho)
            if isinstance(answer, ox.QueryBoolean):
                return Boolean(bool(answer))
            if isinstance(answer, ox.QuerySolutions):
                return OxigraphSolutions(answer.serialize(format=ox.QueryResultsFormat.JSON) or b"")
            return Triples(answer.serialize(format=ox.RdfFormat.N_TRIPLES) or b"")

    def close(self) -> None:
        """Drop the store."""
        self._store = ox.Store()
        self._window = []


class OxigraphSolutions(JsonSolutions):
    """Oxigraph's JSON, which may hold triple terms of RDF 1.2."""

    def rows(self) -> list[Row]:
        """The solutions as terms; EngineError where one is none of RDF 1.1."""
        try:
            return super().rows()
        except ValueError as error:
            raise EngineError(f"oxigraph's answer can be had as JSON, not as terms: {error}") from error


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        raise EngineError(f"oxigraph could not {what}: {error}") from error


def _load(store: ox.Store, lines: bytes, graph: str | None, *, blank_nodes: bool) -> None:
    if not blank_nodes:
        # The lines were checked when they were read: checking every IRI again would take a third of the time.
        store.load(lines, ox.RdfFormat.N_TRIPLES, to_graph=_graph(graph), lenient=True)
        return
    # Loading gives blank nodes new labels; parsed one by one they keep the stream's.
    store.bulk_extend(_quads(lines, graph))


def _quads(lines: bytes, graph: str | None) -> list[ox.Quad]:
    name = _graph(graph)
    return [ox.Quad(q.subject, q.predicate, q.object, name) for q in ox.parse(lines, ox.RdfFormat.N_TRIPLES)]


def _graph(graph: str | None) -> ox.DefaultGraph | ox.NamedNode:
    return ox.DefaultGraph() if graph is None else ox.NamedNode(graph)
