"""Oxigraph, embedded through pyoxigraph: the default engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

import pyoxigraph as ox

from prsp.backend import Session
from prsp.errors import EngineError, InputError
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.snapshot import Snapshot


class OxigraphBackend:
    """Oxigraph in this process, in memory."""

    name: ClassVar[str] = "oxigraph"

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """It has no options."""
        if options:
            raise InputError(f"the oxigraph backend has no option '{next(iter(options))}'")
        return cls()

    def prepare(self, rho: str, /) -> Session:
        """A session for one query, refused here if Oxigraph cannot parse it."""
        session = OxigraphSession(rho)
        session.evaluate()
        return session


class OxigraphSession:
    """A store per window: dropping one is cheaper than emptying it."""

    def __init__(self, rho: str) -> None:
        self._rho = rho
        self._store = ox.Store()

    def load(self, snapshot: Snapshot, /) -> None:
        """Bulk-load each graph's bytes into a new store."""
        self._store = ox.Store()
        try:
            for graph in snapshot.graphs:
                _load(self._store, snapshot.data(graph), ox.DefaultGraph() if graph is None else ox.NamedNode(graph))
        except (SyntaxError, ValueError, OSError) as error:
            raise EngineError(f"oxigraph could not load the window: {error}") from error

    def evaluate(self) -> Result:
        """The whole answer as bytes."""
        try:
            answer = self._store.query(self._rho)
            if isinstance(answer, ox.QueryBoolean):
                return Boolean(bool(answer))
            if isinstance(answer, ox.QuerySolutions):
                return Solutions(answer.serialize(format=ox.QueryResultsFormat.JSON) or b"")
            return Triples(answer.serialize(format=ox.RdfFormat.N_TRIPLES) or b"")
        except (SyntaxError, ValueError, OSError, RuntimeError) as error:
            raise EngineError(f"oxigraph could not answer: {error}") from error

    def close(self) -> None:
        """Drop the store."""
        self._store = ox.Store()


def _load(store: ox.Store, lines: bytes, graph: ox.DefaultGraph | ox.NamedNode) -> None:
    if b"_:" not in lines:
        store.load(lines, ox.RdfFormat.N_TRIPLES, to_graph=graph)
        return
    # ``load`` gives blank nodes new labels; parsed one by one they keep the stream's.
    parsed = ox.parse(lines, ox.RdfFormat.N_TRIPLES)
    store.bulk_extend(ox.Quad(q.subject, q.predicate, q.object, graph) for q in parsed)
