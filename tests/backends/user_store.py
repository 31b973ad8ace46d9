"""A server that holds what a user has, and what tests of the http backend do with it."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import requests

from prsp.backend import Backend, Feed, open_backend, open_feed
from prsp.model.equality import compare_solutions
from prsp.model.query import Rho
from prsp.model.result import JsonSolutions, Result, Row, Solutions
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import IRI
from prsp.parse import parse_rho
from prsp.testing.windows import snapshot_of
from prsp_backends.http import HttpBackend
from tests.servers import Endpoint

WAYS = {
    "graph": {"query", "store", "update"},
    "graph by store": {"query", "store"},
    "graph by update": {"query", "update"},
    "delta": {"query", "store", "update"},
    "delta by update": {"query", "update"},
}
"""The mode, and which URLs of the endpoint it is given."""

MINE = """INSERT DATA {
  <urn:mine:s> <urn:p> "unnamed", "colour"@en-GB, 1.50 ; <urn:q> _:shared . _:shared <urn:p> _:other . _:other <urn:q> _:shared .
  GRAPH <urn:mine:a> { <urn:mine:s> <urn:p> <urn:o> . _:shared <urn:p> "in a" . _:one <urn:q> _:two . _:two <urn:q> _:one }
  GRAPH <urn:mine:b> { _:shared <urn:q> [] . <urn:a> <urn:p> <urn:o> . <urn:a> <urn:kind> "mine" }
  GRAPH <urn:prsp> { <urn:prsp:run:1> <urn:prsp:graph> <urn:mine:a> }
}"""
"""A user's own: blank nodes within and across graphs, what would join with the windows below, and names that look like ours."""
EVERYTHING = "SELECT ?g ?s ?p ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
SAYS = parse_rho("SELECT ?s ?o { ?s <urn:p> ?o }")


def update(endpoint: Endpoint, text: str) -> None:
    requests.post(endpoint.update, data=text.encode(), headers={"Content-Type": "application/sparql-update"}, timeout=60).raise_for_status()


def rows(endpoint: Endpoint) -> list[Row]:
    """Every quad there is, as the server itself tells it."""
    accept = {"Accept": "application/sparql-results+json"}
    answer = requests.post(endpoint.query, data={"query": EVERYTHING}, headers=accept, timeout=60)
    answer.raise_for_status()
    found = JsonSolutions(answer.content)
    places = [found.variables.index(name) for name in ("g", "s", "p", "o")]
    return [tuple(row[place] for place in places) for row in found.rows()]


def graphs(endpoint: Endpoint, prefix: str) -> set[str]:
    """The names of graphs that are there and begin so."""
    return {row[0].value for row in rows(endpoint) if isinstance(row[0], IRI) and row[0].value.startswith(prefix)}


def of_others(quads: list[Row], named: Collection[str] = ()) -> list[Row]:
    """The quads that are in no graph of ours."""
    return [row for row in quads if not (isinstance(row[0], IRI) and (row[0].value.startswith("urn:prsp:") or row[0].value in named))]


def difference(before: list[Row], after: list[Row]) -> str:
    names = ("g", "s", "p", "o")
    found = compare_solutions((names, before), (names, after))
    return "" if found is None else str(found)


def options(endpoint: Endpoint, way: str, **more: str) -> dict[str, str]:
    return {name: getattr(endpoint, name) for name in WAYS[way]} | {"mode": way.partition(" ")[0]} | more


def http(endpoint: Endpoint, way: str = "graph", **more: str) -> HttpBackend:
    backend = open_backend("http", options(endpoint, way, **more))
    assert isinstance(backend, HttpBackend)
    return backend


@contextmanager
def fed(backend: Backend, rho: Rho, static: StaticData = NO_STATIC_DATA) -> Iterator[Feed]:
    feed = open_feed(backend, rho, static)
    try:
        yield feed
    finally:
        feed.close()


def answer(backend: Backend, rho: Rho, window: Mapping[str | None, bytes], static: StaticData = NO_STATIC_DATA) -> list[tuple[str, ...]]:
    """The answer of a session on one window."""
    with fed(backend, rho, static) as feed:
        feed.give(snapshot_of(window))
        return values(feed.evaluate())


def values(result: Result) -> list[tuple[str, ...]]:
    """The solutions as text, sorted."""
    assert isinstance(result, Solutions)
    return sorted(tuple("" if term is None else str(term) for term in row) for row in result.rows())


def words(endpoint: Endpoint, **more: str) -> list[str]:
    given = {"query": endpoint.query, "update": endpoint.update, "store": endpoint.store} | more
    return [word for name, value in given.items() for word in ("--option", f"{name}={value}")]
