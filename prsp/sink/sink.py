"""What a sink is, and what writes a result as text."""

from __future__ import annotations

from typing import Protocol

from prsp.model.evaluation import Evaluation


class Encoder(Protocol):
    """Writes results in one format."""

    extension: str

    def head(self) -> bytes:
        """What stands once at the beginning of a file."""

    def body(self, evaluation: Evaluation) -> bytes:
        """One result."""


class Sink(Protocol):
    """Takes results in order. The same result written again, after a restart, leaves the same output."""

    length: int
    """How far it has come, in its own measure: a restarted run begins there again."""

    def write(self, evaluation: Evaluation) -> None:
        """Add one result; OutputFailed when that does not work, also when tried again."""

    def flush(self) -> None:
        """Make what was written visible to others, and safe."""

    def close(self, *, failed: bool = False) -> None:
        """End; a run that ``failed`` before its first result leaves nothing in the way of the next try."""
