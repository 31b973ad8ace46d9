"""The way out for what has no delta of its own: Oxigraph on the maintained graph."""

from __future__ import annotations

from collections import Counter

from prsp.model.delta import Delta
from prsp.model.query import Rho
from prsp.model.result import Boolean, Changes, Result, Solutions, Triples, solutions
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp_backends.oxigraph import OxigraphSession


class FallbackSession:
    """Keeps the window in an Oxigraph store by the net change, asks the whole query, and compares answers for ``changes``."""

    def __init__(self, rho: Rho, static: StaticData) -> None:
        self._inner = OxigraphSession(rho.text, keep=True)
        self._inner.hold(static)
        self._last: Result | None = None

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Replace the window."""
        self._inner.load(snapshot, deadline=deadline)

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        """Go on by the net change."""
        self._inner.apply(delta, deadline=deadline)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """The whole answer."""
        self._last = self._inner.evaluate(deadline=deadline)
        return self._last

    def changes(self, /, *, deadline: float | None = None) -> Changes:
        """The difference between the answer now and the last one."""
        before = self._last
        after = self.evaluate(deadline=deadline)
        return Changes(_less(after, before), _less(before, after) if before is not None else _less(after, after))

    def close(self) -> None:
        """Drop the store."""
        self._inner.close()


def _less(one: Result, other: Result | None) -> Result:
    """What is in one answer and not in the other."""
    if isinstance(one, Boolean):
        return Boolean(one.value and not (isinstance(other, Boolean) and other.value))
    if isinstance(one, Triples):
        gone = set(other.lines()) if isinstance(other, Triples) else set()
        return Triples("".join(f"{line}\n" for line in one.lines() if line not in gone).encode())
    rest = Counter(one.rows())
    if isinstance(other, Solutions):
        rest -= Counter(other.rows())
    return solutions(one.variables, rest.elements())
