"""DISTINCT: a row is there while it occurs."""

from __future__ import annotations

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.rows import Bag, Rows, mark_rows


class Once(Operator):
    """Each row once, counted underneath."""

    def __init__(self, child: Operator) -> None:
        self.variables, self.certain, self.children = child.variables, child.certain, (child,)
        self._child = child
        self._counts: Bag = {}

    def delta(self) -> Change:
        """Rows whose count leaves or reaches zero."""
        plus, minus = self._child.delta()
        counts = self._counts
        came, went = [], []
        for row in plus:
            count = counts.get(row, 0)
            counts[row] = count + 1
            if not count:
                came.append(row)
        for row in minus:
            count = counts[row] - 1
            if count:
                counts[row] = count
            else:
                del counts[row]
                went.append(row)
        return came, went

    def scan(self, *, keep: bool) -> Rows:
        """The distinct rows."""
        rows = self._child.scan(keep=keep)
        if not keep:
            return list(dict.fromkeys(rows))
        counts = self._counts = {}
        for row in rows:
            counts[row] = counts.get(row, 0) + 1
        return list(counts)

    def mark(self, live: set[int]) -> None:
        """The terms of the rows counted."""
        super().mark(live)
        mark_rows(self._counts, live)

    def clear(self) -> None:
        """Forget the counts."""
        super().clear()
        self._counts = {}
