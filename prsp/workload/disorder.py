"""Out-of-order arrival within a bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prsp.workload.chance import Chance
from prsp.workload.recipe import Event


def delayed(batches: Iterable[list[Event]], bound: int, seed: int) -> Iterator[list[Event]]:
    """The events, each held back for up to ``bound`` ms: none comes after one that is more than ``bound`` ms younger.

    Memory is that of the events of ``bound`` ms and one batch. Batches are ordered by time.
    """
    random = Chance(seed, "disorder").random
    waiting: list[tuple[int, int, Event]] = []
    count = 0
    for batch in batches:
        for event in batch:
            waiting.append((event[0] + int(random() * (bound + 1)), count, event))
            count += 1
        waiting.sort()
        # What comes next is no older than the batch's last event, so all that is due before then is in its final place.
        reached = batch[-1][0]
        due = next((i for i, (at, _, _) in enumerate(waiting) if at >= reached), len(waiting))
        yield [event for _, _, event in waiting[:due]]
        del waiting[:due]
    yield [event for _, _, event in waiting]
