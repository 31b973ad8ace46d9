"""ORDER BY with DISTINCT, LIMIT and OFFSET: the whole answer, put in order and cut when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.rows import Bag, Row, Rows, difference, mark_rows, projector, repeated


class Sorted(Operator):
    """Keeps the rows below as a bag; sorts, projects and cuts them anew at each evaluation."""

    def __init__(
        self,
        child: Operator,
        keys: Sequence[tuple[Callable[[Row], Any], bool]],
        variables: tuple[str, ...],
        *,
        distinct: bool,
        start: int,
        length: int | None,
    ) -> None:
        self.variables, self.children = variables, (child,)
        self.certain = child.certain & frozenset(variables)
        self._child, self._keys, self._distinct = child, tuple(keys), distinct
        self._cut = slice(start, None if length is None else start + length)
        self._project = projector(child.variables, variables)
        self._bag: Bag = {}
        self._answer: Rows = []

    def delta(self) -> Change:
        """The difference between the answer now and before."""
        plus, minus = self._child.delta()
        bag = self._bag
        for row in plus:
            bag[row] = bag.get(row, 0) + 1
        for row in minus:
            count = bag[row] - 1
            if count:
                bag[row] = count
            else:
                del bag[row]
        before, self._answer = self._answer, self._arranged(repeated(bag))
        return difference(before, self._answer)

    def scan(self, *, keep: bool) -> Rows:
        """The answer in order."""
        rows = self._child.scan(keep=keep)
        answer = self._arranged(rows)
        self._bag = {}
        self._answer = answer if keep else []
        if keep:
            for row in rows:
                self._bag[row] = self._bag.get(row, 0) + 1
        return answer

    def answer(self) -> Rows:
        """The rows in order, as of the last change."""
        return list(self._answer)

    def _arranged(self, rows: Rows) -> Rows:
        # Sorting by the last condition first: Python's sort is stable.
        for key, descending in reversed(self._keys):
            rows = sorted(rows, key=key, reverse=descending)
        if self._project is not None:
            rows = self._project(rows)
        if self._distinct:
            rows = list(dict.fromkeys(rows))
        return rows[self._cut]

    def mark(self, live: set[int]) -> None:
        """The terms of the rows kept."""
        super().mark(live)
        mark_rows(self._bag, live)
        mark_rows(self._answer, live)

    def clear(self) -> None:
        """Forget the rows."""
        super().clear()
        self._bag, self._answer = {}, []
