"""The engines of the matrix, and what each is known to get wrong in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from prsp.backend import Backend, open_backend
from prsp.errors import UnsupportedQuery
from prsp.model import Operator
from prsp.plan import dataset_of, refuse, refuse_together
from tests.engines import require_command
from tests.run.matrix.covering import Setting
from tests.run.matrix.expected import GRAPHS, profile
from tests.run.matrix.queries import QUERIES
from tests.servers import arq_script

IN_PROCESS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "oxigraph": ("oxigraph", {}),
    "oxigraph-delta": ("oxigraph", {"mode": "delta"}),
    "rdflib": ("rdflib", {}),
    "rdflib-delta": ("rdflib", {"mode": "delta"}),
    "spectra": ("spectra", {}),
    "spectra-inc": ("spectra", {"mode": "inc", "fallback": "oxigraph"}),
    "spectra-rev": ("spectra", {"mode": "rev"}),
}
SERVERS = {"fuseki": "fuseki", "fuseki-delta": "fuseki", "oxigraph-server": "oxigraph_server", "oxigraph-server-delta": "oxigraph_server"}
PROGRAMS = ("roqet", "arq")

_NO_GROUP = "rdflib gives one empty group where there are no solutions"
FAULTS: Mapping[tuple[str, str], str] = {
    **{(engine, query): _NO_GROUP for engine in ("rdflib", "rdflib-delta") for query in ("group", "average")},
    **{(engine, "bind"): "rdflib's sum of an integer and a product is a decimal" for engine in ("rdflib", "rdflib-delta")},
}
"""(engine, query): why its answer is another one."""


def engine(name: str, request: pytest.FixtureRequest) -> Backend:
    """The engine of that name, its server started."""
    if name in IN_PROCESS:
        kind, options = IN_PROCESS[name]
        return open_backend(kind, options)
    if name in SERVERS:
        there = request.getfixturevalue(SERVERS[name])
        mode = "delta" if name.endswith("-delta") else "graph"
        return open_backend("http", {"query": there.query, "update": there.update, "store": there.store, "mode": mode})
    if name == "arq":
        return open_backend("command", {"engine": "arq", "program": str(arq_script())})
    require_command("roqet", "apt-get install -y rasqal-utils")
    return open_backend("command", {"engine": "roqet"})


@cache
def _configured(name: str) -> Backend:
    """The same without a server: enough to know what it can do."""
    if name in IN_PROCESS:
        kind, options = IN_PROCESS[name]
        return open_backend(kind, options)
    if name in SERVERS:
        mode = "delta" if name.endswith("-delta") else "graph"
        return open_backend("http", {"query": "http://127.0.0.1:9/q", "update": "http://127.0.0.1:9/u", "mode": mode})
    return open_backend("command", {"engine": name})


@cache
def takes(name: str, query: str) -> bool:
    """Whether the engine takes the query."""
    asked, backend = QUERIES[query].query, _configured(name)
    own = [graph for graph in GRAPHS if graph in (*asked.static.default, *asked.static.named)]
    try:
        refuse(asked, profile(Operator.RSTREAM), backend, dataset_of(asked, own, backend))
    except UnsupportedQuery:
        return False
    return True


@cache
def together(name: str, queries: frozenset[str], *, spread: bool) -> bool:
    """Whether the engine can hold the sessions of these queries at once."""
    try:
        refuse_together([QUERIES[query].query for query in queries], profile(Operator.RSTREAM), _configured(name), spread=spread)
    except UnsupportedQuery:
        return False
    return True


def allowed(setting: Setting, query: str) -> bool:
    """Whether the engine takes the query there, and the operator has a meaning for it that the engine's labels keep."""
    name, operator, where, _ = setting
    asked = QUERIES[query]
    if where == "executors" and not together(name, frozenset([query]), spread=True):
        return False
    if operator != Operator.RSTREAM:
        if asked.has_no_difference or asked.may_leave_out or asked.is_ordered:
            return False
        # An engine that labels blank nodes anew in every answer makes each row with one look new.
        if asked.shows_blank_nodes and (name in PROGRAMS or name in SERVERS or query == "construct-blank"):
            return False
    return takes(name, query)
