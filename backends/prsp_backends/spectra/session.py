"""A session: one prepared query with its static data, fed by snapshots and deltas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from prsp.errors import EngineError, PrspError
from prsp.model.delta import Delta
from prsp.model.query import Rho
from prsp.model.result import Boolean, Changes, Result, Triples
from prsp.model.snapshot import Slice, Snapshot
from prsp.model.static import StaticData
from prsp_backends.spectra.auto import Mode
from prsp_backends.spectra.construct import Template
from prsp_backends.spectra.engine import Engine, Graph
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.pause import Bulk, collector_paused
from prsp_backends.spectra.summary import Triple


class SpectraSession:
    """The engine with a dataset around it. Static triples are counted in once and never leave."""

    def __init__(self, rho: Rho, static: StaticData, mode: Mode) -> None:
        self._rho, self._static, self._mode = rho, static, mode
        self._start(tuple(sorted(graph for graph in static.graphs if graph is not None)))
        self._shown: frozenset[bytes] = frozenset()
        self._held = False
        self._bulk = Bulk()
        self._elements = 0

    def _start(self, named: tuple[str, ...]) -> None:
        self.engine = Engine(self._rho.text, variables=self._rho.variables, named=named, mode=self._mode)
        self._form = self.engine.algebra.name
        self._template = Template(self.engine.tree, self.engine.algebra, self.engine.variables) if self._form == "ConstructQuery" else None
        self._fixed = {graph: self.engine.encode(data, graph) for graph, data in self._static.graphs.items()}

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:  # noqa: ARG002 -- declared: no deadline
        """Replace the window."""
        self._elements = sum(part.elements for part in snapshot.contributions)
        with told("load the window"), self._bulk.made(self._elements):
            self._know(snapshot.graphs)
            self.engine.empty(triple for triples in self._fixed.values() for triple in triples)
            content = {graph: self._encoded(graph, slices) for graph, slices in snapshot.graphs.items()}
            for graph, triples in self._fixed.items():
                content[graph] = triples + content.get(graph, [])
            self.engine.load(content)

    def _know(self, graphs: Mapping[Graph, object]) -> None:
        """Plan anew when there is a graph the plan does not know: GRAPH ?g goes over all of them."""
        names = tuple(sorted({*self.engine.named, *(graph for graph in graphs if graph is not None)}))
        if names != self.engine.named and self.engine.sees_names:
            base = self.engine.base_tokens()
            self._start(names)
            self.engine.rebase(base)

    def _encoded(self, graph: Graph, slices: tuple[Slice, ...]) -> list[Triple]:
        found: list[Triple] = []
        if graph in self.engine.summaries:
            for piece in slices:
                found += self.engine.encode(piece.data(), graph)
        return found

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:  # noqa: ARG002 -- declared: no deadline
        """Go on by the change."""
        if self._is_strange(delta) or self._replaces(delta):
            self.load(delta.after)
            return
        changes = delta.changes.values()
        self._elements += _elements(change.entered for change in changes) - _elements(change.left for change in changes)
        with told("apply the change"), collector_paused():
            entered = {graph: self._encoded(graph, change.entered) for graph, change in delta.changes.items()}
            left = {graph: self._encoded(graph, change.left) for graph, change in delta.changes.items()}
            self.engine.change(entered, left)

    def _is_strange(self, delta: Delta) -> bool:
        """Whether there is a graph the plan does not know."""
        return self.engine.sees_names and not {graph for graph in delta.changes if graph is not None} <= set(self.engine.named)

    def _replaces(self, delta: Delta) -> bool:
        """Whether reading the window anew costs less than reading what went; S-Inc is asked for by name and reads the change."""
        if self._mode is Mode.INC or not delta.after.contributions:
            return False
        left = _elements(change.left for change in delta.changes.values())
        return self._elements - left < left

    def evaluate(self, /, *, deadline: float | None = None) -> Result:  # noqa: ARG002 -- declared: no deadline
        """The whole answer, undecoded."""
        with told("answer"):
            answer = self.engine.answer()
            self.engine.settle()
            if self._form == "AskQuery":
                self._held = len(answer) > 0
                return Boolean(self._held)
            if self._template is not None:
                self._shown = self._template.triples(answer)
                return _triples(self._shown)
            return answer

    def changes(self, /, *, deadline: float | None = None) -> Changes:
        """What came and went since the last look."""
        with told("answer"):
            if self._form == "AskQuery":
                before = self._held
                self.evaluate(deadline=deadline)
                return Changes(Boolean(self._held and not before), Boolean(before and not self._held))
            if self._template is not None:
                shown = self._shown
                self.evaluate(deadline=deadline)
                return Changes(_triples(self._shown - shown), _triples(shown - self._shown))
            return Changes(*self.engine.difference())

    def close(self) -> None:
        """Let go of the engine."""
        self.__dict__.clear()


def _elements(parts: Iterable[tuple[Slice, ...]]) -> int:
    return sum(piece.elements for slices in parts for piece in slices)


def _triples(lines: frozenset[bytes]) -> Triples:
    return Triples(b"".join(line + b"\n" for line in sorted(lines)))


@contextmanager
def told(what: str) -> Iterator[None]:
    """Whatever else goes wrong in the block is an EngineError that says at what."""
    try:
        yield
    except (PrspError, Gap):
        raise
    except Exception as error:
        raise EngineError(f"spectra could not {what}: {type(error).__name__}: {error}") from error
