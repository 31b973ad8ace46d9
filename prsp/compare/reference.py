"""What the answers should be: the oracle's, or those of one of the engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from prsp.compare.frozen import Frozen
from prsp.errors import InputError, PrspError
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.model.snapshot import Snapshot
from prsp.oracle import Answer
from prsp.oracle.continuous import Evaluation, Setting, each_answer, whole_answer
from prsp.source import StreamSource
from prsp.verify import evaluator_named, oracle_static, oracle_streams

ORACLE = "oracle"
NAIVE_UP_TO = 2_000
"""Triples in a window up to which the naive evaluator, a nested loop per pattern, is asked when nobody says who."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Who says what is right: the oracle, with ``evaluator`` answering ρ(Q), or the engine of that label."""

    name: str = ORACLE
    evaluator: str | None = None
    """None: the naive one where every window is small, else oxigraph."""

    def about(self, frozen: Frozen) -> str:
        """In words, for the report."""
        return f"oracle, {self.chosen(frozen)} evaluator" if self.name == ORACLE else self.name

    def chosen(self, frozen: Frozen) -> str:
        """The evaluator in force."""
        if self.evaluator is not None:
            return self.evaluator
        largest = max((sum(c.triples for c in window.contributions) for window in frozen.windows), default=0)
        return "naive" if largest <= NAIVE_UP_TO else "oxigraph"


def oracle_answers(
    query: ContinuousQuery,
    sources: Mapping[str, StreamSource],
    files: Mapping[str, str],
    setting: tuple[Profile, Mapping[str, int]],
    frozen: Frozen,
    evaluator: str,
) -> Iterator[Answer]:
    """The oracle's answer to each window, which it cuts by itself; windows that differ from the frozen ones are a fault in prsp.

    The streams are read at once, an answer is worked out when it is asked for.
    """
    own = Setting(*setting, static=oracle_static(query, files))
    expected = each_answer(query, oracle_streams(sources), own, evaluator_named(evaluator, query))
    return _beside(frozen.windows, islice(expected, len(frozen.windows)))


def oracle_answer(
    query: ContinuousQuery,
    sources: Mapping[str, StreamSource],
    files: Mapping[str, str],
    setting: tuple[Profile, Mapping[str, int]],
    number: int,
    evaluator: str,
) -> Answer:
    """The oracle's whole answer to one window, counted from 0."""
    own = Setting(*setting, static=oracle_static(query, files))
    return whole_answer(query, oracle_streams(sources), own, number, evaluator_named(evaluator, query))


def _beside(windows: Sequence[Snapshot], expected: Iterator[Evaluation]) -> Iterator[Answer]:
    count = 0
    for window, evaluation in zip(windows, expected, strict=False):
        if _cut(evaluation) != _as_frozen(window):
            raise PrspError(
                f"the window at {window.at} is not as RSP-QL defines it, which is a fault in prsp: expected {_cut(evaluation)}, "
                f"got {_as_frozen(window)}"
            )
        count += 1
        yield evaluation.answer
    if count < len(windows):
        raise PrspError(f"RSP-QL defines {count} windows where prsp cut {len(windows)}, which is a fault in prsp")


def demand_oracle(lateness: int | None) -> None:
    """Refuse what the oracle knows nothing of."""
    if lateness is not None:
        raise InputError("the oracle knows no late elements: with --lateness name an engine as the reference, as in --reference oxigraph")


_Cut = tuple[int, int, list[tuple[int | None, int | None, int]]]


def _cut(evaluation: Evaluation) -> _Cut:
    return evaluation.at, evaluation.seq, [(c.open, c.close, len(c.elements)) for c in evaluation.windows]


def _as_frozen(window: Snapshot) -> _Cut:
    return window.at, window.seq, [(c.open, c.close, c.elements) for c in window.contributions]
