"""Profiles: the parameters a dialect leaves unsaid, as one named value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Bounds(StrEnum):
    """Which ends of a window, opened at o and closed at c, belong to it."""

    CLOSED = "closed"
    """o ≤ τ ≤ c (PRSP)."""
    LEFT_OPEN = "left-open"
    """o < τ ≤ c (RSP-QL Definition 12)."""
    RIGHT_OPEN = "right-open"
    """o ≤ τ < c (Streaming SPARQL)."""


class Strategy(StrEnum):
    """When a window is reported (SECRET; RSP-QL Definition 23); a policy is a conjunction of these."""

    WINDOW_CLOSE = "window-close"
    NON_EMPTY = "non-empty"
    PERIODIC = "periodic"
    CONTENT_CHANGE = "content-change"
    """An element enters or leaves what the stream contributes."""
    ARRIVAL = "arrival"
    """An element enters what the stream contributes."""


class Operator(StrEnum):
    """What of the answer comes out: all of it, what is new, or what is gone (RSP-QL Definitions 20-22)."""

    RSTREAM = "rstream"
    ISTREAM = "istream"
    DSTREAM = "dstream"


class Origin(StrEnum):
    """What t0 fixes: where window 0 opens, or where it ends (PRSP equation 3 to the letter)."""

    OPENS = "opens"
    ENDS = "ends"


class Placement(StrEnum):
    """Which graph of the dataset a stream's window becomes."""

    AS_WRITTEN = "as-written"
    """FROM STREAM: the default graph; FROM NAMED STREAM: the named graph of that IRI."""
    DEFAULT_GRAPH = "default-graph"
    """Always the default graph, as the C-SPARQL engine does."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A dialect's hidden parameters, all explicit."""

    name: str
    bounds: Bounds
    report: tuple[Strategy, ...]
    operator: Operator
    placement: Placement
    origin: Origin
    t0: int | None = None
    """The origin in milliseconds; None: taken from the data."""
    bound: tuple[str, ...] = ()
    """The streams whose windows the policy is bound to; empty: all of them."""
    every: int | None = None
    """The period in milliseconds, before that of the query; None: what the query says."""

    def every_for(self, computed_every: int | None) -> int | None:
        """The period in force, where the query says ``COMPUTED EVERY`` so many milliseconds, or nothing."""
        return self.every if self.every is not None else computed_every

    def report_for(self, computed_every: int | None) -> tuple[Strategy, ...]:
        """The policy in force: a period replaces window-close by periodic and keeps the rest."""
        if self.every_for(computed_every) is None:
            return self.report
        return tuple(Strategy.PERIODIC if s is Strategy.WINDOW_CLOSE else s for s in self.report)

    def report_text(self, computed_every: int | None) -> str:
        """The policy in force as ``--report`` takes it."""
        names = [str(strategy) for strategy in self.report_for(computed_every)]
        return "+".join(f"{name}@{iri}" for iri in self.bound for name in names) if self.bound else "+".join(names)

    def overrides(self, standard: Profile) -> dict[str, object]:
        """What is not as in the standard profile of this name, but for t0, which every run fixes."""
        found: dict[str, object] = {}
        if self.bounds != standard.bounds:
            found["bounds"] = self.bounds
        if (self.report, self.bound) != (standard.report, standard.bound):
            found["report"] = self.report_text(None)
        if self.operator != standard.operator:
            found["operator"] = self.operator
        if self.every != standard.every:
            found["every"] = self.every
        return found


_WC = (Strategy.WINDOW_CLOSE,)
_WC_NC = (Strategy.WINDOW_CLOSE, Strategy.NON_EMPTY)

PROFILES = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("prsp", Bounds.CLOSED, _WC, Operator.RSTREAM, Placement.AS_WRITTEN, Origin.OPENS),
            Profile("prsp-eq3", Bounds.CLOSED, _WC, Operator.RSTREAM, Placement.AS_WRITTEN, Origin.ENDS),
            Profile("csparql", Bounds.LEFT_OPEN, _WC_NC, Operator.RSTREAM, Placement.DEFAULT_GRAPH, Origin.OPENS),
        )
    }
)
"""The profiles of C-SPARQL text, by name; the first is its default."""
