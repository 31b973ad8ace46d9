"""The conformance kit on SPECTRA: in each of its modes, and falling back."""

import pytest

from prsp.backend import Backend, open_backend
from prsp.testing import BackendConformance

WAYS = {"inc": {"mode": "inc"}, "rev": {"mode": "rev"}, "auto": {}, "fallback": {"fallback": "oxigraph"}}


class TestSpectra(BackendConformance):
    @pytest.fixture(params=WAYS)
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return open_backend("spectra", WAYS[request.param])
