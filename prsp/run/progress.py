"""How far a live run has come: one small file, replaced at once, from which a restart goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from prsp.transform.storage import Storage

_PROGRESS = "progress.json"
_ORIGINS = "origin.json"


@dataclass(slots=True)
class QueryProgress:
    """One query: its last evaluation dealt with, and the counts so far."""

    at: int | None = None
    seq: int = 0
    reported: int = 0
    skipped: int = 0
    failed: int = 0
    tallies: list[list[int]] = field(default_factory=list)
    answered: list[int] | None = None
    """Instant and number of the last evaluation that succeeded: its answer is what Istream and Dstream compare with."""


@dataclass(slots=True)
class Progress:
    """What is finished: the batch, each query's part, and the lengths of the outputs, which are cut back to them on a restart."""

    batch: int = -1
    queries: list[QueryProgress] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    late_length: int = 0
    outputs: list[str | None] = field(default_factory=list)
    """Where results and late elements go."""
    format: str = "ndjson"
    identity: str = ""
    """What was run: a checkpoint is not for another query."""

    def save(self, storage: Storage) -> None:
        """Commit."""
        storage.write(_PROGRESS, json.dumps(asdict(self)).encode())

    @staticmethod
    def load(storage: Storage) -> Progress | None:
        """Where the run before this one stopped."""
        content = storage.read(_PROGRESS)
        if content is None:
            return None
        document = json.loads(content)
        return Progress(**{**document, "queries": [QueryProgress(**query) for query in document["queries"]]})


def save_origins(storage: Storage, origins: Mapping[str, int]) -> None:
    """Fix t0 of each query before its first result: whatever happens, the windows stay where they are."""
    storage.write(_ORIGINS, json.dumps({"t0": dict(origins)}).encode())


def load_origins(storage: Storage) -> dict[str, int]:
    """The t0 of each query in an earlier run."""
    content = storage.read(_ORIGINS)
    return {} if content is None else dict(json.loads(content)["t0"])
