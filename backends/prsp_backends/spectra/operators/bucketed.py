"""OPTIONAL, MINUS and EXISTS: what becomes of a row on the left depends on the bucket of rows with its key on the right."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.operators.probe import Probe
from prsp_backends.spectra.rows import Bag, Row, Rows, difference, mark_rows, pairing, put, take

_NOTHING: Bag = {}


class Bucketed(Operator):
    """Keeps both sides by key. Where only the left side changed, its rows pass; where the right did, the bucket is done anew."""

    def __init__(self, left: Operator, right: Operator, probes: Sequence[Probe] = ()) -> None:
        self.pairing = pairing(left.variables, left.certain, right.variables, right.certain)
        self.children = (left, right, *(probe.child for probe in probes))
        self.probes = probes
        self._left, self._right = left, right
        self._lefts: dict[Any, Bag] = {}
        self._rights: dict[Any, Bag] = {}

    @abstractmethod
    def produce(self, row: Row, bucket: Bag) -> Rows:
        """The rows that one row on the left becomes."""

    def delta(self) -> Change:
        """The change of the buckets that changed."""
        (left_plus, left_minus), (right_plus, right_minus) = self._left.delta(), self._right.delta()
        left_key, right_key = self.pairing.left_key, self.pairing.right_key
        lefts, rights, produce = self._lefts, self._rights, self.produce
        stirred = {right_key(row) for row in right_plus}
        stirred.update([right_key(row) for row in right_minus])
        if self._pull():
            stirred.update(lefts)
            stirred.update([left_key(row) for row in left_plus])
        before = {key: self._output(key) for key in stirred}
        for probe in self.probes:
            probe.update()
        plus: Rows = []
        minus: Rows = []
        for row in left_plus:
            key = left_key(row)
            if key not in stirred:
                plus += produce(row, rights.get(key, _NOTHING))
            put(lefts, key, row)
        for row in left_minus:
            key = left_key(row)
            if key not in stirred:
                minus += produce(row, rights.get(key, _NOTHING))
            take(lefts, key, row)
        for row in right_plus:
            put(rights, right_key(row), row)
        for row in right_minus:
            take(rights, right_key(row), row)
        for key, old in before.items():
            came, went = difference(old, self._output(key))
            plus += came
            minus += went
        return plus, minus

    def _pull(self) -> bool:
        """Whether a probe will answer otherwise than before, for whatever row."""
        changed = [probe.pull() for probe in self.probes]
        return any(changed)

    def _output(self, key: Any) -> Rows:
        bucket, produce = self._rights.get(key, _NOTHING), self.produce
        found: Rows = []
        for row, count in self._lefts.get(key, _NOTHING).items():
            rows = produce(row, bucket)
            found += rows if count == 1 else rows * count
        return found

    def scan(self, *, keep: bool) -> Rows:
        """All rows, hashing the right side."""
        left, right = self._left.scan(keep=keep), self._right.scan(keep=keep)
        rights = _bucketed(right, self.pairing.right_key)
        for probe in self.probes:
            probe.fill(keep=keep)
        if keep:
            self._lefts, self._rights = _bucketed(left, self.pairing.left_key), rights
        key, produce = self.pairing.left_key, self.produce
        found: Rows = []
        for row in left:
            found += produce(row, rights.get(key(row), _NOTHING))
        if not keep:
            for probe in self.probes:
                probe.forget()
        return found

    def mark(self, live: set[int]) -> None:
        """The terms of both sides."""
        super().mark(live)
        for state in (self._lefts, self._rights):
            for bucket in state.values():
                mark_rows(bucket, live)
        for probe in self.probes:
            probe.note(live)

    def clear(self) -> None:
        """Forget both sides."""
        super().clear()
        self._lefts, self._rights = {}, {}
        for probe in self.probes:
            probe.forget()


def _bucketed(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, Bag]:
    state: dict[Any, Bag] = {}
    for row in rows:
        put(state, key(row), row)
    return state


class Optionally(Bucketed):
    """OPTIONAL: the left row with each match, or by itself."""

    def __init__(self, left: Operator, right: Operator, test: Callable[[Row], bool] | None, probes: Sequence[Probe]) -> None:
        super().__init__(left, right, probes)
        self.variables, self.certain = self.pairing.variables, left.certain
        self._test = test

    def produce(self, row: Row, bucket: Bag) -> Rows:
        """Matches that agree and pass the test inside OPTIONAL."""
        how, test, probes = self.pairing, self._test, self.probes
        merge, agree = how.merge, how.agree
        found: Rows = []
        for other, count in bucket.items():
            if agree is None or agree(row, other):
                merged = merge(row, other)
                if test is None or test(merged + tuple([probe.mark(merged) for probe in probes]) if probes else merged):
                    found += [merged] * count
        return found or [row + how.padding]


class Without(Bucketed):
    """MINUS: the left row unless a row on the right agrees with it on something."""

    def __init__(self, left: Operator, right: Operator) -> None:
        super().__init__(left, right)
        self.variables, self.certain = left.variables, left.certain

    def produce(self, row: Row, bucket: Bag) -> Rows:
        """The row, or nothing."""
        agree, overlap = self.pairing.agree, self.pairing.overlap
        gone = any((agree is None or agree(row, other)) and overlap(row, other) for other in bucket)
        return [] if gone else [row]


class Existing(Bucketed):
    """[NOT] EXISTS: the left row if it has a match; with a mark, always, and whether it has one."""

    def __init__(
        self,
        left: Operator,
        right: Operator,
        test: Callable[[Row], bool] | None,
        mark: str | None,
        outcomes: tuple[int, int],
        *,
        negated: bool,
    ) -> None:
        super().__init__(left, right)
        self.variables = left.variables if mark is None else (*left.variables, mark)
        self.certain = left.certain if mark is None else left.certain | {mark}
        self._test, self._marked, self._negated, self._outcomes = test, mark is not None, negated, outcomes

    def produce(self, row: Row, bucket: Bag) -> Rows:
        """The row, kept, dropped or marked."""
        holds = self._matched(row, bucket) is not self._negated
        if self._marked:
            return [(*row, self._outcomes[holds])]
        return [row] if holds else []

    def _matched(self, row: Row, bucket: Bag) -> bool:
        how, test = self.pairing, self._test
        merge, agree = how.merge, how.agree
        if agree is None and test is None:
            return bool(bucket)
        return any((agree is None or agree(row, other)) and (test is None or test(merge(row, other))) for other in bucket)
