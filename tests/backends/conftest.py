"""Fixtures of the http backend's tests: each server with a user's data in it."""

from collections.abc import Iterator

import pytest

from tests.backends.recorder import Recorder, recording
from tests.backends.user_store import MINE, difference, rows, update
from tests.servers import Endpoint


@pytest.fixture
def store(endpoint: Endpoint) -> Iterator[Endpoint]:
    """A server that holds what a user has, and nothing else."""
    update(endpoint, "DROP ALL")
    update(endpoint, MINE)
    yield endpoint
    update(endpoint, "DROP ALL")


@pytest.fixture
def untouched(store: Endpoint) -> Iterator[None]:
    """In the end the server holds exactly what it held."""
    before = rows(store)
    yield
    assert difference(before, rows(store)) == ""


@pytest.fixture
def recorder(store: Endpoint) -> Iterator[Recorder]:
    with recording(store) as there:
        yield there
