"""Asks an engine about one snapshot after another and frames the answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from prsp.backend import Backend, Session
from prsp.errors import EngineError
from prsp.model.profile import PROFILES, Profile
from prsp.model.query import ContinuousQuery
from prsp.model.snapshot import Snapshot
from prsp.run.summary import Summary


class Evaluator:
    """A query on an engine. A session that failed is not used again; the next evaluation gets a new one."""

    def __init__(self, query: ContinuousQuery, backend: Backend, summary: Summary) -> None:
        self._query, self._backend, self._summary = query, backend, summary
        self._session: Session | None = backend.prepare(query.sparql)
        self._frame = ""

    def resolve(self, profile: Profile, origin: int, lateness: int | None, origins: Mapping[str, int]) -> None:
        """The profile in force is known: it is part of every result and its id."""
        standard = PROFILES[profile.name]
        overrides: dict[str, object] = {"bounds": profile.bounds} if profile.bounds != standard.bounds else {}
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
            if self._session is None:
                self._session = self._backend.prepare(self._query.sparql)
            with self._summary.stage("load"):
                self._session.load(snapshot)
            with self._summary.stage("query"):
                line |= self._session.evaluate().frame()
            self._summary.reported += 1
        except EngineError as error:
            self.close()
            line["error"] = {"kind": type(error).__name__, "message": str(error)}
            self._summary.failed += 1
        return line

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.close()
            self._session = None
