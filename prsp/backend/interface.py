"""What an engine has to do: be configured, take a snapshot, answer; and what it may do beyond that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Protocol, Self, runtime_checkable

from prsp.backend.options import Option, Requirement
from prsp.model.ability import Capabilities
from prsp.model.delta import Delta
from prsp.model.query import Rho
from prsp.model.result import Changes, Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData


class Session(Protocol):
    """One prepared ρ(Q) on one engine, static data loaded. After any exception it is closed and never used again.

    A deadline is an instant of ``time.monotonic()``; an engine that declares DEADLINE raises DeadlineExceeded when it has passed.
    """

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Replace the window; its time is TLT. Must not answer anything yet."""

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """Ask ρ(Q) of the window; its time is QRT, until the engine has given its whole answer, undecoded.

        The result is a value: it stays as it is when the session goes on.
        """

    def close(self) -> None:
        """Let go of everything; called once, also after a failure. Must not raise."""


@runtime_checkable
class DeltaSession(Session, Protocol):
    """A session that takes the change instead of the whole."""

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        """Go from the last snapshot this session was given to the delta's ``after``; its time is TLT."""


@runtime_checkable
class ChangeSession(DeltaSession, Protocol):
    """A session that also gives the change of the answer."""

    def changes(self, /, *, deadline: float | None = None) -> Changes:
        """The rows added and removed since the last ``evaluate`` or ``changes``; before either the answer was empty."""


class Backend(Protocol):
    """An engine's configuration: picklable, opens nothing."""

    name: ClassVar[str]
    about: ClassVar[str]
    """One line for the table of backends."""
    options: ClassVar[tuple[Option, ...]] = ()
    requires: ClassVar[tuple[Requirement, ...]] = ()

    @property
    def capabilities(self) -> Capabilities:
        """What it does not do, with reasons; on the class, what holds whatever the options."""

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from ``--option k=v``; InputError for an option it does not know."""

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session for one query with its static data loaded; EngineError when the engine does not take it."""


@runtime_checkable
class Explains(Protocol):
    """A backend that can say how it would go about a query."""

    def explain(self, rho: Rho, /) -> str:
        """Its plan in words, for ``prsp explain --backend``; UnsupportedQuery when it finds that it has none."""


@runtime_checkable
class DrivesPrograms(Protocol):
    """A backend that can drive programs it comes with descriptions of."""

    @classmethod
    def drives(cls) -> tuple[Requirement, ...]:
        """The programs, each with what installs it; for ``prsp doctor``."""


@runtime_checkable
class HoldsGraphs(Protocol):
    """A backend whose engine has graphs already that a query may name in FROM: where it declares HELD_GRAPHS."""

    @property
    def held_graphs(self) -> tuple[str, ...]:
        """Their names, as the user gave them in its options."""


@runtime_checkable
class TellsMemory(Protocol):
    """A backend whose engine runs elsewhere on this machine, in a process that can be looked at."""

    def memory(self) -> int | None:
        """Bytes that process holds now; None where it cannot be told."""


@runtime_checkable
class LeavesTraces(Protocol):
    """A backend whose crashed runs leave something behind in the engine."""

    def leftovers(self) -> list[str]:
        """What crashed runs left, one line each."""

    def remove_leftovers(self, runs: Iterable[str] = (), /) -> list[str]:
        """Remove it, and what the runs named left, of which nobody can tell whether they crashed; what was removed."""
