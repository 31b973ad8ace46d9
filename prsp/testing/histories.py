"""Histories of windows: panes of several streams that a window slides over, at random but the same for one seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from prsp.backend import Backend, Feed, open_feed
from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp.parse import parse_rho
from prsp.testing.windows import Stream, pane, snapshot_of_panes

ONE: Stream = ("one", None)
TWO: Stream = ("two", None)
_GRAPH = "http://example.org/g1"
_QUERIES = (
    "SELECT ?s ?v { ?s ex:says ?v }",
    "SELECT ?s ?o { ?s ex:knows ?m . ?m ex:knows ?o }",
    "SELECT ?p ?o { ex:n1 ?p ?o }",
    "SELECT ?s ?v { ?s ex:says ?v FILTER(?v > 2) }",
    "SELECT ?s ?o { ?s ex:says ?v OPTIONAL { ?s ex:knows ?o } }",
    "SELECT DISTINCT ?s { { ?s ex:says ?v } UNION { ?x ex:knows ?s } }",
    "SELECT ?s { ?s ex:says ?v MINUS { ?s ex:knows ?o } }",
    "SELECT ?s { ?s ex:says ?v FILTER NOT EXISTS { ?o ex:knows ?s } }",
    "SELECT ?s (COUNT(?v) AS ?n) (SUM(?v) AS ?total) (MAX(?v) AS ?most) { ?s ex:says ?v } GROUP BY ?s",
    "SELECT (COUNT(*) AS ?n) { ?s ex:knows ?o }",
    "SELECT ?s ?v ?o { ?s ex:says ?v . GRAPH ex:g1 { ?s ex:knows ?o } }",
    "SELECT ?o { ex:n0 ex:knows+ ?o }",
    "ASK { ?a ex:knows ?b . ?b ex:knows ?a }",
    "CONSTRUCT { ?o ex:known ?s } { ?s ex:knows ?o }",
)


@dataclass(frozen=True, slots=True)
class History:
    """Snapshots of one query, one after the other, and the static data beside them."""

    snapshots: tuple[Snapshot, ...]
    static: StaticData


def follow(backend: Backend, rho: Rho, history: History) -> Iterator[tuple[Snapshot, Feed]]:
    """Each snapshot of a history, and the feed when it was given it."""
    feed = open_feed(backend, rho, history.static)
    try:
        for snapshot in history.snapshots:
            feed.give(snapshot)
            yield snapshot, feed
    finally:
        feed.close()


def random_history(seed: int, *, blank: bool, static: bool, named: bool, length: int = 8) -> History:
    """Panes of two streams in the default graph, and one more that is a named graph, over which windows slide by random steps."""
    chance = random.Random(seed)
    streams: list[Stream] = [ONE, TWO, *([("three", _GRAPH)] if named else [])]
    logs = [[pane(n * 100 + i, _some(chance, n, blank)) for i in range(3 * length)] for n in range(len(streams))]
    snapshots, start = [], 0
    for _ in range(length):
        size = chance.choice((1, 2, 3))
        snapshots.append(snapshot_of_panes([(s, log[start : start + size]) for s, log in zip(streams, logs, strict=True)], at=start))
        start += chance.choice((0, 1, 1, 1, 2, 3))
    kept = {None: _some(chance, 9, False)} | ({_GRAPH: _some(chance, 9, False)} if named else {})
    return History(tuple(snapshots), StaticData({g: b"".join(sorted(set(lines))) for g, lines in kept.items()} if static else {}))


def _some(chance: random.Random, stream: int, blank: bool) -> list[bytes]:
    def node() -> bytes:
        return (
            b"_:s%d_b%d" % (stream, chance.randrange(3))
            if blank and chance.random() < 0.3
            else b"<http://example.org/n%d>" % chance.randrange(5)
        )

    def line() -> bytes:
        if chance.random() < 0.5:
            value = b'"%d"^^<http://www.w3.org/2001/XMLSchema#integer>' % chance.randrange(5)
            return b"%s <http://example.org/says> %s .\n" % (node(), value)
        return b"%s <http://example.org/knows> %s .\n" % (node(), node())

    return [line() for _ in range(chance.randrange(6))]


def histories(backend: Backend, *, blank: bool) -> Iterator[tuple[Rho, History]]:
    """A history for each query that the engine says it can answer."""
    able = backend.capabilities
    for seed, text in enumerate(_QUERIES):
        rho = parse_rho(f"PREFIX ex: <http://example.org/>\n{text}")
        if all(feature in able for feature in rho.features):
            named = Feature.NAMED_GRAPHS in rho.features and Ability.NAMED_WINDOWS in able
            yield rho, random_history(seed, blank=blank, static=Ability.STATIC_DATA in able, named=named)
