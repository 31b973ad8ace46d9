"""Feeds a session: the first snapshot whole, the next ones as changes where the engine takes changes."""

from __future__ import annotations

from prsp.backend.interface import ChangeSession, DeltaSession, Session
from prsp.backend.isolate import IsolatedSession
from prsp.backend.occurrences import Occurrences, delta_between
from prsp.backend.times import Times
from prsp.model.ability import Ability, Capabilities
from prsp.model.result import Changes, Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData


class Feed:
    """A session and the last snapshot it was given: a delta is relative to that, however many instants were skipped.

    With ``times`` the engine is given the graph of times beside what it is fed.
    """

    def __init__(self, session: Session, capabilities: Capabilities, static: StaticData, times: Times | None = None) -> None:
        self._session, self._times = session, times
        self._incremental = Ability.DELTA in capabilities and isinstance(session, DeltaSession)
        self._gives_changes = self._incremental and Ability.CHANGES in capabilities and isinstance(session, ChangeSession)
        self._occurrences = Occurrences(static)
        self._last: Snapshot | None = None

    @property
    def gives_changes(self) -> bool:
        """Whether the engine gives the change of its answer."""
        return self._gives_changes

    def give(self, snapshot: Snapshot, *, deadline: float | None = None) -> None:
        """Bring the engine to a snapshot; the time this takes is TLT."""
        session, last = self._session, self._last
        if self._times is not None:
            snapshot = self._times.added_to(snapshot)
        if last is not None and self._incremental and isinstance(session, DeltaSession):
            session.apply(delta_between(last, snapshot, self._occurrences), deadline=deadline)
        else:
            session.load(snapshot, deadline=deadline)
        self._last = snapshot

    def evaluate(self, *, deadline: float | None = None) -> Result:
        """The whole answer; the time this takes is QRT."""
        return self._session.evaluate(deadline=deadline)

    def changes(self, *, deadline: float | None = None) -> Changes:
        """How the answer changed; only where ``gives_changes``."""
        assert isinstance(self._session, ChangeSession)
        return self._session.changes(deadline=deadline)

    def memory(self) -> int | None:
        """Bytes the engine's process holds now; None where it shares one with others."""
        return self._session.memory() if isinstance(self._session, IsolatedSession) else None

    def close(self) -> None:
        """End the session."""
        self._session.close()
