"""What became of everything: the counts that have to add up, and where the time went."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
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
class QueryCounts:
    """One query: every due window was reported, skipped by its policy, or failed."""

    query: str
    reported: int = 0
    skipped: int = 0
    failed: int = 0
    t0: int | None = None


@dataclass(slots=True)
class Summary:
    """The account of a run."""

    queries: list[QueryCounts] = field(default_factory=list)
    streams: list[StreamCounts] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    """Wall-clock time by stage: start (of Spark), read, cut, load, query, output."""
    first_rejected: str | None = None
    """The place of the first line that was rejected, and why."""

    @property
    def reported(self) -> int:
        """Evaluations reported, of all queries."""
        return sum(query.reported for query in self.queries)

    @property
    def failed(self) -> int:
        """Evaluations that failed, of all queries."""
        return sum(query.failed for query in self.queries)

    @property
    def rejected(self) -> int:
        """Elements rejected, of all streams."""
        return sum({stream.stream: stream.rejected for stream in self.streams}.values())

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time spent inside to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - started)

    def add(self, name: str, seconds: float) -> None:
        """Add time to a stage."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds

    def share(self, seconds: float, parts: Mapping[str, float]) -> None:
        """Add time to several stages that went on side by side, in proportion to the work of each."""
        whole = sum(parts.values())
        for name, part in parts.items():
            self.add(name, seconds * part / whole if whole else seconds / len(parts))

    def to_json(self) -> dict[str, Any]:
        """For ``--summary``."""
        return {
            "streams": [asdict(stream) for stream in self.streams],
            "queries": [asdict(query) for query in self.queries],
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def __str__(self) -> str:
        parts = [self._query(query) for query in self.queries]
        return "; ".join([*parts, f"seconds: {', '.join(f'{name} {value:.1f}' for name, value in self.seconds.items())}"])

    def _query(self, query: QueryCounts) -> str:
        streams = "; ".join(
            f"{s.stream}: {s.read} read = {s.in_windows} in windows + {s.in_no_window} in no window + {s.late} late + {s.rejected} rejected"
            for s in self.streams
            if s.query == query.query
        )
        return f"{query.query}: {query.reported} reported, {query.skipped} skipped, {query.failed} failed (t0 {query.t0}); {streams}"
