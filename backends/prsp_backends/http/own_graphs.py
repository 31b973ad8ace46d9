"""Graphs of our own beside those of the user, who keeps every triple: ``mode=graph`` and ``mode=delta``."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations

from prsp.errors import EngineError
from prsp.model.static import StaticData
from prsp_backends.http import abandoned, ledger
from prsp_backends.http.settings import Settings
from prsp_backends.http.wire import Dataset, Wire

_PROBE = b"<urn:prsp:probe> <urn:prsp:probe> <urn:prsp:probe> .\n"
_COUNTS = "SELECT ?n ?m { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } { SELECT (COUNT(*) AS ?m) { GRAPH ?g { ?s ?p ?o } } } }"
_ANY = "ASK { ?s ?p ?o }"


class OwnGraphs:
    """The window's graph, one for static triples of the default graph, and the named ones under their own names."""

    def __init__(self, wire: Wire, static: StaticData, settings: Settings) -> None:
        self._wire, self._static, self._settings = wire, static, settings
        self._run = ledger.new_run()
        identity = self._run.graph.removeprefix(ledger.RUN)
        self._window, self._beside = f"urn:prsp:window:{identity}", f"urn:prsp:static:{identity}"
        self._own_default = static.graphs.get(None, b"")
        self._own_lines = frozenset(self._own_default.split(b"\n")) - {b""}
        self.tidy: tuple[bytes, ...] = ()

    def open(self) -> None:
        """Write the ledger, try the endpoint out, load static data."""
        abandoned.remove_settled(self._wire)
        self._run = ledger.enter(self._wire, self._run, (self._window, self._beside))
        merges = self._probe()
        self._check_unnamed()
        self._wire.put(self._window, b"", "make the window's graph")
        self._wire.put(self._beside, self._own_default, "load the static data")
        self._claim(graph for graph in self._static.graphs if graph is not None)
        for graph, lines in self._static.graphs.items():
            if graph is not None:
                self._wire.put(graph, lines, "load the static data")
        if self._static.held_default and not merges:
            self._keep_apart()

    def settle(self, named: Iterable[str], deadline: float | None = None) -> Dataset:
        """Our default graphs and those the endpoint holds, and the same of named ones."""
        names = list(named)
        self._claim(names, deadline)
        static = [graph for graph in self._static.graphs if graph is not None]
        default = (self._window, *([self._beside] if self._own_lines else []), *self._static.held_default)
        return Dataset(default, tuple(dict.fromkeys([*names, *static, *self._static.held_named])))

    def target(self, graph: str | None) -> str:
        """The window's graph for the default graph; a named window is seen under its own name."""
        return self._window if graph is None else graph

    def content(self, graph: str | None, window: bytes) -> bytes:
        """The window; what is static beside it is left out, as some engines count a triple once per default graph."""
        if graph is not None:
            return self._static.graphs.get(graph, b"") + window
        if not self._own_lines:
            return window
        return b"".join(line + b"\n" for line in window.split(b"\n") if line and line not in self._own_lines)

    def close(self, deadline: float) -> None:
        """Remove our graphs and the entry in the ledger; while an update may still be at work, the entry stays."""
        if not self._run.graphs:
            return
        try:
            if self._wire.unsure:
                abandoned.leave(self._wire, self._run, deadline)
            else:
                ledger.remove(self._wire, self._run, deadline=deadline)
        except EngineError:
            abandoned.note(self._run)
            return
        with suppress(EngineError):
            abandoned.remove_settled(self._wire, deadline)

    def _probe(self) -> bool:
        """Whether the endpoint makes one set of its default graphs; EngineError where it does not keep to the dataset it is given."""
        for graph in (self._window, self._beside):
            self._wire.put(graph, _PROBE, "make a graph of its own")
        found = self._wire.select(_COUNTS, "try the dataset parameters", Dataset((self._window, self._beside)))
        counts = {(row.get("n"), row.get("m")) for row in found}
        if counts not in ({("1", "0")}, {("2", "0")}):
            raise EngineError(
                "the endpoint does not keep to default-graph-uri and named-graph-uri, so a window would mix with what else it holds; "
                "use --option mode=replace with a dataset of its own"
            )
        return counts == {("1", "0")}

    def _check_unnamed(self) -> None:
        name = self._settings.unnamed
        if name is None or name not in self._static.held_default:
            return
        what = "check the name of the unnamed graph"
        if self._wire.ask(_ANY, what) != self._wire.ask(_ANY, what, Dataset((name,))):
            raise EngineError(
                f"--option default={name}: that is not this endpoint's name for its unnamed graph; copy the data to a named graph"
            )

    def _claim(self, names: Iterable[str], deadline: float | None = None) -> None:
        """Take names for graphs of ours; EngineError for one that holds anything of somebody else's."""
        new = [name for name in dict.fromkeys(names) if name not in self._run.graphs]
        if not new:
            return
        self._check_free(new, deadline)
        for name in new:
            if self._wire.holds(name, "look at a graph", deadline):
                raise EngineError(
                    f"the endpoint already holds a graph <{name}>, and prsp touches nothing it did not make; "
                    f"use its data with --option graphs={name} and FROM NAMED, or take another name"
                )
        before = self._run
        self._run = ledger.enter(self._wire, before, new, deadline)
        try:
            self._check_free(new, deadline)  # another run may have taken it in the meantime
        except EngineError:
            self._run = before
            ledger.enter(self._wire, before, (), deadline)
            raise

    def _check_free(self, names: Iterable[str], deadline: float | None) -> None:
        others = [run for run in ledger.runs(self._wire, deadline) if run.graph != self._run.graph]
        over = [run for run in others if run.fate is ledger.Fate.DEAD or abandoned.includes(run)]
        for name in names:
            for run in others:
                if name in run.graphs and run not in over:
                    raise EngineError(f"graph <{name}> of the endpoint is in use by another {run}")
        spared = ledger.graphs_of(run for run in others if run not in over)
        for run in over:
            if set(names) & set(run.graphs):
                (abandoned.wait_and_remove if abandoned.includes(run) else ledger.remove)(self._wire, run, spared, deadline)

    def _keep_apart(self) -> None:
        """Have the engine take out of our graphs what it holds already, where it would count it twice."""
        held = self._static.held_default
        if self._settings.update is None:
            raise EngineError(
                "this endpoint counts a triple once per default graph it is in; give --option update=URL, so that prsp can take out of "
                "its own graphs what the endpoint holds already"
            )
        for one, other in combinations(held, 2):
            if self._wire.ask(f"ASK {{ {self._in(one)} {self._in(other)} }}", "compare the held graphs"):
                raise EngineError(
                    f"this endpoint counts a triple once per default graph it is in, and <{one}> and <{other}> share some: name one of them"
                )
        self.tidy = tuple(self._without(self._window, graph) for graph in held)
        self._wire.update([self._without(self._beside, graph) for graph in held], "load the static data")

    def _in(self, graph: str) -> str:
        return "{ ?s ?p ?o }" if graph == self._settings.unnamed else f"GRAPH <{graph}> {{ ?s ?p ?o }}"

    def _without(self, ours: str, held: str) -> bytes:
        return f"DELETE {{ GRAPH <{ours}> {{ ?s ?p ?o }} }} WHERE {{ GRAPH <{ours}> {{ ?s ?p ?o }} {self._in(held)} }}".encode()
