"""The operators without state: fixed rows, filter, extend, project, union."""

from __future__ import annotations

from collections.abc import Callable

from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.rows import Row, Rows, mark_rows, projector


class Fixed(Operator):
    """A table that never changes."""

    def __init__(self, variables: tuple[str, ...], certain: frozenset[str], rows: Rows) -> None:
        self.variables, self.certain = variables, certain
        self._rows = rows

    def delta(self) -> Change:
        """Nothing."""
        return [], []

    def scan(self, *, keep: bool) -> Rows:  # noqa: ARG002 -- there is no state
        """The table."""
        return list(self._rows)

    def mark(self, live: set[int]) -> None:
        """Its terms."""
        mark_rows(self._rows, live)


class Keep(Operator):
    """Rows that pass a test."""

    def __init__(self, child: Operator, test: Callable[[Row], bool]) -> None:
        self.variables, self.certain, self.children = child.variables, child.certain, (child,)
        self._child, self._test = child, test

    def delta(self) -> Change:
        """The change that passes."""
        plus, minus = self._child.delta()
        test = self._test
        return [row for row in plus if test(row)], [row for row in minus if test(row)]

    def scan(self, *, keep: bool) -> Rows:
        """The rows that pass."""
        test = self._test
        return [row for row in self._child.scan(keep=keep) if test(row)]


class Compute(Operator):
    """Rows with one more column."""

    def __init__(self, child: Operator, name: str, value: Callable[[Row], int | None], *, bound: bool) -> None:
        self.variables, self.children = (*child.variables, name), (child,)
        self.certain = child.certain | {name} if bound else child.certain
        self._child, self._value = child, value

    def delta(self) -> Change:
        """The change, extended."""
        plus, minus = self._child.delta()
        value = self._value
        return [(*row, value(row)) for row in plus], [(*row, value(row)) for row in minus]

    def scan(self, *, keep: bool) -> Rows:
        """The rows, extended."""
        value = self._value
        return [(*row, value(row)) for row in self._child.scan(keep=keep)]


class Columns(Operator):
    """Rows with some of the columns, in another order."""

    def __init__(self, child: Operator, variables: tuple[str, ...]) -> None:
        self.variables, self.children = variables, (child,)
        self.certain = child.certain & frozenset(variables)
        self._child = child
        self._project = projector(child.variables, variables) or _same

    def delta(self) -> Change:
        """The change, projected."""
        plus, minus = self._child.delta()
        return self._project(plus), self._project(minus)

    def scan(self, *, keep: bool) -> Rows:
        """The rows, projected."""
        return self._project(self._child.scan(keep=keep))


def _same(rows: Rows) -> Rows:
    return rows


class Either(Operator):
    """Rows of both sides, which have the same columns."""

    def __init__(self, left: Operator, right: Operator) -> None:
        self.variables, self.children = left.variables, (left, right)
        self.certain = left.certain & right.certain
        self._left, self._right = left, right

    def delta(self) -> Change:
        """Both changes."""
        one, two = self._left.delta(), self._right.delta()
        return one[0] + two[0], one[1] + two[1]

    def scan(self, *, keep: bool) -> Rows:
        """Both bags."""
        return self._left.scan(keep=keep) + self._right.scan(keep=keep)
