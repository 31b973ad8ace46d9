"""Bare scripts around an engine's own calls: one window after another, the one before let go of when the next comes, as in a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Times = tuple[float, float]
"""TLT and QRT in seconds."""
Bare = Callable[[bytes, str], Times]
"""Loads a window's lines and asks a query."""


def bare_oxigraph() -> Bare:
    """A store per window, the answer as JSON. Its lines were checked before, as in a run, so they are not checked again."""
    import pyoxigraph as ox

    held: list[ox.Store] = [ox.Store()]

    def ask(lines: bytes, query: str) -> Times:
        began = time.perf_counter()
        held[0] = ox.Store()
        held[0].load(lines, ox.RdfFormat.N_TRIPLES, lenient=True)
        loaded = time.perf_counter()
        answer: Any = held[0].query(query)
        answer.serialize(format=ox.QueryResultsFormat.JSON)
        return loaded - began, time.perf_counter() - loaded

    return ask


def bare_rdflib() -> Bare:
    """A graph per window, the answer as a list of rows; the query is parsed once."""
    import rdflib
    from rdflib.plugins.sparql import prepareQuery

    held: list[rdflib.Graph] = [rdflib.Graph()]
    prepared: dict[str, Any] = {}

    def ask(lines: bytes, query: str) -> Times:
        parsed = prepared.get(query) or prepared.setdefault(query, prepareQuery(query))
        began = time.perf_counter()
        held[0] = rdflib.Graph()
        held[0].parse(data=lines, format="nt")
        loaded = time.perf_counter()
        list(held[0].query(parsed))
        return loaded - began, time.perf_counter() - loaded

    return ask
