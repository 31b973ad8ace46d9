"""SPECTRA as a contestant: a session, or its inner engine, over a window that slides."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from prsp.backend import backend_named
from prsp.backend.interface import ChangeSession
from prsp.bench.spectra_timing import timed
from prsp.bench.spectra_windows import SlidingWindow, over_and_over
from prsp.bench.spectra_workloads import Workload
from prsp.model.delta import Delta
from prsp.model.result import Solutions
from prsp.model.static import NO_STATIC_DATA
from prsp.parse import parse_rho

Look = Callable[[ChangeSession], object]
"""What is wanted of the answer after each slide."""


def answer(session: ChangeSession) -> object:
    """The whole answer, undecoded."""
    return session.evaluate()


def decoded(session: ChangeSession) -> object:
    """The whole answer as Python terms."""
    found = session.evaluate()
    assert isinstance(found, Solutions)
    return found.rows()


def written(session: ChangeSession) -> object:
    """The whole answer as SPARQL JSON."""
    found = session.evaluate()
    assert isinstance(found, Solutions)
    return found.json()


def news(session: ChangeSession) -> object:
    """The rows that came and went, as Python terms."""
    found = session.changes()
    assert isinstance(found.added, Solutions)
    assert isinstance(found.removed, Solutions)
    return found.added.rows(), found.removed.rows()


def prepared(workload: Workload, mode: str) -> ChangeSession:
    """A session of SPECTRA for the workload's query."""
    session = backend_named("spectra").from_options({"mode": mode}).prepare(parse_rho(workload.query), NO_STATIC_DATA)
    assert isinstance(session, ChangeSession)
    return session


class Contender:
    """A session fed by deltas, from N-Triples bytes."""

    def __init__(
        self, workload: Workload, lines: list[bytes], size: int, slide: int, *, mode: str, look: Look, steps: int, block: int = 1
    ) -> None:
        self._slide, self._block, self._look = slide, block, look
        self.window = SlidingWindow(over_and_over(lines), size, slide, steps=(steps + 1) * block)
        self.session = prepared(workload, mode)
        self.session.load(self.window.snapshot)
        look(self.session)

    def run(self) -> float:
        """Seconds per slide, over a block of them."""
        spent = 0.0
        for _ in range(self._block):
            spent += timed(partial(self._step, self.window.advance(self._slide)))
        return spent / self._block

    def _step(self, delta: Delta) -> None:
        self.session.apply(delta)
        self._look(self.session)

    def rows(self) -> int:
        """How many rows the answer has now."""
        found = self.session.evaluate()
        assert isinstance(found, Solutions)
        return len(found.rows())


class EncodedContender:
    """The engine inside a session, fed with triples whose terms are numbers already."""

    def __init__(self, workload: Workload, lines: list[bytes], size: int, slide: int, *, steps: int) -> None:
        self._slide = slide
        self.window = SlidingWindow(over_and_over(lines), size, slide, steps=steps + 1)
        session: Any = prepared(workload, "inc")
        self._engine = session.engine
        self._held = deque(self._engine.encode(piece.data()) for piece in self.window.snapshot.graphs[None])
        self._engine.load({None: [triple for batch in self._held for triple in batch]})
        self._engine.answer()

    def run(self) -> float:
        """Seconds for one slide and its answer, undecoded."""
        change = self.window.advance(self._slide).changes[None]
        entered = [self._engine.encode(piece.data()) for piece in change.entered]
        left = [self._held.popleft() for _ in change.left]
        self._held.extend(entered)
        came, went = ([triple for batch in batches for triple in batch] for batches in (entered, left))
        return timed(lambda: (self._engine.slide(came, went), self._engine.answer()))

    def rows(self) -> int:
        """How many rows the answer has now."""
        return len(self._engine.answer())
