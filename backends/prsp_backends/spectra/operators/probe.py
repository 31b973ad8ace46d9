"""EXISTS inside the filter of an OPTIONAL: asked of rows that exist only while both sides are put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.rows import Bag, Row, mark_rows, pairing, put, take

_NOTHING: Bag = {}


class Probe:
    """Whether a row has a match in an operator, which is kept by key."""

    def __init__(
        self,
        variables: tuple[str, ...],
        certain: frozenset[str],
        child: Operator,
        test: Callable[[Row], bool] | None,
        outcomes: tuple[int, int],
        *,
        negated: bool,
    ) -> None:
        self.child = child
        self._pairing = pairing(variables, certain, child.variables, child.certain)
        self._test, self._outcomes, self._negated = test, outcomes, negated
        self._rows: dict[Any, Bag] = {}
        self._change: Change = ([], [])

    def pull(self) -> bool:
        """Fetch the change; whether there is one. Answers stay as before until ``update``."""
        self._change = self.child.delta()
        return bool(self._change[0] or self._change[1])

    def update(self) -> None:
        """Take in the change fetched."""
        key = self._pairing.right_key
        plus, minus = self._change
        for row in plus:
            put(self._rows, key(row), row)
        for row in minus:
            take(self._rows, key(row), row)

    def fill(self, *, keep: bool) -> None:
        """Start from scratch."""
        self._rows = {}
        self._change = (self.child.scan(keep=keep), [])
        self.update()

    def forget(self) -> None:
        """Drop what is kept."""
        self._rows, self._change = {}, ([], [])

    def mark(self, row: Row) -> int:
        """The boolean that EXISTS is for this row."""
        how, test = self._pairing, self._test
        found = any(
            (how.agree is None or how.agree(row, other)) and (test is None or test(how.merge(row, other)))
            for other in self._rows.get(how.left_key(row), _NOTHING)
        )
        return self._outcomes[found is not self._negated]

    def note(self, live: set[int]) -> None:
        """Note the terms kept."""
        for bucket in self._rows.values():
            mark_rows(bucket, live)
