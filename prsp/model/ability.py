"""What a session can do beyond answering a snapshot, and what an engine declares it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from prsp.model.feature import Feature


class Ability(StrEnum):
    """One thing an engine can do that is not a construct of the query."""

    STATIC_DATA = "static-data"
    """Graphs that stay while the windows come and go."""
    NAMED_WINDOWS = "named-windows"
    """A window as a named graph (FROM NAMED STREAM)."""
    BLANK_NODES = "blank-nodes"
    """Blank nodes in the window."""
    LARGE_WINDOWS = "large-windows"
    """Windows of a hundred thousand triples in reasonable time."""
    SIDE_BY_SIDE = "side-by-side"
    """Several sessions at once: several queries in a run, or one on several executors."""
    SAME_NAMES = "same-names"
    """Several sessions at once that have named graphs of the same name."""
    DEADLINE = "deadline"
    """Stops by itself when a deadline passes; without it prsp runs the engine in a process of its own."""
    DELTA = "delta"
    """Takes the change instead of the whole window."""
    CHANGES = "changes"
    """Gives the change of the answer."""
    HELD_GRAPHS = "held-graphs"
    """Joins the window with graphs the engine holds already."""


@dataclass(frozen=True)
class Capabilities:
    """What an engine does not do, each with the reason a user is given; everything not listed it does, in full.

    ``faults`` names cases of the conformance kit that the engine gets wrong although it takes the query: nothing can refuse these
    beforehand, so they are shown wherever the engine is.
    """

    gaps: Mapping[Feature | Ability, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)

    def reason(self, wanted: Feature | Ability) -> str | None:
        """Why the engine does not do this; None when it does."""
        return self.gaps.get(wanted)

    def __contains__(self, wanted: Feature | Ability) -> bool:
        return wanted not in self.gaps
