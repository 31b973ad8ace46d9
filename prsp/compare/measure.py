"""Takes the times: every engine is brought to every window, in turns, so that noise hits all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from prsp.compare.frozen import Frozen
from prsp.model.evaluation import Evaluation
from prsp.model.result import Boolean, Triples
from prsp.model.snapshot import Snapshot
from prsp.run import Registered, Summary
from prsp.run.evaluator import Evaluator
from prsp.trigger import Due

WARM_UP = 2
"""Windows that every engine is asked of before anything counts."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One engine's evaluation of one window in one round, in seconds; ``out``: reading its answer out, as SPARQL JSON or N-Triples."""

    label: str
    round: int
    window: int
    tlt: float
    qrt: float
    out: float
    evaluation: Evaluation


class Lane:
    """One engine's way through the windows."""

    def __init__(self, registered: Registered, frozen: Frozen, *, deadline: int | None, lateness: int | None) -> None:
        assert frozen.evaluations is not None
        self._summary = Summary()
        self._evaluator = Evaluator(registered, self._summary, deadline=deadline)
        self._evaluator.resolve(frozen.origin, lateness, frozen.evaluations.snapshot)

    def take(self, snapshot: Snapshot) -> tuple[Evaluation, float, float]:
        """The evaluation of the next window, its TLT and its QRT."""
        seconds = self._summary.seconds
        load, query = seconds.get("load", 0.0), seconds.get("query", 0.0)
        evaluation = self._evaluator.answer(snapshot)
        if evaluation.failure is None:
            self._evaluator.answered = Due(evaluation.at, evaluation.seq)
        return evaluation, seconds.get("load", 0.0) - load, seconds.get("query", 0.0) - query

    def close(self) -> None:
        """End its session."""
        self._evaluator.close()


def measure(
    registered: Mapping[str, Registered],
    frozen: Frozen,
    *,
    repeat: int,
    deadline: int | None,
    lateness: int | None,
    progress: Callable[[float], object],
) -> Generator[list[Timed], None, None]:
    """Round by round and window by window every engine's evaluation, another engine first each time."""
    count = len(frozen.windows)
    steps = repeat * count + min(count, WARM_UP)
    done = 0
    for number in range(-1, repeat):
        with ExitStack() as stack:
            lanes = {label: _lane(stack, one, frozen, deadline=deadline, lateness=lateness) for label, one in registered.items()}
            order = list(lanes)
            for window in range(count if number >= 0 else min(count, WARM_UP)):
                snapshot = frozen.bring(window)
                first = (window + number) % len(order)
                gc.collect()  # what is alive is old from here on: no engine is charged for the garbage of another
                taken = {label: lanes[label].take(snapshot) for label in order[first:] + order[:first]}
                if number >= 0:
                    yield [Timed(label, number, window, tlt, qrt, _read_out(e), e) for label, (e, tlt, qrt) in taken.items()]
                del taken
                done += 1
                progress(done / steps)


def _lane(stack: ExitStack, registered: Registered, frozen: Frozen, *, deadline: int | None, lateness: int | None) -> Lane:
    lane = Lane(registered, frozen, deadline=deadline, lateness=lateness)
    stack.callback(lane.close)
    return lane


def _read_out(evaluation: Evaluation) -> float:
    result = evaluation.result
    began = time.perf_counter()
    if isinstance(result, Triples):
        result.lines()
    elif result is not None and not isinstance(result, Boolean):
        result.json()
    return time.perf_counter() - began
