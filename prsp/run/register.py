"""Queries made ready for a run: everything that can be refused is refused here, before the first element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prsp.backend import Backend
from prsp.errors import InputError
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.operator import refuse_operator
from prsp.plan import dataset_of, refuse, refuse_together
from prsp.run.options import Registered, Where
from prsp.run.static import static_data
from prsp.trigger import policy_of


def register(
    queries: Sequence[ContinuousQuery],
    backend: Backend,
    profile: Profile,
    *,
    files: Mapping[str, str] | None = None,
    origins: Mapping[str, int] | None = None,
    where: Where = Where.DRIVER,
) -> tuple[Registered, ...]:
    """The queries on an engine, their static graphs read; ``files`` maps graphs, ``origins`` gives t0 of single streams."""
    graphs, own_t0 = dict(files or {}), dict(origins or {})
    _demand_apart(queries)
    _demand_used(queries, graphs, own_t0, profile)
    refuse_together(queries, profile, backend, spread=where is Where.EXECUTORS)
    return tuple(_registered(query, backend, profile, graphs, own_t0) for query in queries)


def _registered(
    query: ContinuousQuery, backend: Backend, profile: Profile, files: Mapping[str, str], origins: Mapping[str, int]
) -> Registered:
    refuse_operator(profile.operator, query.form)
    every = query.registration.every
    policy_of(profile.report_for(every), profile.every_for(every), profile.bound)
    named = {*query.static.default, *query.static.named}
    own = {graph: file for graph, file in files.items() if graph in named}
    dataset = dataset_of(query, own, backend)
    refuse(query, profile, backend, dataset)
    streams = {s.iri for s in query.streams}
    return Registered(query, backend, profile, static_data(query, dataset, own), {i: t for i, t in origins.items() if i in streams})


def _demand_apart(queries: Sequence[ContinuousQuery]) -> None:
    names = [query.registration.name for query in queries]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two queries are registered as {name}: give one of them another name")


def _demand_used(queries: Sequence[ContinuousQuery], files: Mapping[str, str], origins: Mapping[str, int], profile: Profile) -> None:
    graphs = {graph for query in queries for graph in (*query.static.default, *query.static.named)}
    streams = list(dict.fromkeys(s.iri for query in queries for s in query.streams))
    for graph in files:
        if graph not in graphs:
            there = f"they name {', '.join(sorted(graphs))}" if graphs else "they name none"
            raise InputError(f"--graph {graph}=…: no query has such a FROM or FROM NAMED; {there}")
    for option, iris in (("--t0", origins), ("--report", profile.bound)):
        for iri in iris:
            if iri not in streams:
                raise InputError(f"{option}: no query reads a stream {iri}; they read {', '.join(streams)}")
