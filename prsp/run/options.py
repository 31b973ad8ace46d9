"""What a run can be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prsp.backend import Backend
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.sink import Format, Line
from prsp.source import StreamSource
from prsp.source.read import SPLIT_BYTES


@dataclass(frozen=True, slots=True)
class RunOptions:
    """One query over its streams on one engine."""

    query: ContinuousQuery
    sources: Mapping[str, StreamSource]
    backend: Backend
    profile: Profile
    static: StaticData = NO_STATIC_DATA
    deadline: int | None = None
    """Milliseconds an evaluation may take, loading included; None: as long as it takes."""
    lateness: int | None = None
    """Milliseconds of allowed lateness; None: bounded input is never late, live input at 0."""
    origins: Mapping[str, int] = field(default_factory=dict)
    """t0 of single streams."""
    flush: bool = True
    max_gap: int = 1_000_000
    windows: int | None = None
    """Stop after so many reported evaluations."""
    master: str | None = None
    checkpoint: str | None = None
    output: str = "-"
    """A file, a folder (``DIR/``), or ``-`` for standard output."""
    format: Format = Format.NDJSON
    on_result: Callable[[Line], object] | None = None
    """Called with each result line instead of writing it to ``output``."""
    overwrite: bool = False
    late: str | None = None
    rejected: str | None = None
    split_bytes: int = SPLIT_BYTES
    idle: int | None = None
    """Milliseconds of silence after which a live stream is no longer waited for; None: never."""
    retain: int | None = None
    """Milliseconds of panes a live run keeps beyond what its windows need; None: no more than that."""
    retain_all: bool = False
    on_progress: Callable[[int, int, float | None, str | None], None] = field(default=lambda *_progress: None)
    """Told how many elements were cut, how many windows were reported, how much of the way that is, and which stream is waited for."""
