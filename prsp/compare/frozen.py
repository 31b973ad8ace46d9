"""The windows of a comparison: cut once, and from then on the same bytes for every engine."""

from __future__ import annotations

import hashlib
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.pane import AFTER_ALL, BEFORE_ALL
from prsp.model.snapshot import Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.run import Registered, RunOptions, Summary
from prsp.run.bounded import batched
from prsp.run.cutting import cut_into
from prsp.run.standing import stream_counts
from prsp.run.streams import check_gaps, check_origin, evaluations_of, open_logs, origin_of
from prsp.run.summary import StreamCounts
from prsp.transform.evaluations import Evaluations
from prsp.transform.log import PaneLog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """What can be said of a window without asking anybody. ``entered`` counts the triples that were not in the window before."""

    at: int
    seq: int
    elements: int
    triples: int
    entered: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Frozen:
    """A query's windows over streams that are cut: ``evaluations`` is None where the streams are empty."""

    evaluations: Evaluations | None
    windows: tuple[Snapshot, ...]
    counts: tuple[StreamCounts, ...]
    logs: tuple[PaneLog, ...]

    @property
    def origin(self) -> int:
        """T0; only where there is a window."""
        assert self.evaluations is not None
        return self.evaluations.origin

    def bring(self, number: int) -> Snapshot:
        """A window, in memory, so that no engine pays for reading the log; what no later one needs is let go."""
        snapshot = self.windows[number]
        before = [c.open for c in self.windows[max(0, number - 1)].contributions if c.open is not None]
        for log in self.logs:
            log.forget_before(min(before, default=BEFORE_ALL))
        for graph in snapshot.graphs.values():
            for piece in graph:
                piece.data()
                piece.times()
        return snapshot

    def facts(self) -> list[WindowFacts]:
        """What can be said of each window."""
        return [self._facts(number) for number in range(len(self.windows))]

    def _facts(self, number: int) -> WindowFacts:
        snapshot = self.bring(number)
        digest, size = hashlib.sha256(), 0
        for graph in sorted(snapshot.graphs, key=lambda name: (name is not None, name or "")):
            digest.update(f"{graph or ''}\n".encode())
            for piece in snapshot.graphs[graph]:
                data = piece.data()
                digest.update(data)
                size += len(data)
        elements = sum(c.elements for c in snapshot.contributions)
        triples = sum(c.triples for c in snapshot.contributions)
        return WindowFacts(snapshot.at, snapshot.seq, elements, triples, self._entered(number, triples), size, digest.hexdigest())

    def _entered(self, number: int, triples: int) -> int:
        if number == 0:
            return triples
        delta = delta_between(self.windows[number - 1], self.windows[number], Occurrences(NO_STATIC_DATA))
        return sum(piece.triples for change in delta.changes.values() for piece in change.entered)


def freeze(options: RunOptions, root: str, spark: SparkSession) -> Frozen:
    """Cut the streams of the one query of ``options`` into logs below a folder; its windows, and the account of its elements."""
    registered: Registered = options.queries[0]
    logs = open_logs(options, root)
    new = {iri: (options.sources[iri], log) for iri, log in logs.items() if not log.files}
    cut_into(spark, new, {}, Summary(), split_bytes=options.split_bytes)
    origin = origin_of(registered, logs)
    if origin is None:
        return Frozen(None, (), tuple(stream_counts(registered.query, None, logs)), tuple(logs.values()))
    evaluations = evaluations_of(registered, logs, origin, options.lateness)
    check_origin(registered, evaluations, options.max_gap)
    check_gaps(registered, evaluations, options.max_gap)
    for log in logs.values():
        for parts in batched(log.parts(), _PARTS_AT_ONCE):
            deque(evaluations.account(log, parts), maxlen=0)  # late elements are counted here
        log.forget_before(AFTER_ALL)
    due = evaluations.flush() if options.flush else evaluations.due()
    windows = tuple(islice(due, options.windows))
    return Frozen(evaluations, windows, tuple(stream_counts(registered.query, evaluations, logs)), tuple(logs.values()))
