"""A basic graph pattern: views and their generated delta plans, the incremental join of Algorithms 3 and 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import add
from typing import Any

from prsp_backends.spectra.codegen import Generator, Signature
from prsp_backends.spectra.operators.base import Change, Operator
from prsp_backends.spectra.plan import Bgp
from prsp_backends.spectra.routing import fill_source, route_source
from prsp_backends.spectra.rows import Row, Rows
from prsp_backends.spectra.views import SMALL, Memo, all_rows

Triples = list[tuple[int, int, int]]


class Matches(Operator):
    """The matches of a group of patterns, kept up by the changes of the graphs."""

    def __init__(
        self,
        plan: Bgp,
        output: tuple[str, ...],
        singles: dict[int, tuple[str, Memo]],
        others: dict[int, tuple[tuple[str, ...], Callable[[Row], bool]]],
        tables: list[Rows],
        constant: Callable[[bytes], int],
    ) -> None:
        self.variables, self.certain = output, frozenset(output)
        self._tables = tables
        generator = Generator(plan, {k: name for k, (name, _) in singles.items()}, {k: names for k, (names, _) in others.items()}, output)
        self.source = generator.generate()
        self.program = generator.program
        views = self.program.views
        self.graphs = {view.graph for view in views if view.table < 0}
        self.route_source = {graph: route_source(views, graph, constant) for graph in self.graphs}
        names: dict[str, Any] = {"SMALL": SMALL, "NONE": ()}
        names |= {f"T{k}": memo for k, (_, memo) in singles.items()} | {f"F{k}": test for k, (_, test) in others.items()}
        self._indexes: dict[int, dict[tuple[int, ...], Any]] = {}
        for view, keys in self.program.indexes.items():
            for key in keys:
                index: Any = set() if len(key) == views[view].width else {}
                self._indexes.setdefault(view, {})[key] = names[generator.index_name(view, key)] = index
        exec(compile(self.source, "<spectra delta plans>", "exec"), names)
        self._routes: dict[str | None, Callable[..., None]] = {}
        self._fills: dict[str | None, Callable[[Triples], list[int]]] = {}
        for graph, text in self.route_source.items():
            exec(compile(text, "<spectra routing>", "exec"), names)
            exec(compile(fill_source(views, graph, constant, partial(generator.upkeep, insert=True)), "<spectra filling>", "exec"), names)
            self._routes[graph], self._fills[graph] = names["route"], names["fill"]
        verbs = ("insert", "evict", "fill", "drop", "match")
        self._do = {verb: [names[f"{verb}_{view}"] for view in range(len(views))] for verb in verbs}
        self._sizes = [0] * len(views)
        self._change: Change = ([], [])
        self._fill_tables()

    def _fill_tables(self) -> None:
        for view, signature in enumerate(self.program.views):
            if signature.table >= 0:
                rows = self._tested(signature, self._tables[signature.table])
                self._do["fill"][view](rows)
                self._sizes[view] = len(rows)

    def _tested(self, signature: Signature, rows: Rows) -> Rows:
        namespace = self._do["fill"][0].__globals__
        return [row for row in rows if all(namespace[f"T{test}"][row[column]] for column, test in signature.tests)]

    def change(self, came: Mapping[str | None, Triples], went: Mapping[str | None, Triples], *, incremental: bool) -> None:
        """Take in the net change of the graphs: evict, then insert, so that the delta plans never see a triple twice."""
        plus: Rows = []
        minus: Rows = []
        for view, rows in enumerate(self._routed(went)):
            if rows:
                if incremental:
                    self._do["evict"][view](rows, minus.append)
                else:
                    self._do["drop"][view](rows)
                self._sizes[view] -= len(rows)
        if incremental:
            for view, rows in enumerate(self._routed(came)):
                if rows:
                    self._do["insert"][view](rows, plus.append)
                    self._sizes[view] += len(rows)
        else:
            self._fill(came)
        self._change = (plus, minus)

    def _fill(self, came: Mapping[str | None, Triples]) -> None:
        for graph, triples in came.items():
            if triples and graph in self._fills:
                self._sizes = list(map(add, self._sizes, self._fills[graph](triples)))

    def _routed(self, changes: Mapping[str | None, Triples]) -> list[Rows]:
        deltas: list[Rows] = [[] for _ in self.program.views]
        for graph, triples in changes.items():
            if triples and graph in self._routes:
                self._routes[graph](triples, *(rows.append for rows in deltas))
        return deltas

    def delta(self) -> Change:
        """The matches that came and went with the last change."""
        change, self._change = self._change, ([], [])
        return change

    def scan(self, *, keep: bool) -> Rows:  # noqa: ARG002 -- the views are always kept
        """All matches, starting at the smallest view."""
        self._change = ([], [])
        if not all(self._sizes):
            return []
        start = min(range(len(self._sizes)), key=self._sizes.__getitem__)
        found: Rows = []
        self._do["match"][start](self._rows(start), found.append)
        return found

    def _rows(self, view: int) -> Any:
        width = self.program.views[view].width
        key, index = next(iter(self._indexes[view].items()))
        if len(key) == width:
            return [(row,) for row in index] if width == 1 else index
        return all_rows(index, key, width)

    def mark(self, live: set[int]) -> None:
        """Nothing: the engine marks the triples of the graphs themselves."""

    def empty(self) -> None:
        """Drop every triple, keeping the fixed tables."""
        for indexes in self._indexes.values():
            for index in indexes.values():
                index.clear()
        self._sizes = [0] * len(self.program.views)
        self._change = ([], [])
        self._fill_tables()
