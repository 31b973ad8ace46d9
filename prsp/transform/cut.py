"""Cuts a batch of elements into panes: sorted, compacted, one row a pane. Plain Arrow and NumPy; runs on the executors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from prsp.model.pane import BEFORE_ALL
from prsp.source.batch import Batch, Integers

SCHEMA = pa.schema(
    [
        ("pane", pa.int64()),
        ("elements", pa.int64()),
        ("triples", pa.int64()),
        ("first", pa.int64()),
        ("last", pa.int64()),
        ("data", pa.large_binary()),
        ("ends", pa.large_list(pa.int64())),
        ("times", pa.large_list(pa.int64())),
        ("arrivals", pa.large_list(pa.int64())),
        ("overtaken", pa.large_list(pa.int64())),
        ("seen", pa.large_list(pa.int64())),
    ]
)
"""A row of the pane log. ``ends[i]`` is where element i ends in ``data``; ``overtaken`` are the elements that arrived after a
later one, and ``seen`` the largest time that had arrived before each of them."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The rows of one batch, and the largest time among everything that has arrived so far."""

    rows: pa.Table
    seen: int


def cut(batch: Batch, *, pane: int, seen: int) -> Cut:
    """The batch as pane rows on a grid of ``pane`` milliseconds; ``seen`` is the largest time that arrived before it."""
    if not len(batch.times):
        return Cut(SCHEMA.empty_table(), seen)
    before = np.maximum.accumulate(np.concatenate((np.array([max(seen, BEFORE_ALL + 1)]), batch.times[:-1])))
    overtaken = before > batch.times
    order = _order(batch.times, any_overtaken=bool(overtaken.any()))
    times, arrivals = batch.times[order], batch.arrivals[order]
    data, ends = _compact(batch, order)
    panes = np.floor_divide(times, pane)
    edges = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(panes[1:] != panes[:-1]) + 1, np.array([len(times)])))
    behind = np.flatnonzero(overtaken[order])
    behind_edges = np.searchsorted(behind, edges)
    rows = _table(data, ends, times, arrivals, edges, panes, behind, before[order][behind], behind_edges, batch, order)
    return Cut(rows, max(seen, int(times[-1])))


def _order(times: Integers, *, any_overtaken: bool) -> Integers:
    """The elements by (time, arrival); a batch arrives in order, so a stable sort by time is enough, and often none is needed."""
    if not any_overtaken and (times[1:] >= times[:-1]).all():
        return np.arange(len(times))
    return np.argsort(times, kind="stable")


def _compact(batch: Batch, order: Integers) -> tuple[NDArray[np.uint8], Integers]:
    """The elements' bytes one after another, and where each ends: Arrow copies the views in C++."""
    raw = np.frombuffer(batch.data, np.uint8)
    starts, lengths = batch.starts[order], batch.lengths[order]
    views = np.zeros((len(starts), 4), np.int32)
    views[:, 0] = lengths
    views[:, 1] = raw[starts[:, None] + np.arange(4)].view(np.int32)[:, 0]
    views[:, 3] = starts
    pieces = pa.Array.from_buffers(pa.binary_view(), len(starts), [None, pa.py_buffer(views), pa.py_buffer(batch.data)])
    _, offsets, joined = pieces.cast(pa.large_binary()).buffers()
    ends = np.frombuffer(offsets, np.int64, len(starts) + 1)[1:]
    data = np.frombuffer(joined, np.uint8).copy()
    data[ends - 1] = ord("\n")
    return data, ends


def _table(
    data: NDArray[np.uint8],
    ends: Integers,
    times: Integers,
    arrivals: Integers,
    edges: Integers,
    panes: Integers,
    behind: Integers,
    seen: Integers,
    behind_edges: Integers,
    batch: Batch,
    order: Integers,
) -> pa.Table:
    sizes = np.diff(edges)
    starts_of_rows = np.concatenate((np.zeros(1, np.int64), ends[edges[1:] - 1]))
    triples = sizes if batch.triples is None else np.add.reduceat(batch.triples[order], edges[:-1])
    local_ends = ends - np.repeat(starts_of_rows[:-1], sizes)
    local_behind = behind - np.repeat(edges[:-1], np.diff(behind_edges))
    blobs = pa.Array.from_buffers(pa.large_binary(), len(sizes), [None, pa.py_buffer(starts_of_rows), pa.py_buffer(data)])

    def lists(values: Integers, offsets: Integers) -> pa.Array:
        return pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(values))

    columns = [
        pa.array(panes[edges[:-1]]),
        pa.array(sizes),
        pa.array(triples),
        pa.array(times[edges[:-1]]),
        pa.array(times[edges[1:] - 1]),
        blobs,
        lists(local_ends, edges),
        lists(times, edges),
        lists(arrivals, edges),
        lists(local_behind, behind_edges),
        lists(seen, behind_edges),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)
