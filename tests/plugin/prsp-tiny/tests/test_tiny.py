"""The conformance kit on the tiny engine."""

import pytest
from prsp_tiny import TinyBackend

from prsp.testing import BackendConformance


class TestTiny(BackendConformance):
    @pytest.fixture
    def backend(self) -> TinyBackend:
        return TinyBackend()
