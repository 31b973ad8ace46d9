"""A batch: accepted elements of a source in the order they arrived, and what was rejected on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Reject:
    """A line or graph that is not an element; ``line`` counts from 1 within what the reader was given."""

    line: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Elements as views into one buffer: element i is ``data[starts[i] : starts[i] + lengths[i]]``, N-Triples in canonical form.

    The last byte of each view stands for the line break: whatever it is in ``data``, it means a newline.
    """

    data: bytes
    starts: Integers
    lengths: Integers
    times: Integers
    arrivals: Integers
    triples: Integers | None
    """Triples per element; None: one each."""
    lines: int
    """Lines consumed, comments and empty ones too."""
    rejects: list[Reject] = field(default_factory=list)
    text_offset: int | None = None
    """For text: the arrival number of its first byte; else arrivals count lines or graphs."""

    def line_of(self, element: int) -> int:
        """The line an element begins on, counted from 1 within the batch; 1 where that is not known."""
        if self.text_offset is None:
            return 1
        return self.data.count(b"\n", 0, int(self.arrivals[element]) - self.text_offset) + 1


_SAFE = 2**61


def exact(values: Integers, *others: int) -> Integers:
    """Integers to calculate with: Python's own where the sum of a few of these could leave 64 bits."""
    if len(values) and max(-int(values.min()), int(values.max()), *map(abs, others)) > _SAFE:
        return values.astype(object)
    return values


def from_elements(elements: list[tuple[bytes, int, int, int]], lines: int, rejects: list[Reject]) -> Batch:
    """A batch of elements made one by one: (N-Triples lines, timestamp, arrival, triples)."""
    lengths = np.array([len(e[0]) for e in elements], dtype=np.int64)
    triples = np.array([e[3] for e in elements], dtype=np.int64)
    return Batch(
        data=b"".join(e[0] for e in elements),
        starts=np.cumsum(lengths) - lengths,
        lengths=lengths,
        times=np.array([e[1] for e in elements], dtype=np.int64),
        arrivals=np.array([e[2] for e in elements], dtype=np.int64),
        triples=None if (triples == 1).all() else triples,
        lines=lines,
        rejects=rejects,
    )
