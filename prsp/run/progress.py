"""How far a live run has come: one small file, replaced at once, from which a restart goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from prsp.transform.storage import Storage

_PROGRESS = "progress.json"
_ORIGIN = "origin.json"


@dataclass(slots=True)
class Progress:
    """What is finished: the batch, the last evaluation, the length of the output, and the counts so far."""

    batch: int = -1
    at: int | None = None
    seq: int = 0
    output: int = 0
    late_output: int = 0
    reported: int = 0
    skipped: int = 0
    failed: int = 0
    tallies: list[list[int]] = field(default_factory=list)
    outputs: list[str | None] = field(default_factory=list)
    """Where results and late elements go: they are cut back to the lengths above on a restart."""
    format: str = "ndjson"
    answered: list[int] | None = None
    """Instant and number of the last evaluation that succeeded: its answer is what Istream and Dstream compare with."""
    identity: str = ""
    """What was run: a checkpoint is not for another query."""

    def save(self, storage: Storage) -> None:
        """Commit."""
        storage.write(_PROGRESS, json.dumps(asdict(self)).encode())

    @staticmethod
    def load(storage: Storage) -> Progress | None:
        """Where the run before this one stopped."""
        content = storage.read(_PROGRESS)
        return None if content is None else Progress(**json.loads(content))


def save_origin(storage: Storage, origin: int) -> None:
    """Fix t0 before the first result: whatever happens, the windows stay where they are."""
    storage.write(_ORIGIN, json.dumps({"t0": origin}).encode())


def load_origin(storage: Storage) -> int | None:
    """The t0 of an earlier run."""
    content = storage.read(_ORIGIN)
    return None if content is None else int(json.loads(content)["t0"])
