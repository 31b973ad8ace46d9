"""Two independent answers to any query on a window: by the naive evaluator, and by pyoxigraph on a new store."""

from __future__ import annotations

import os
import pickle
import signal
from functools import lru_cache

import pyoxigraph as ox

from prsp.model.result import Boolean, Result, Triples, solutions
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp.oracle import Dataset, evaluate, read_ntriples
from prsp.oracle import Solutions as Rows
from prsp.oracle.dataset import Triple
from prsp.parse.query import parse_sparql
from tests.random.terms import answer

_parsed = lru_cache(maxsize=64)(parse_sparql)


@lru_cache(maxsize=4096)
def _triple(line: bytes) -> Triple:
    (triple,) = read_ntriples(line)
    return triple


def _graphs(snapshot: Snapshot, static: StaticData) -> dict[str | None, set[bytes]]:
    """The lines of each graph; a named window is there also while it is empty."""
    found: dict[str | None, set[bytes]] = {None: set()}
    for graph in snapshot.graphs:
        found.setdefault(graph, set()).update(snapshot.data(graph).splitlines())
    for graph, data in static.graphs.items():
        found.setdefault(graph, set()).update(data.splitlines())
    return found


class Naive:
    """A window as the naive evaluator sees it."""

    def __init__(self, snapshot: Snapshot, static: StaticData) -> None:
        graphs = {graph: frozenset(map(_triple, lines)) for graph, lines in _graphs(snapshot, static).items()}
        default = graphs.pop(None)
        self._dataset = Dataset(default, {graph: triples for graph, triples in graphs.items() if graph is not None})
        self._answers: dict[str, Result] = {}

    def ask(self, text: str) -> Result:
        """The answer by definition."""
        if text not in self._answers:
            self._answers[text] = self._evaluated(text)
        return self._answers[text]

    def _evaluated(self, text: str) -> Result:
        found = evaluate(_parsed(text), self._dataset)
        if isinstance(found, Rows):
            return solutions(found.variables, found.rows)
        if isinstance(found, bool):
            return Boolean(found)
        return Triples(b"".join(f"{s} {p} {o} .\n".encode() for s, p, o in found))


class Aborted(Exception):
    """pyoxigraph has ended the process it was asked in."""


class Oxigraph:
    """A window in a store of pyoxigraph."""

    def __init__(self, snapshot: Snapshot, static: StaticData) -> None:
        self._store = ox.Store()
        for graph, lines in _graphs(snapshot, static).items():
            where = ox.DefaultGraph() if graph is None else ox.NamedNode(graph)
            if isinstance(where, ox.NamedNode):
                self._store.add_graph(where)
            parsed = ox.parse(b"\n".join(lines) + b"\n", ox.RdfFormat.N_TRIPLES)
            self._store.extend(ox.Quad(q.subject, q.predicate, q.object, where) for q in parsed)

    def ask(self, text: str) -> Result:
        """What pyoxigraph answers; Aborted where it does not survive the question."""
        return self._asked_apart(text) if "ORDER BY" in text else answer(self._store.query(text))

    def _asked_apart(self, text: str) -> Result:
        """Asked in a process of its own: its comparison of unlike literals is no order, and its sort may abort when it finds that out."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with os.fdopen(writing, "wb") as pipe:
                    pickle.dump(answer(self._store.query(text)), pipe)
                os._exit(0)
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            data = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
            raise Aborted
        assert status == 0, f"pyoxigraph did not answer: {text}"
        result: Result = pickle.loads(data)
        return result
