"""GROUP BY: a state per group, and one row per group that is replaced when its group changes."""

from __future__ import annotations

from collections.abc import Iterable

from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.node import Node
from prsp_backends.spectra.operators.aggregates import Aggregation, aggregation
from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.plan import Aggregate
from prsp_backends.spectra.rows import Bag, Row, Rows, mark_rows, projector


class _State:
    """A group: how many rows it has, and its aggregates."""

    __slots__ = ("aggregates", "rows", "size")

    def __init__(self, aggregates: list[Aggregation], rows: Bag | None) -> None:
        self.size = 0
        self.aggregates = aggregates
        self.rows = rows


class Grouped(Operator):
    """Groups by key columns; without keys there is one group, also of no rows."""

    def __init__(
        self, child: Operator, keys: tuple[str, ...], aggregates: tuple[Aggregate, ...], dictionary: Dictionary, *, implicit: bool
    ) -> None:
        self.variables, self.children = (*keys, *(aggregate.name for aggregate in aggregates)), (child,)
        self.certain = child.certain & frozenset(keys) | {a.name for a in aggregates if a.kind == "count"}
        self._child, self._implicit, self._dictionary = child, implicit, dictionary
        self._keys = projector(child.variables, keys)
        nodes = dictionary.nodes
        columns = [a for a in aggregates if a.column is not None and not _is_key(a, keys)]
        self._makers = [aggregation(a.kind, a.separator, nodes, distinct=a.distinct) for a in columns]
        self._columns = [child.variables.index(a.column) for a in columns if a.column is not None]
        self._sources = [_source(a, keys, columns) for a in aggregates]
        self._wants_rows = any(source == "rows" for source, _ in self._sources)
        visible = tuple(name for name in child.variables if not name.startswith("_:"))
        self._visible = projector(child.variables, visible)
        self._groups: dict[Row, _State] = {}
        self._answers: dict[Row, Row] = {}
        self._started = False

    def delta(self) -> Change:
        """The rows of the groups that changed, before and after."""
        plus, minus = self._child.delta()
        touched = self._absorb(plus, 1)
        touched.update(self._absorb(minus, -1))
        if self._implicit and not self._started:
            touched[()] = None
        self._started = True
        came, went = [], []
        for key in touched:
            old, new = self._answers.get(key), self._renewed(key)
            if old == new:
                continue
            if old is not None:
                went.append(old)
            if new is not None:
                came.append(new)
        return came, went

    def _absorb(self, rows: Rows, sign: int) -> dict[Row, None]:
        touched: dict[Row, None] = {}
        keys = rows if self._keys is None else self._keys(rows)
        seen: Iterable[Row | None] = (rows if self._visible is None else self._visible(rows)) if self._wants_rows else [None] * len(rows)
        groups, columns = self._groups, self._columns
        for key, row, whole in zip(keys, rows, seen, strict=True):
            state = groups.get(key)
            if state is None:
                state = groups[key] = _State([make() for make in self._makers], {} if self._wants_rows else None)
            touched[key] = None
            state.size += sign
            for aggregate, column in zip(state.aggregates, columns, strict=True):
                aggregate.add(row[column], sign)
            if state.rows is not None and whole is not None:
                count = state.rows.get(whole, 0) + sign
                if count:
                    state.rows[whole] = count
                else:
                    del state.rows[whole]
        return touched

    def _renewed(self, key: Row) -> Row | None:
        """The row of a group as it is now; groups that are empty go, unless it is the one without keys."""
        state = self._groups.get(key)
        if state is None or not state.size:
            self._groups.pop(key, None)
            if not self._implicit:
                self._answers.pop(key, None)
                return None
            state = _State([make() for make in self._makers], {} if self._wants_rows else None)
        row = self._answers[key] = key + tuple([self._value(key, state, *source) for source in self._sources])
        return row

    def _value(self, key: Row, state: _State, source: str, place: int) -> int | None:
        if source == "key":
            value: int | None = key[place]
            return value
        if not source:
            result = state.aggregates[place].result()
            return self._dictionary.encode(result) if isinstance(result, Node) else result
        size = state.size if source == "size" else len(state.rows or ())
        return self._dictionary.ids[b'"%d"^^<http://www.w3.org/2001/XMLSchema#integer>' % size]

    def scan(self, *, keep: bool) -> Rows:
        """All groups, from all rows."""
        self._groups, self._answers, self._started = {}, {}, True
        touched = self._absorb(self._child.scan(keep=keep), 1)
        if self._implicit:
            touched[()] = None
        found = [row for row in (self._renewed(key) for key in touched) if row is not None]
        if not keep:
            self._groups, self._answers = {}, {}
        return found

    def mark(self, live: set[int]) -> None:
        """The terms of keys, results and members."""
        super().mark(live)
        mark_rows(self._answers.values(), live)
        for state in self._groups.values():
            for aggregate in state.aggregates:
                aggregate.mark(live)
            if state.rows is not None:
                mark_rows(state.rows, live)

    def clear(self) -> None:
        """Forget the groups."""
        super().clear()
        self._groups, self._answers, self._started = {}, {}, False


def _is_key(aggregate: Aggregate, keys: tuple[str, ...]) -> bool:
    """Whether it samples a key, which is the same for all rows of a group."""
    return aggregate.kind == "sample" and aggregate.column in keys


def _source(aggregate: Aggregate, keys: tuple[str, ...], columns: list[Aggregate]) -> tuple[str, int]:
    """Where the value of an aggregate is read: COUNT(*) is the size of the group, COUNT(DISTINCT *) the number of its different rows."""
    if aggregate.column is None:
        return ("rows" if aggregate.distinct else "size", -1)
    return ("key", keys.index(aggregate.column)) if _is_key(aggregate, keys) else ("", columns.index(aggregate))
