"""Refuses, before the first element, sessions that an engine cannot hold at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from prsp.backend import Backend
from prsp.errors import UnsupportedQuery
from prsp.model.ability import Ability
from prsp.model.profile import Placement, Profile
from prsp.model.query import ContinuousQuery


def refuse_together(queries: Sequence[ContinuousQuery], profile: Profile, backend: Backend, *, spread: bool) -> None:
    """UnsupportedQuery where several queries, or blocks of one that are ``spread`` over executors, need what one session has."""
    if len(queries) == 1 and not spread:
        return
    advice = "ask one query at a time, on the driver, or use another engine"
    reason = backend.capabilities.reason(Ability.SIDE_BY_SIDE)
    if reason is not None:
        raise UnsupportedQuery(f"the {backend.name} backend cannot hold several sessions at once ({reason}): {advice}")
    reason = backend.capabilities.reason(Ability.SAME_NAMES)
    shared = _shared(queries, profile, spread=spread)
    if reason is not None and shared:
        what = f"sessions that share the named graph <{min(shared)}>"
        raise UnsupportedQuery(f"the {backend.name} backend cannot hold {what} at once ({reason}): {advice}")


def _shared(queries: Sequence[ContinuousQuery], profile: Profile, *, spread: bool) -> set[str]:
    named = profile.placement is Placement.AS_WRITTEN
    names = Counter(name for query in queries for name in {*query.static.named, *(s.iri for s in query.streams if s.named and named)})
    return {name for name, number in names.items() if spread or number > 1}
