"""What an engine has to do: be configured, take a snapshot, answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Protocol, Self

from prsp.model.result import Result
from prsp.model.snapshot import Snapshot


class Session(Protocol):
    """One prepared ρ(Q) on one engine. After any exception it is closed and never used again."""

    def load(self, snapshot: Snapshot, /) -> None:
        """Replace the window; its time is TLT."""

    def evaluate(self) -> Result:
        """Ask ρ(Q) of the window; its time is QRT, until the engine has given its whole answer."""

    def close(self) -> None:
        """Let go of everything; called once, also after a failure."""


class Backend(Protocol):
    """An engine's configuration: picklable, opens nothing."""

    name: ClassVar[str]

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from ``--option k=v``; InputError for an option it does not know."""

    def prepare(self, rho: str, /) -> Session:
        """A session for one query; EngineError when the engine does not take it."""
