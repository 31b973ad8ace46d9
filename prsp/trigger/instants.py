"""Evaluation instants in order: the closes of the bound windows, the ends of count windows, or a period."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, repeat
from operator import itemgetter
from typing import Protocol

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


def due_instants(
    schedules: Iterable[Schedule], policy: Policy, *, origin: int, after: Due | None, passed: int, last_period: int | None
) -> Iterator[Due]:
    """Every instant not yet reported at which an evaluation is due, up to and including ``passed``.

    ``last_period`` ends a periodic policy: the first period at or after it is the last one.
    """
    start = after.at if after is not None else -(2**63)
    if policy.every is not None:
        yield from _periods(origin, policy.every, start, passed, last_period)
        return
    # Several count windows can end at one instant, some of them reported already: begin just before it.
    begin = start if after is None else start - 1
    bound = [s for s in schedules if policy.holds_for(s.stream)]
    closes = heapq.merge(*(zip(s.closes_after(begin, passed), repeat(number), strict=False) for number, s in enumerate(bound)))
    for at, group in groupby(closes, key=itemgetter(0)):
        evaluations = max(Counter(number for _, number in group).values())
        for seq in range(evaluations):
            if after is None or (at, seq) > (after.at, after.seq):
                yield Due(at, seq)


def _periods(origin: int, every: int, after: int, passed: int, last_period: int | None) -> Iterator[Due]:
    j = max(1, (after - origin) // every + 1)
    while (at := origin + j * every) <= passed and (last_period is None or at - every < last_period):
        yield Due(at, 0)
        j += 1
