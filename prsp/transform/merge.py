"""Merges the small files of a closed stretch of a live log into one, crash-safe."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from prsp.model.pane import Part
from prsp.transform.cut import SCHEMA
from prsp.transform.log import PaneLog
from prsp.transform.streams import seen_before
from prsp.transform.task import PaneWriter

FEWEST_FILES = 32


def merge_closed(log: PaneLog, time: int, *, fewest: int = FEWEST_FILES) -> bool:
    """Merge the batches that lie wholly before an instant, if there are enough of them; says whether it did.

    Batches whose panes have been dropped already count too: their index files are merged into one.
    """
    batches = log.closed_batches(time)
    old = [part for part in log.parts() if part.last < time and _batch(part) <= batches[-1]] if batches else []
    if len(batches) < 2 or (len(batches) < fewest and len({part.file for part in old}) < fewest):
        return False
    writer = PaneWriter(log.storage, f"panes/{batches[0]:012d}-{batches[-1]:012d}-merged.parquet")
    parts: list[Part] = []
    for pane in sorted({part.pane for part in old}):
        parts += writer.write(_row(log, pane, [part for part in old if part.pane == pane]))
    writer.close()
    log.supersede(batches, parts)
    return True


def _batch(part: Part) -> int:
    return int(part.file.removeprefix("panes/").split("-")[0])


def _row(log: PaneLog, pane: int, parts: list[Part]) -> pa.Table:
    """One row with the elements of several, in order; what each had been overtaken by is written out."""
    times, arrivals = (np.concatenate([log.integers(p, name) for p in parts]) for name in ("times", "arrivals"))
    seen = np.concatenate([seen_before(log, p) for p in parts])
    pieces = [piece for p in parts for piece in _elements(log, p)]
    order = np.lexsort((arrivals, times))
    behind = np.flatnonzero(seen[order] > times[order])
    data = [pieces[i] for i in order.tolist()]
    row = {
        "pane": pane,
        "elements": len(times),
        "triples": sum(p.triples for p in parts),
        "first": int(times.min()),
        "last": int(times.max()),
        "data": b"".join(data),
        "ends": np.cumsum([len(piece) for piece in data]),
        "times": times[order],
        "arrivals": arrivals[order],
        "overtaken": behind,
        "seen": seen[order][behind],
    }
    return pa.Table.from_pydict({name: [value] for name, value in row.items()}, schema=SCHEMA)


def _elements(log: PaneLog, part: Part) -> list[bytes]:
    view, ends = log.data(part), log.integers(part, "ends").tolist()
    return [bytes(view[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
