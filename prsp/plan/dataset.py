"""Where a query's static graphs come from: a local file, or the engine itself. Nothing else is ever looked at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from prsp.backend import Backend, HoldsGraphs
from prsp.errors import InputError, UnsupportedQuery
from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.model.query import ContinuousQuery


@dataclass(frozen=True, slots=True)
class Dataset:
    """The static graphs of a query, each either in a file or held by the engine."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    held_default: tuple[str, ...] = ()
    held_named: tuple[str, ...] = ()


def dataset_of(query: ContinuousQuery, mapped: Collection[str], backend: Backend | None = None) -> Dataset:
    """The query's graphs, each where it is; UnsupportedQuery for SERVICE and for a graph nobody has said where to find."""
    if Feature.SERVICE in query.features:
        raise UnsupportedQuery(
            "this query uses SERVICE: a query may reach nothing outside, on any engine. Map a local copy with FROM and --graph"
        )
    held = backend.held_graphs if isinstance(backend, HoldsGraphs) else ()
    for clause, graphs in (("FROM", query.static.default), ("FROM NAMED", query.static.named)):
        for graph in graphs:
            if graph not in mapped and graph not in held:
                raise UnsupportedQuery(f"{clause} <{graph}>: nothing is fetched; {_advice(graph, backend)}")
    wanted = {*query.static.default, *query.static.named}
    for graph in mapped:
        if graph not in wanted:
            raise InputError(f"--graph {graph}=…: the query has no FROM or FROM NAMED <{graph}>")
    return Dataset(
        tuple(g for g in query.static.default if g in mapped),
        tuple(g for g in query.static.named if g in mapped),
        tuple(g for g in query.static.default if g not in mapped),
        tuple(g for g in query.static.named if g not in mapped),
    )


def _advice(graph: str, backend: Backend | None) -> str:
    file = f"map it to a local file with --graph {graph}=FILE"
    if backend is not None and Ability.HELD_GRAPHS in backend.capabilities:
        return f"{file}, or say that the engine holds it with --option graphs={graph}"
    return file
