"""Asks an engine about one snapshot after another and frames the answers."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from prsp.backend import Feed, open_feed
from prsp.errors import EngineError
from prsp.model.profile import PROFILES, Profile
from prsp.model.snapshot import Snapshot
from prsp.operator import Emitter, refuse_operator
from prsp.run.options import RunOptions
from prsp.run.summary import Summary
from prsp.trigger import Due


class Evaluator:
    """A query on an engine. A session that failed is not used again; the next evaluation gets a new one.

    ``answered`` is the instant of the last evaluation that succeeded, whose answer Istream and Dstream compare with. Where nobody
    holds that answer any more (a restart, or an incremental engine's session that failed), it is evaluated again.
    """

    def __init__(self, options: RunOptions, summary: Summary) -> None:
        refuse_operator(options.profile.operator, options.query.form)
        self._options, self._query, self._summary = options, options.query, summary
        self._emitter = Emitter(options.profile.operator)
        self.answered: Due | None = None
        self._fresh = True
        self._feed: Feed | None = self._open()
        self._frame = ""

    def _open(self) -> Feed:
        options = self._options
        self._fresh = True
        return open_feed(options.backend, options.query.rho, options.static, deadlines=options.deadline is not None)

    def resolve(
        self,
        profile: Profile,
        origin: int,
        lateness: int | None,
        origins: Mapping[str, int],
        snapshot_at: Callable[[Due], Snapshot],
    ) -> None:
        """The profile in force is known: it is part of every result and its id. ``snapshot_at`` gives a past window again."""
        self._snapshot_at = snapshot_at
        standard = PROFILES[profile.name]
        overrides: dict[str, object] = {"bounds": profile.bounds} if profile.bounds != standard.bounds else {}
        overrides |= {"operator": profile.operator} if profile.operator != standard.operator else {}
        overrides |= {"t0": origin} | {f"t0@{iri}": own for iri, own in sorted(origins.items())}
        overrides |= {"lateness": lateness} if lateness is not None else {}
        self._profile = ";".join([profile.name, *(f"{key}={value}" for key, value in overrides.items())])
        self._operator = str(profile.operator)
        streams = [(s.iri, s.named, repr(s.window)) for s in self._query.streams]
        self._frame = json.dumps(
            [self._query.registration.name, self._query.registration.every, self._query.sparql, streams, self._profile]
        )

    def answer(self, snapshot: Snapshot) -> dict[str, Any]:
        """The result line of an evaluation, failed or not."""
        line: dict[str, Any] = {
            "id": hashlib.sha256(f"{self._frame}\n{snapshot.at}\n{snapshot.seq}".encode()).hexdigest()[:32],
            "query": self._query.registration.name,
            "at": snapshot.at,
            "seq": snapshot.seq,
            "windows": [
                {"stream": c.stream, "open": c.open, "close": c.close, "elements": c.elements, "triples": c.triples}
                for c in snapshot.contributions
            ],
            "profile": self._profile,
            "operator": self._operator,
        }
        try:
            if self._feed is None:
                self._feed = self._open()
            deadline = None if self._options.deadline is None else time.monotonic() + self._options.deadline / 1000
            self._catch_up(self._feed, deadline)
            with self._summary.stage("load"):
                self._feed.give(snapshot, deadline=deadline)
            with self._summary.stage("query"):
                result = self._emitter.emit(self._feed, deadline=deadline)
            self.answered, self._fresh = Due(snapshot.at, snapshot.seq), False
            with self._summary.stage("output"):
                line |= result.frame()
            self._summary.reported += 1
        except EngineError as error:
            self.close()
            line["error"] = {"kind": type(error).__name__, "message": str(error)}
            self._summary.failed += 1
        return line

    def _catch_up(self, feed: Feed, deadline: float | None) -> None:
        if self.answered is not None and self._emitter.must_catch_up(feed, new=self._fresh):
            with self._summary.stage("load"):
                feed.give(self._snapshot_at(self.answered), deadline=deadline)
            with self._summary.stage("query"):
                self._emitter.catch_up(feed, deadline=deadline)
            self._fresh = False

    def close(self) -> None:
        """End the session."""
        if self._feed is not None:
            self._feed.close()
            self._feed = None
