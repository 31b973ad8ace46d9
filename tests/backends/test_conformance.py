"""The conformance kit on every engine: one class each, in each of its modes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from prsp.backend import Backend, open_backend
from prsp.testing import BackendConformance
from prsp_backends.http import HttpBackend
from tests.servers import Endpoint
from tests.servers.oxigraph import oxigraph_serving


class TestOxigraph(BackendConformance):
    @pytest.fixture(params=["snapshot", "delta"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return open_backend("oxigraph", {"mode": request.param})


@pytest.mark.filterwarnings("ignore:Parsing weird boolean:UserWarning")  # raised as an error it would keep rdflib from its own fault
class TestRdflib(BackendConformance):
    @pytest.fixture(params=["snapshot", "delta"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return open_backend("rdflib", {"mode": request.param})


def http(endpoint: Endpoint, mode: str, faults: Mapping[str, str]) -> Backend:
    """The backend as it would declare itself if it knew which server it talks to."""
    backend = open_backend("http", {"query": endpoint.query, "update": endpoint.update, "store": endpoint.store, "mode": mode})
    assert isinstance(backend, HttpBackend)
    able = backend.capabilities
    return replace(backend, capabilities=replace(able, faults={**able.faults, **faults}))


OXIGRAPH_SERVER = open_backend("oxigraph", {}).capabilities.faults  # the same engine
FUSEKI = {
    "forms/construct-literal-subject": "a template triple whose subject is a literal is not left out",
    "text/lang-filter": "language tags come in the case BCP 47 recommends: en-gb becomes en-GB",
}


@pytest.fixture(scope="class")
def passing_oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """A server that ends with its class: a query over its deadline keeps one of its threads busy for ever."""
    with oxigraph_serving(tmp_path_factory.mktemp("oxigraph")) as there:
        yield there


class TestOxigraphServer(BackendConformance):
    @pytest.fixture(params=["graph", "delta"])
    def backend(self, request: pytest.FixtureRequest, passing_oxigraph_server: Endpoint) -> Backend:
        return http(passing_oxigraph_server, request.param, OXIGRAPH_SERVER)


class TestOxigraphServerReplace(BackendConformance):
    quick = True  # the mode differs in where the window is; the rest is as above

    @pytest.fixture
    def backend(self, passing_oxigraph_server: Endpoint) -> Backend:
        return http(passing_oxigraph_server, "replace", OXIGRAPH_SERVER)


class TestFuseki(BackendConformance):
    @pytest.fixture(params=["graph", "delta"])
    def backend(self, request: pytest.FixtureRequest, fuseki: Endpoint) -> Backend:
        return http(fuseki, request.param, FUSEKI)


class TestFusekiReplace(BackendConformance):
    quick = True  # as above; and after a large window in its unnamed graph, Fuseki in memory takes 50 ms for whatever it is asked of it

    @pytest.fixture
    def backend(self, fuseki: Endpoint) -> Backend:
        return http(fuseki, "replace", FUSEKI)
