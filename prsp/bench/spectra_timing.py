"""CPU time of contestants that take turns: every round each runs once, the order turning, after a round that warms up."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping

Contestant = Callable[[], float]
"""Does its work once and gives the CPU seconds of the part that counts."""


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of this process, all threads."""
    started = time.process_time()
    work()
    return time.process_time() - started


def medians(contestants: Mapping[str, Contestant], rounds: int) -> dict[str, float]:
    """The median of each contestant over the rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for number in range(rounds + 1):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            gc.collect(1)  # each pays for its own garbage, not for that of the one before
            found = contestants[name]()
            if number:  # the first round warms up
                seconds[name].append(found)
    return {name: statistics.median(values) for name, values in seconds.items()}
