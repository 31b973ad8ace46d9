"""A continuous query as the tuple of PRSP Definition 1: (Req, (S, w, s)+, ρ(Q)), with what is known about ρ(Q)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prsp.model.feature import Feature
from prsp.model.window import CountWindow, Window

TIMES = "urn:prsp:times"
"""The graph of times, as ρ(Q) names it: for each triple of the windows a node with its parts and its largest time."""
TIMES_OF = ("urn:prsp:subject", "urn:prsp:predicate", "urn:prsp:object")
TIMES_AT = "urn:prsp:at"


class RegistrationKind(StrEnum):
    """What is registered: a query whose answers are read, or a stream that other queries can read."""

    QUERY = "query"
    STREAM = "stream"


class QueryForm(StrEnum):
    """The four forms of a SPARQL query."""

    SELECT = "select"
    CONSTRUCT = "construct"
    ASK = "ask"
    DESCRIBE = "describe"


@dataclass(frozen=True, slots=True)
class Registration:
    """Req: the kind, the name, and the period of ``COMPUTED EVERY`` in milliseconds."""

    kind: RegistrationKind
    name: str
    every: int | None = None


@dataclass(frozen=True, slots=True)
class StreamWindow:
    """(S, w, s): one ``FROM [NAMED] STREAM`` clause. ``iri`` is the stream's name; a bare word stays a bare word."""

    iri: str
    named: bool
    window: Window


@dataclass(frozen=True, slots=True)
class StaticGraphs:
    """The graphs of ``FROM`` (default) and ``FROM NAMED`` (named), each once, in the order of the text."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rho:
    """ρ(Q) with what is known about it: what a backend prepares."""

    text: str
    form: QueryForm
    variables: tuple[str, ...]
    features: frozenset[Feature]
    sees_blank_nodes: bool = True
    """Whether the answer may change when a blank node becomes an IRI (isBlank, STR, ORDER BY, MIN …)."""
    times: frozenset[str] | None = None
    """The predicates of the triples whose times the text looks up; none: of any triple. None where it reads no graph of times."""


@dataclass(frozen=True, slots=True)
class ContinuousQuery:
    """A registered query, its stream windows, its static graphs, and ρ(Q) as standard SPARQL.

    ``sparql`` is the user's own text with the registration and every dataset clause overwritten by blanks, so a line and
    column in an engine's message are the user's.
    """

    registration: Registration
    streams: tuple[StreamWindow, ...]
    static: StaticGraphs
    sparql: str
    form: QueryForm
    variables: tuple[str, ...]
    """What a SELECT projects, in order; empty for the other forms."""
    features: frozenset[Feature]
    sees_blank_nodes: bool = True
    timed: Rho | None = None
    """ρ(Q) that looks f:timestamp up in the graph of times, where the query uses it: what engines are asked."""
    untimed: str | None = None
    """Why f:timestamp cannot be looked up as this query uses it."""

    @property
    def rho(self) -> Rho:
        """ρ(Q) as a backend gets it."""
        if self.untimed is not None:
            raise ValueError(f"{self.registration.name} has no ρ(Q) for an engine, and the planner refuses it: f:timestamp, {self.untimed}")
        return self.timed or Rho(self.sparql, self.form, self.variables, self.features, self.sees_blank_nodes)

    @property
    def stream(self) -> str:
        """S, when the query has exactly one stream window."""
        return self._only().iri

    @property
    def range(self) -> int:
        """w, when the query has exactly one stream window: milliseconds, or elements for a count window."""
        window = self._only().window
        return window.size if isinstance(window, CountWindow) else window.range

    @property
    def step(self) -> int:
        """s, when the query has exactly one stream window: milliseconds, or elements for a count window."""
        return self._only().window.step

    def _only(self) -> StreamWindow:
        if len(self.streams) != 1:
            raise ValueError(f"{self.registration.name} has {len(self.streams)} stream windows; read them from .streams")
        return self.streams[0]
