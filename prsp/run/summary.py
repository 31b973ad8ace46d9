"""What became of everything: the counts that have to add up, and where the time went."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class StreamCounts:
    """One stream in one query: read = in_windows + in_no_window + late + rejected."""

    query: str
    stream: str
    read: int
    in_windows: int
    in_no_window: int
    late: int
    rejected: int

    def __post_init__(self) -> None:
        if self.read != self.in_windows + self.in_no_window + self.late + self.rejected:
            raise AssertionError(f"the counts of {self.stream} do not add up, which is a fault in prsp: {self}")


@dataclass(slots=True)
class Summary:
    """The account of a run."""

    query: str
    streams: list[StreamCounts] = field(default_factory=list)
    reported: int = 0
    skipped: int = 0
    failed: int = 0
    origin: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent inside to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - started

    def to_json(self) -> dict[str, Any]:
        """For ``--summary``."""
        return {
            "streams": [
                {key: getattr(s, key) for key in ("query", "stream", "read", "in_windows", "in_no_window", "late", "rejected")}
                for s in self.streams
            ],
            "queries": [
                {"query": self.query, "reported": self.reported, "skipped": self.skipped, "failed": self.failed, "t0": self.origin}
            ],
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def __str__(self) -> str:
        streams = "; ".join(
            f"{s.stream}: {s.read} read = {s.in_windows} in windows + {s.in_no_window} in no window + {s.late} late + {s.rejected} rejected"
            for s in self.streams
        )
        seconds = ", ".join(f"{name} {value:.1f}" for name, value in self.seconds.items())
        counts = f"{self.reported} reported, {self.skipped} skipped, {self.failed} failed (t0 {self.origin})"
        return f"{self.query}: {counts}; {streams}; seconds: {seconds}"
