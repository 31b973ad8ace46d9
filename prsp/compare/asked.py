"""Who says what the answers should be."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.compare.frozen import Frozen
from prsp.model.feature import Feature
from prsp.model.query import ContinuousQuery

ORACLE = "oracle"
NAIVE_UP_TO = 2_000
"""Triples in a window up to which the naive evaluator, a nested loop per pattern, is asked when nobody says who."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who says what is right: the oracle, with ``evaluator`` answering ρ(Q), or the engine of that label."""

    name: str = ORACLE
    evaluator: str | None = None
    """None: the naive one where every window is small, or the query looks up times, which no other can; else oxigraph."""

    def about(self, query: ContinuousQuery, frozen: Frozen) -> str:
        """In words, for the report."""
        return f"oracle, {self.chosen(query, frozen)} evaluator" if self.name == ORACLE else self.name

    def chosen(self, query: ContinuousQuery, frozen: Frozen) -> str:
        """The evaluator in force."""
        if self.evaluator is not None:
            return self.evaluator
        if Feature.TIMESTAMP in query.features:
            return "naive"
        largest = max((sum(c.triples for c in window.contributions) for window in frozen.windows), default=0)
        return "naive" if largest <= NAIVE_UP_TO else "oxigraph"
