"""Evaluation instants in order: where every strategy of the policy holds for one of the bound windows (RSP-QL Definition 23)."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from prsp.model.profile import Strategy
from prsp.trigger.policy import Policy


@dataclass(frozen=True, slots=True)
class Due:
    """An evaluation instant; ``seq`` tells evaluations at one instant apart (several count windows that end at once)."""

    at: int
    seq: int


class Schedule(Protocol):
    """What the trigger has to know of one stream's windows."""

    stream: str

    def closes_after(self, instant: int, upto: int) -> Iterator[int]:
        """The closes in (instant, upto], in order, one for each window."""

    def entries_after(self, instant: int, upto: int) -> Iterator[int]:
        """The instants in (instant, upto], in order, at which an element enters what the stream contributes."""

    def exits_after(self, instant: int, upto: int) -> Iterator[int]:
        """The instants in (instant, upto], in order, at which an element leaves what the stream contributes."""


Times = Iterator[tuple[int, int]]
"""Instants in order, each with how many evaluations there are at it."""


def due_instants(
    schedules: Iterable[Schedule], policy: Policy, *, origin: int, after: Due | None, passed: int, last_period: int | None
) -> Iterator[Due]:
    """Every instant not yet reported at which an evaluation is due, up to and including ``passed``.

    ``last_period`` ends a periodic policy: the first period at or after it is the last one.
    """
    # Several count windows can end at one instant, some of them reported already: begin just before it.
    begin = after.at - 1 if after is not None else -(2**63)
    periods = _Periods(origin, policy.every, last_period)
    bound = [s for s in schedules if policy.holds_for(s.stream)]
    each = [_all_hold([_times(s, strategy, begin, passed, periods) for strategy in _naming(policy)]) for s in bound]
    for at, group in groupby(heapq.merge(*each), key=itemgetter(0)):
        for seq in range(max(evaluations for _, evaluations in group)):
            if after is None or (at, seq) > (after.at, after.seq):
                yield Due(at, seq)


@dataclass(frozen=True, slots=True)
class _Periods:
    """The instants of P(d): t0 + j·d, j = 1, 2 and so on."""

    origin: int
    every: int | None
    last: int | None

    def after(self, instant: int, upto: int) -> Iterator[int]:
        assert self.every is not None
        j = max(1, (instant - self.origin) // self.every + 1)
        while (at := self.origin + j * self.every) <= upto and (self.last is None or at - self.every < self.last):
            yield at
            j += 1


def _naming(policy: Policy) -> list[Strategy]:
    """The strategies that name instants; non-empty only leaves some of them out."""
    return [strategy for strategy in Strategy if strategy in policy.strategies and strategy is not Strategy.NON_EMPTY]


def _times(schedule: Schedule, strategy: Strategy, after: int, upto: int, periods: _Periods) -> Times:
    match strategy:
        case Strategy.WINDOW_CLOSE:
            times = schedule.closes_after(after, upto)
        case Strategy.PERIODIC:
            times = periods.after(after, upto)
        case Strategy.ARRIVAL:
            times = schedule.entries_after(after, upto)
        case _:
            both = heapq.merge(schedule.entries_after(after, upto), schedule.exits_after(after, upto))
            times = (at for at, _ in groupby(both))
    return ((at, sum(1 for _ in same)) for at, same in groupby(times))


def _all_hold(several: list[Times]) -> Times:
    """The instants that all of them have; as many evaluations as the one with the fewest."""
    for at, group in groupby(heapq.merge(*several), key=itemgetter(0)):
        found = [evaluations for _, evaluations in group]
        if len(found) == len(several):
            yield at, min(found)
