"""Every W3C evaluation test through our interface, on the real engines."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest
import rdflib
import requests

from prsp.backend import Backend, open_backend
from prsp.model.result import JsonSolutions
from prsp.oracle.dataset import read_ntriples
from tests.backends import w3c_faults
from tests.data import needs_data
from tests.servers import Endpoint
from tests.w3c.answers import decoded, outcome, recorded
from tests.w3c.cases import EvaluationCase, cases
from tests.w3c.verdict import Got, verdict


def check(name: str, backend: Backend, known: dict[str, str], bare: Callable[[EvaluationCase], Got | None]) -> None:
    """The engine is right but for its known faults, and has those also when asked without us."""
    wrong = {case.name: told for case in cases() if (told := outcome(case, backend)) is not None}
    print(f"{name}: {len(cases()) - len(wrong)} of {len(cases())} right")
    new = [told for case, told in wrong.items() if case not in known]
    assert not new, "\n".join([f"{len(new)} wrong and not listed:", *new])
    assert set(known) == set(wrong), f"listed as wrong and right: {set(known) - set(wrong)}"
    ours = [case.name for case in cases() if case.name in wrong and (got := bare(case)) is not None and verdict(case, got) is None]
    assert not ours, f"wrong through our interface, right without it: {ours}"
    assert recorded(name) == (len(cases()), len(wrong)), f"docs/results/w3c.md does not say {len(cases())} tests, {len(wrong)} wrong"


def bare_oxigraph(case: EvaluationCase) -> Got | None:
    store = ox.Store()
    for graph, data in case.graphs.items():
        store.load(data, ox.RdfFormat.N_TRIPLES, to_graph=ox.DefaultGraph() if graph is None else ox.NamedNode(graph))
    try:
        answer = store.query(case.rho)
    except SyntaxError:
        return None
    if isinstance(answer, ox.QueryBoolean):
        return bool(answer)
    if isinstance(answer, ox.QuerySolutions):
        return decoded(JsonSolutions(answer.serialize(format=ox.QueryResultsFormat.JSON) or b""))
    return read_ntriples(answer.serialize(format=ox.RdfFormat.N_TRIPLES) or b"")


def bare_rdflib(case: EvaluationCase) -> Got | None:
    dataset = rdflib.Dataset()
    for graph, data in case.graphs.items():
        target = dataset.default_graph if graph is None else dataset.graph(rdflib.URIRef(graph))
        target.parse(data=data, format="nt")
    try:
        answer = dataset.query(case.rho)
        if answer.type == "ASK":
            return bool(answer.askAnswer)
        if answer.type == "SELECT":
            return decoded(JsonSolutions(answer.serialize(format="json") or b""))
        return read_ntriples(answer.serialize(format="nt", encoding="utf-8") or b"")
    except Exception:  # rdflib raises whatever its parts raise
        return None


def bare_http(endpoint: Endpoint) -> Callable[[EvaluationCase], Got | None]:
    """The server's own unnamed and named graphs, with plain requests."""

    def ask(case: EvaluationCase) -> Got | None:
        places = {graph: {"default": ""} if graph is None else {"graph": graph} for graph in case.graphs}
        for graph, data in case.graphs.items():
            requests.put(endpoint.store, params=places[graph], data=data, headers={"Content-Type": "application/n-triples"}, timeout=60)
        accept = "application/sparql-results+json, application/n-triples;q=0.9"
        headers = {"Content-Type": "application/sparql-query", "Accept": accept}
        answer = requests.post(endpoint.query, data=case.rho.encode(), headers=headers, timeout=60)
        for place in places.values():
            requests.delete(endpoint.store, params=place, timeout=60)
        if not answer.ok:
            return None
        if "json" not in answer.headers["Content-Type"]:
            return read_ntriples(answer.content)
        boolean: bool | None = answer.json().get("boolean")
        return decoded(JsonSolutions(answer.content)) if boolean is None else boolean

    return ask


@needs_data
def test_oxigraph() -> None:
    check("oxigraph", open_backend("oxigraph", {}), w3c_faults.OXIGRAPH, bare_oxigraph)


@needs_data
def test_rdflib() -> None:
    check("rdflib", open_backend("rdflib", {}), w3c_faults.RDFLIB, bare_rdflib)


def http(endpoint: Endpoint) -> Backend:
    return open_backend("http", {"query": endpoint.query, "update": endpoint.update, "store": endpoint.store})


@needs_data
def test_oxigraph_server(oxigraph_server: Endpoint) -> None:
    check("Oxigraph server", http(oxigraph_server), w3c_faults.OXIGRAPH_SERVER, bare_http(oxigraph_server))


@needs_data
def test_fuseki(fuseki: Endpoint) -> None:
    check("Fuseki", http(fuseki), w3c_faults.FUSEKI, bare_http(fuseki))


pytestmark = pytest.mark.filterwarnings("ignore")  # rdflib warns of what its tests are made of
