"""Opens a session on an engine: in this process, or in one of its own that can be ended."""

from __future__ import annotations

from prsp.backend.feed import Feed
from prsp.backend.interface import Backend
from prsp.backend.isolate import IsolatedSession
from prsp.backend.times import Times
from prsp.model.ability import Ability
from prsp.model.query import Rho
from prsp.model.static import StaticData


def open_feed(backend: Backend, rho: Rho, static: StaticData, *, deadlines: bool = False, isolate: bool = False) -> Feed:
    """A session to be fed with snapshots. With ``deadlines`` every engine keeps to them, by being ended if need be."""
    times = None if rho.times is None else Times(rho.times)
    if times is not None:
        rho = times.named_in(rho)
    apart = isolate or (deadlines and Ability.DEADLINE not in backend.capabilities)
    session = IsolatedSession(backend, rho, static) if apart else backend.prepare(rho, static)
    return Feed(session, backend.capabilities, static, times)
