"""Asks an engine about one snapshot after another and frames the answers."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable

from prsp.backend import Feed, open_feed
from prsp.errors import EngineError
from prsp.model.evaluation import Evaluation, Failure, bounds_of
from prsp.model.labels import labelled
from prsp.model.profile import PROFILES
from prsp.model.result import Changes, Result
from prsp.model.snapshot import Snapshot
from prsp.operator import Emitter, refuse_operator
from prsp.run.options import Registered
from prsp.run.outcome import Outcome
from prsp.run.summary import Summary
from prsp.trigger import Due


class Evaluator:
    """A query on an engine. A session that failed is not used again; the next evaluation gets a new one.

    ``answered`` is the instant of the last evaluation that succeeded and went out, whose answer Istream and Dstream compare with.
    Where nobody holds that answer any more (a restart, or an incremental engine's session that failed), it is evaluated again.
    """

    def __init__(self, registered: Registered, summary: Summary, *, deadline: int | None) -> None:
        refuse_operator(registered.profile.operator, registered.query.form)
        self._registered, self._summary, self.deadline = registered, summary, deadline
        self._emitter = Emitter(registered.profile.operator)
        self.answered: Due | None = None
        self._fresh = True
        # Opened before anything else runs, so that an engine that is not there, or does not take the query, is told at once.
        self._feed: Feed | None = self._open()

    def _open(self) -> Feed:
        registered = self._registered
        self._fresh = True
        return open_feed(registered.backend, registered.query.rho, registered.static, deadlines=self.deadline is not None)

    def resolve(self, origin: int, lateness: int | None, snapshot_at: Callable[[Due], Snapshot]) -> None:
        """The profile in force is known: it is part of every result and its id. ``snapshot_at`` gives a past window again."""
        self._snapshot_at = snapshot_at
        query, profile = self._registered.query, self._registered.profile
        overrides = profile.overrides(PROFILES[profile.name])
        overrides |= {"t0": origin} | {f"t0@{iri}": own for iri, own in sorted(self._registered.origins.items())}
        overrides |= {"lateness": lateness} if lateness is not None else {}
        self._profile = ";".join([profile.name, *(f"{key}={value}" for key, value in overrides.items())])
        streams = [(s.iri, s.named, repr(s.window)) for s in query.streams]
        self._frame = json.dumps([query.registration.name, query.registration.every, query.sparql, streams, self._profile])

    def answer(self, snapshot: Snapshot) -> Evaluation:
        """Ask the engine; the evaluation, failed or not."""
        try:
            if self._feed is None:
                self._feed = self._open()
            deadline = None if self.deadline is None else time.monotonic() + self.deadline / 1000
            self._catch_up(self._feed, deadline)
            with self._summary.stage("load"):
                self._feed.give(snapshot, deadline=deadline)
            with self._summary.stage("query"):
                result = self._emitter.emit(self._feed, deadline=deadline)
        except EngineError as error:
            self.close()
            return self._evaluation(snapshot, Failure(type(error).__name__, str(error)))
        self._fresh = False
        return self._evaluation(snapshot, result)

    def _catch_up(self, feed: Feed, deadline: float | None) -> None:
        if self.answered is not None and self._emitter.must_catch_up(feed, new=self._fresh):
            with self._summary.stage("load"):
                feed.give(self._snapshot_at(self.answered), deadline=deadline)
            with self._summary.stage("query"):
                self._emitter.catch_up(feed, deadline=deadline)
            self._fresh = False

    # What is asked elsewhere

    def missing(self) -> Snapshot | None:
        """The window whose answer has to be asked for again before the operator can go on; None when nothing is missing."""
        given = _Given()
        return self._snapshot_at(self.answered) if self.answered and self._emitter.must_catch_up(given, new=True) else None

    def remember(self, outcome: Outcome) -> None:
        """Take an answer given elsewhere for the previous one; nothing comes out."""
        if isinstance(outcome.answer, Failure):
            raise EngineError(f"the previous answer could not be had again: {outcome.answer.message}")
        self._emitter.catch_up(_Given(outcome.answer))

    def accept(self, snapshot: Snapshot, outcome: Outcome) -> Evaluation:
        """The evaluation of an answer, or a failure, that was had elsewhere."""
        for stage, seconds in outcome.seconds.items():
            self._summary.add(stage, seconds)
        if isinstance(outcome.answer, Failure):
            return self._evaluation(snapshot, outcome.answer)
        return self._evaluation(snapshot, self._emitter.emit(_Given(outcome.answer)))

    def _evaluation(self, snapshot: Snapshot, answer: Result | Failure) -> Evaluation:
        failure = answer if isinstance(answer, Failure) else None
        return Evaluation(
            id=hashlib.sha256(f"{self._frame}\n{snapshot.at}\n{snapshot.seq}".encode()).hexdigest()[:32],
            query=self._registered.name,
            at=snapshot.at,
            seq=snapshot.seq,
            windows=bounds_of(snapshot),
            profile=self._profile,
            operator=str(self._registered.profile.operator),
            result=None if isinstance(answer, Failure) else labelled(answer),
            failure=failure,
        )

    def close(self) -> None:
        """End the session."""
        if self._feed is not None:
            self._feed.close()
            self._feed = None


class _Given:
    """An answer that is there already, as an operator sees an engine."""

    gives_changes = False

    def __init__(self, answer: Result | None = None) -> None:
        self._answer = answer

    def evaluate(self, *, deadline: float | None = None) -> Result:  # noqa: ARG002  # it is there
        assert self._answer is not None
        return self._answer

    def changes(self, *, deadline: float | None = None) -> Changes:  # noqa: ARG002  # as above
        raise AssertionError("a whole answer was given, not its change")
