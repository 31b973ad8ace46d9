"""What a run can be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from prsp.backend import Backend
from prsp.model.evaluation import Evaluation
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.sink import Format
from prsp.source import StreamSource
from prsp.source.read import SPLIT_BYTES


class Where(StrEnum):
    """Where ρ(Q) is asked."""

    DRIVER = "driver"
    EXECUTORS = "executors"


@dataclass(frozen=True, slots=True)
class Registered:
    """One query of a run: on which engine, under which profile, beside which static data."""

    query: ContinuousQuery
    backend: Backend
    profile: Profile
    static: StaticData = NO_STATIC_DATA
    origins: Mapping[str, int] = field(default_factory=dict)
    """t0 of single streams."""

    @property
    def name(self) -> str:
        """The name it is registered under."""
        return self.query.registration.name


@dataclass(frozen=True, slots=True)
class Status:
    """How far a run has come. Times are in milliseconds of event time."""

    elements: int = 0
    windows: int = 0
    fraction: float | None = None
    """Of the way; None where the end is not known."""
    watermark: int | None = None
    """The latest time that has arrived in every stream that is waited for."""
    lag: int | None = None
    """How far the last evaluation lies behind the latest time that has arrived."""
    waiting: str | None = None
    """The stream that holds the next evaluation back."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Queries over streams; every stream is read and cut once, however many queries read it."""

    queries: tuple[Registered, ...]
    sources: Mapping[str, StreamSource]
    """The streams that come from outside; those that queries of this run register are not among them."""
    deadline: int | None = None
    """Milliseconds an evaluation may take, loading included; None: as long as it takes."""
    lateness: int | None = None
    """Milliseconds of allowed lateness; None: bounded input is never late, live input at 0."""
    flush: bool = True
    max_gap: int = 1_000_000
    windows: int | None = None
    """Stop after so many reported evaluations."""
    where: Where = Where.DRIVER
    fail_fast: bool = False
    """Stop at the first evaluation that fails."""
    master: str | None = None
    checkpoint: str | None = None
    output: str = "-"
    """A file, a folder (``DIR/``), or ``-`` for standard output."""
    format: Format = Format.NDJSON
    on_result: Callable[[Evaluation], object] | None = None
    """Called with each evaluation instead of writing it to ``output``."""
    overwrite: bool = False
    late: str | None = None
    rejected: str | None = None
    split_bytes: int = SPLIT_BYTES
    idle: int | None = None
    """Milliseconds of silence after which a live stream is no longer waited for; None: never."""
    retain: int | None = None
    """Milliseconds of panes a live run keeps beyond what its windows need; None: no more than that."""
    retain_all: bool = False
    on_progress: Callable[[Status], object] = field(default=lambda _status: None)
    """Told now and then how far the run has come."""
