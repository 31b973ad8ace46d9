"""SPECTRA as a backend: its options, and what it declares it does not do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from prsp.backend import Backend, Option, Requirement, Session, chosen
from prsp.errors import EngineError, UnsupportedQuery
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.static import StaticData
from prsp_backends.spectra.auto import Mode
from prsp_backends.spectra.explain import describe
from prsp_backends.spectra.fallback import FallbackSession
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.session import SpectraSession, told

_ALWAYS: Mapping[Feature | Ability, str] = {
    Ability.DEADLINE: "it has no time limit of its own; prsp runs it in a process that can be ended",
    Ability.HELD_GRAPHS: "its graphs are made for the run",
    Feature.CUSTOM_FUNCTIONS: "it knows no function of that name",
    Feature.SERVICE: "a query may reach nothing outside",
}
_ALONE: Mapping[Feature | Ability, str] = {
    Feature.TRANSITIVE_PATHS: "a path with * or + is a fixpoint without a delta of its own; --option fallback=oxigraph evaluates it anew",
    Feature.DESCRIBE: "DESCRIBE has no delta of its own; --option fallback=oxigraph evaluates it anew",
}
_INSTEAD = "--option fallback=oxigraph evaluates it anew each time"
_INCREMENTAL = Capabilities({**_ALWAYS, **_ALONE})
_FALLING_BACK = Capabilities(
    _ALWAYS,
    {"paths/zero-or-more-absent-start": "by Oxigraph: a path of length zero does not match a term of the query that is not in the data"},
)


@dataclass(frozen=True)
class SpectraBackend(Backend):
    """Incremental evaluation in this process."""

    name: ClassVar[str] = "spectra"
    about: ClassVar[str] = "SPECTRA: answers from the change of the window, in this process"
    options: ClassVar[tuple[Option, ...]] = (
        Option("mode", "from the change (inc), from scratch (rev), or whichever is cheaper", "auto", tuple(Mode)),
        Option("fallback", "what answers queries that have no delta of their own", "none", ("none", "oxigraph")),
    )
    requires: ClassVar[tuple[Requirement, ...]] = (
        Requirement("rdflib", "pip install rdflib"),
        Requirement("pyoxigraph", "pip install pyoxigraph"),
    )

    capabilities: Capabilities = _INCREMENTAL
    mode: Mode = Mode.AUTO
    fallback: bool = False

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from ``mode`` and ``fallback``."""
        values = chosen(cls.name, cls.options, options)
        fallback = values["fallback"] == "oxigraph"
        return cls(_FALLING_BACK if fallback else _INCREMENTAL, Mode(values["mode"]), fallback)

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session for one query with its static data loaded; EngineError when SPECTRA does not take it."""
        try:
            with told("prepare the query"):
                return SpectraSession(rho, static, self.mode)
        except Gap as gap:
            if self.fallback:
                return FallbackSession(rho, static)
            raise EngineError(f"spectra does not take the query: {gap.reason}; {_INSTEAD}") from gap

    def explain(self, rho: Rho) -> str:
        """The plan as text: patterns, pruning, join orders, indexes; UnsupportedQuery when there is none."""
        try:
            return describe(rho.text)
        except Gap as gap:
            if not self.fallback:
                raise UnsupportedQuery(f"{gap.reason}; {_INSTEAD}") from gap
            return f"not incremental: {gap.reason}; evaluated by Oxigraph on the maintained graph"
