"""The ``http`` backend: configuration of an endpoint, and what crashed runs left in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

from prsp.backend import Option, Requirement, Session
from prsp.errors import EngineError, InputError
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.static import StaticData
from prsp_backends.http import ledger
from prsp_backends.http.home import Home
from prsp_backends.http.own_graphs import OwnGraphs
from prsp_backends.http.resident import resident
from prsp_backends.http.session import HttpDeltaSession, HttpSession
from prsp_backends.http.settings import OPTIONS, Mode, Settings, settings
from prsp_backends.http.whole_dataset import WholeDataset
from prsp_backends.http.wire import Wire

_T = TypeVar("_T")
_GAPS: Mapping[Feature | Ability, str] = {
    Ability.CHANGES: "it answers anew each time",
    Ability.SAME_NAMES: "a named graph of the query has its own name in the endpoint, where one session at a time can have it",
    Feature.SERVICE: "a query may reach nothing outside",
}
_NO_DELTA: Mapping[Feature | Ability, str] = {Ability.DELTA: "asked for whole windows; --option mode=delta sends the change"}
_NO_HELD: Mapping[Feature | Ability, str] = {Ability.HELD_GRAPHS: "mode=replace has the dataset for itself; --option mode=graph joins"}
_NO_OTHER: Mapping[Feature | Ability, str] = {
    Ability.SIDE_BY_SIDE: "mode=replace has one window at a time in the dataset; --option mode=graph has room for several"
}
_CAPABILITIES = {
    Mode.GRAPH: Capabilities({**_GAPS, **_NO_DELTA}),
    Mode.DELTA: Capabilities(_GAPS),
    Mode.REPLACE: Capabilities({**_GAPS, **_NO_DELTA, **_NO_HELD, **_NO_OTHER}),
}


@dataclass(frozen=True)
class HttpBackend:
    """A SPARQL 1.1 endpoint; in every mode but ``replace`` nothing that is in it already is touched."""

    name: ClassVar[str] = "http"
    about: ClassVar[str] = "any SPARQL 1.1 endpoint: query, update, graph store"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    requires: ClassVar[tuple[Requirement, ...]] = ()

    settings: Settings
    capabilities: Capabilities = _CAPABILITIES[Mode.GRAPH]

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from its options; nothing is asked of the endpoint yet."""
        chosen = settings(cls.name, options)
        return cls(chosen, _CAPABILITIES[chosen.mode])

    @property
    def held_graphs(self) -> tuple[str, ...]:
        """The graphs of the options ``graphs`` and ``default``."""
        return () if self.settings.mode is Mode.REPLACE else self.settings.held

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session with its own graphs in the endpoint and static data loaded."""
        if self.settings.mode is Mode.REPLACE and (static.held_default or static.held_named):
            raise EngineError(f"http: {_NO_HELD[Ability.HELD_GRAPHS]}")
        wire = Wire(self.settings)
        home: Home = (WholeDataset if self.settings.mode is Mode.REPLACE else OwnGraphs)(wire, static, self.settings)
        session = (HttpDeltaSession if self._sends_changes(rho) else HttpSession)(wire, rho, home)
        try:
            session.open()
        except BaseException:
            session.close()
            raise
        return session

    def explain(self, rho: Rho, /) -> str:
        """How windows reach the endpoint for this query."""
        match self.settings.mode:
            case Mode.REPLACE:
                return "each window replaces the endpoint's unnamed graph"
            case Mode.DELTA if self._sends_changes(rho):
                return "the first window is loaded whole, then one update sends what changed; blank nodes have names meanwhile"
            case Mode.DELTA:
                return "whole windows, although mode=delta: a delta cannot address a blank node, and the query can tell one from an IRI"
            case _:
                return "each window replaces a graph of its own in the endpoint"

    def memory(self) -> int | None:
        """Bytes the endpoint's process holds, where it runs on this machine."""
        return resident(self.settings.query)

    def leftovers(self) -> list[str]:
        """What runs that are not certainly alive left in the endpoint, one line per run."""
        return self._with_wire(lambda wire: [_told(run) for run in ledger.runs(wire) if run.fate is not ledger.Fate.ALIVE])

    def remove_leftovers(self, runs: Iterable[str] = (), /) -> list[str]:
        """Remove what dead runs left, and the runs named, unless they are certainly alive; what was removed."""
        wanted = set(runs)

        def work(wire: Wire) -> list[str]:
            there = ledger.runs(wire)
            for name in wanted - {run.graph.removeprefix(ledger.RUN) for run in there}:
                raise InputError(f"the endpoint's ledger has no run {name}")
            named = [run for run in there if run.graph.removeprefix(ledger.RUN) in wanted]
            for run in named:
                if run.fate is ledger.Fate.ALIVE:
                    raise InputError(f"still alive: {run}")
            over = [run for run in there if run in named or run.fate is ledger.Fate.DEAD]
            # A run that died before it could tell that a graph was taken has it in its entry all the same.
            spared = ledger.graphs_of(run for run in there if run not in over)
            for run in over:
                ledger.remove(wire, run, spared)
            return [str(run) for run in over]

        return self._with_wire(work)

    def _sends_changes(self, rho: Rho) -> bool:
        return self.settings.mode is Mode.DELTA and not rho.sees_blank_nodes

    def _with_wire(self, work: Callable[[Wire], _T]) -> _T:
        wire = Wire(self.settings)
        try:
            return work(wire)
        finally:
            wire.close()


def _told(run: ledger.Run) -> str:
    return str(run) if run.fate is ledger.Fate.DEAD else f"{run} ({run.fate.value}: removed only when named)"
