"""Where the windows of a session live in the endpoint."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from prsp_backends.http.wire import Dataset


class Home(Protocol):
    """The graphs a session writes to, and the dataset its query is asked of."""

    tidy: tuple[bytes, ...]
    """Update operations that complete a load."""

    def open(self) -> None:
        """Make sure of the endpoint and put static data there."""

    def settle(self, named: Iterable[str], deadline: float | None = None) -> Dataset:
        """The dataset once the names of the window graphs are known; EngineError when one of them is somebody else's."""

    def target(self, graph: str | None) -> str | None:
        """The graph of the endpoint that stands for a graph of the query."""

    def content(self, graph: str | None, window: bytes) -> bytes:
        """What that graph has to hold for a window."""

    def close(self, deadline: float) -> None:
        """Remove everything that was put there."""
