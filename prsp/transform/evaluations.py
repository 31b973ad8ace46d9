"""A query over its streams' logs: a snapshot for every evaluation that is due, each once, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from prsp.model.pane import AFTER_ALL, BEFORE_ALL, Part
from prsp.model.snapshot import Snapshot
from prsp.source.batch import Integers
from prsp.transform.log import PaneLog
from prsp.transform.streams import QueryStream
from prsp.trigger import Due, Policy, due_instants


@dataclass(slots=True)
class Evaluations:
    """The evaluations of one query. ``last`` is the latest instant dealt with, the whole of what a restart has to know."""

    streams: list[QueryStream]
    policy: Policy
    origin: int
    last: Due | None = None
    skipped: int = 0
    idle: set[str] = field(default_factory=set)
    """Streams not to be waited for at the moment."""

    def passed(self) -> int:
        """The latest instant that has passed for every stream that is waited for."""
        # A window may have passed while an instant inside another has not: elements of that very millisecond can still come.
        partial = self.policy.inside or len(self.streams) > 1
        waited_for = [s.passed(partial=partial) for s in self.streams if s.stream not in self.idle]
        furthest = max((s.passed(partial=partial) for s in self.streams), default=BEFORE_ALL)
        return min(waited_for, default=furthest)

    def due(self, upto: int | None = None) -> Iterator[Snapshot]:
        """Snapshots of everything that has passed, up to an instant that is given when others have to be waited for, too."""
        yield from self._upto(self.passed() if upto is None else min(upto, self.passed()), None)

    def waiting_for(self) -> str | None:
        """The stream that holds back the next evaluation."""
        active = [s for s in self.streams if s.stream not in self.idle]
        return min(active, key=lambda s: s.log.largest).stream if active else None

    def flush(self) -> Iterator[Snapshot]:
        """Snapshots of everything not yet reported, at the end of bounded input."""
        largest = max((s.log.largest for s in self.streams), default=BEFORE_ALL)
        if largest == BEFORE_ALL:
            return
        for stream in self.streams:
            stream.end(largest)
        yield from self._upto(AFTER_ALL, largest)

    def _upto(self, passed: int, largest: int | None) -> Iterator[Snapshot]:
        instants = due_instants(self.streams, self.policy, origin=self.origin, after=self.last, passed=passed, last_period=largest)
        for due in instants:
            snapshot = self.snapshot(due)
            self.last = due
            if self._reported(snapshot):
                yield snapshot
            else:
                self.skipped += 1

    def account(self, log: PaneLog, parts: list[Part], reported: int | None = None) -> Iterator[tuple[Part, Integers]]:
        """Count newly cut parts of a log in every window over it; gives the late elements by position."""
        for stream in self.streams:
            if stream.log is log:
                yield from stream.account(parts, reported)

    def snapshot(self, due: Due) -> Snapshot:
        """What the query is asked of at an instant."""
        contributions = tuple(s.contribution(due, window_close=self.policy.window_close) for s in self.streams)
        return Snapshot(due.at, due.seq, contributions)

    def _reported(self, snapshot: Snapshot) -> bool:
        bound = [c for c in snapshot.contributions if self.policy.holds_for(c.stream)]
        if self.policy.non_empty and not any(c.elements for c in bound):
            return False
        return self.policy.every is None or any(c.close is not None for c in snapshot.contributions)


def let_go(several: Iterable[Evaluations]) -> None:
    """Drop from memory what no later window of any of these queries, nor its last one, can need."""
    needed: dict[PaneLog, int] = {}
    for evaluations in several:
        for stream in evaluations.streams:
            own = BEFORE_ALL if evaluations.last is None else stream.needed_from(evaluations.last.at)
            needed[stream.log] = min(own, needed.get(stream.log, own))
    for log, time in needed.items():
        log.forget_before(time)
