"""Panes: how a stream is stored once it is cut. Storage, not semantics: a window is a list of slices of panes."""

from __future__ import annotations

from dataclasses import dataclass

BEFORE_ALL = -(2**63) - 1
"""Smaller than every timestamp: the largest time seen before the first element arrived."""
AFTER_ALL = 2**65
"""Larger than every timestamp, and than the close of every window that holds one."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one cut put into one pane: a row of the pane log.

    Its elements are sorted by (timestamp, arrival). ``carry`` is the largest time of the stream that arrived before any of them.
    """

    pane: int
    file: str
    row_group: int
    row: int
    elements: int
    triples: int
    first: int
    last: int
    carry: int = BEFORE_ALL


def pane_length(window_range: int) -> int:
    """The grid of a new log: about a twentieth of the first query's range, not below 100 ms."""
    return max(100, window_range // 20)
