"""Who reports when: sensors with a phase of their own, in turn; or, skewed, hot sensors that take the turns of others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from prsp.workload.chance import Chance

BATCH = 4_096


def batch_count(sensors: int, rounds: int) -> int:
    """How many batches ``turns`` gives."""
    return -(-sensors * rounds // BATCH)


def turns(seed: int, sensors: int, rounds: int, interval: int, start: int, skew: float) -> Iterator[list[tuple[int, int]]]:
    """Batches of (time, sensor), by time: each sensor once an interval, at a phase drawn for it; the first turn of all is at the start."""
    phase = Chance(seed, "phase")
    order = sorted((phase.below(interval), sensor) for sensor in range(sensors))
    hot = Chance(seed, "hot").picker(sensors, skew)

    def each() -> Iterator[tuple[int, int]]:
        for number in range(rounds):
            base = start + number * interval
            for offset, sensor in order:
                yield base + offset, hot() if skew else sensor

    one = each()
    first = True
    while batch := list(islice(one, BATCH)):
        if first:
            batch[0], first = (start, batch[0][1]), False
        yield batch
