"""The conformance kit on every engine: one class each, in each of its modes."""

import pytest

from prsp.backend import Backend, open_backend
from prsp.testing import BackendConformance


class TestOxigraph(BackendConformance):
    @pytest.fixture(params=["snapshot", "delta"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return open_backend("oxigraph", {"mode": request.param})


@pytest.mark.filterwarnings("ignore:Parsing weird boolean:UserWarning")  # raised as an error it would keep rdflib from its own fault
class TestRdflib(BackendConformance):
    @pytest.fixture(params=["snapshot", "delta"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return open_backend("rdflib", {"mode": request.param})
