"""The join of two operators that are not both plain patterns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.rows import Bag, Row, Rows, mark_rows, pairing, put, take

State = dict[Any, Bag]


class Both(Operator):
    """Compatible rows of both sides: ΔL ⋈ R before, then L after ⋈ ΔR."""

    def __init__(self, left: Operator, right: Operator) -> None:
        self._pairing = pairing(left.variables, left.certain, right.variables, right.certain)
        self.variables, self.children = self._pairing.variables, (left, right)
        self.certain = left.certain | right.certain
        self._left, self._right = left, right
        self._lefts: State = {}
        self._rights: State = {}

    def delta(self) -> Change:
        """The change of the product."""
        (left_plus, left_minus), (right_plus, right_minus) = self._left.delta(), self._right.delta()
        how, lefts, rights = self._pairing, self._lefts, self._rights
        plus, minus = self._match_left(left_plus, rights), self._match_left(left_minus, rights)
        key = how.left_key
        for row in left_plus:
            put(lefts, key(row), row)
        for row in left_minus:
            take(lefts, key(row), row)
        plus += self._match_right(right_plus, lefts)
        minus += self._match_right(right_minus, lefts)
        key = how.right_key
        for row in right_plus:
            put(rights, key(row), row)
        for row in right_minus:
            take(rights, key(row), row)
        return plus, minus

    def scan(self, *, keep: bool) -> Rows:
        """The product, hashing the right side."""
        left, right = self._left.scan(keep=keep), self._right.scan(keep=keep)
        rights: State = {}
        key = self._pairing.right_key
        for row in right:
            put(rights, key(row), row)
        if keep:
            self._rights = rights
            lefts: State = {}
            key = self._pairing.left_key
            for row in left:
                put(lefts, key(row), row)
            self._lefts = lefts
        return self._match_left(left, rights)

    def _match_left(self, rows: Iterable[Row], rights: State) -> Rows:
        how = self._pairing
        key, merge, agree = how.left_key, how.merge, how.agree
        found: Rows = []
        for left in rows:
            for right, count in rights.get(key(left), _NOTHING).items():
                if agree is None or agree(left, right):
                    found += [merge(left, right)] * count
        return found

    def _match_right(self, rows: Iterable[Row], lefts: State) -> Rows:
        how = self._pairing
        key, merge, agree = how.right_key, how.merge, how.agree
        found: Rows = []
        for right in rows:
            for left, count in lefts.get(key(right), _NOTHING).items():
                if agree is None or agree(left, right):
                    found += [merge(left, right)] * count
        return found

    def mark(self, live: set[int]) -> None:
        """The terms of both sides."""
        super().mark(live)
        for state in (self._lefts, self._rights):
            for bucket in state.values():
                mark_rows(bucket, live)

    def clear(self) -> None:
        """Forget both sides."""
        super().clear()
        self._lefts, self._rights = {}, {}


_NOTHING: Bag = {}
