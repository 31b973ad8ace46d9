"""Time jumps: an element so far ahead of its stream that its timestamp must be a mistake."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prsp.model.pane import BEFORE_ALL
from prsp.source.batch import Batch, Reject, exact


def without_jumps(batch: Batch, seen: int, limit: int) -> tuple[Batch, list[Reject]]:
    """The batch without elements more than ``limit`` after everything accepted before them, and those as rejects."""
    times = batch.times
    if not len(times):
        return batch, []
    known = np.ones(len(times), np.bool_)
    known[0] = seen != BEFORE_ALL
    before = np.maximum.accumulate(np.concatenate((np.array([max(seen, BEFORE_ALL + 1)]), times[:-1])))
    distances = exact(times, limit, max(seen, BEFORE_ALL + 1)) - before
    if not (known & (distances > limit)).any():
        return batch, []
    jumps = np.zeros(len(times), np.bool_)
    for i, time in enumerate(times.tolist()):
        if seen != BEFORE_ALL and time - seen > limit:
            jumps[i] = True
        else:
            seen = max(seen, time)
    rejects = []
    for i in np.flatnonzero(jumps).tolist():
        start = int(batch.starts[i])
        text = batch.data[start : start + int(batch.lengths[i]) - 1].decode("utf-8", "replace")
        rejects.append(
            Reject(batch.line_of(i), f"time jump: {int(times[i])} is more than {limit} ms after what came before it", text[:500])
        )
    kept = np.flatnonzero(~jumps)
    fields = {name: getattr(batch, name)[kept] for name in ("starts", "lengths", "times", "arrivals")}
    return replace(batch, **fields, triples=None if batch.triples is None else batch.triples[kept]), rejects
