"""What a comparison came to: evaluation by evaluation, for one trial, and over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prsp.model.equality import Difference, Literals, compare_booleans, compare_graphs, compare_solutions
from prsp.oracle import Answer, Solutions
from prsp.oracle.continuous import Evaluation
from prsp.verify.recorded import Recorded


@dataclass(frozen=True, slots=True)
class Compared:
    """An evaluation that was expected, recorded, or both. ``right`` rows are in both answers."""

    at: int
    seq: int
    expected: Answer | None
    got: Answer | None
    difference: str | None
    """What is wrong; None when nothing is."""
    right: int = 0
    wanted: int = 0
    given: int = 0
    only_datatypes: bool = False
    """Whether nothing but datatypes of numbers differs."""

    @property
    def precision(self) -> float:
        """The share of what was given that is right; of nothing, all."""
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that was given; of nothing, all."""
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Trial:
    """The recorded answers against Ans(Q) under one choice of the origins."""

    origins: Mapping[str, int]
    compared: Sequence[Compared]

    @property
    def correct(self) -> bool:
        """Whether nothing differs; datatypes of numbers may."""
        return all(c.difference is None or c.only_datatypes for c in self.compared)

    @property
    def first(self) -> Compared | None:
        """The first evaluation that differs."""
        return next((c for c in self.compared if c.difference is not None and not c.only_datatypes), None)

    @property
    def agreeing(self) -> int:
        """How many evaluations are as expected."""
        return sum(c.difference is None or c.only_datatypes for c in self.compared)

    def whole(self) -> Compared:
        """All of it as one, for precision, recall and F over the run."""
        right, wanted, given = (sum(getattr(c, name) for c in self.compared) for name in ("right", "wanted", "given"))
        return Compared(0, 0, None, None, None, right, wanted, given)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Correct for some origins, or not: then ``best`` is the trial that comes closest, and ``reason`` what explains it all."""

    best: Trial
    origins: Sequence[Mapping[str, range]] = field(default_factory=list)
    """Every choice of origins under which the answers are correct."""
    after: int | None = None
    """Only evaluations later than this are compared; None: all."""
    tried: int = 0
    reason: str | None = None
    repeatable: bool = True

    @property
    def correct(self) -> bool:
        """Whether the answers are correct for some origin."""
        return bool(self.origins)


def compared(expected: Sequence[Evaluation], recorded: Sequence[Recorded], tolerance: int = 0) -> list[Compared]:
    """Each evaluation with its partner: that of the same instant and number, or the first up to ``tolerance`` later."""
    found: list[Compared] = []
    waiting = list(recorded)
    for evaluation in expected:
        own = next((r for r in waiting if _partners(evaluation, r, tolerance)), None)
        if own is not None:
            waiting.remove(own)
        found.append(_pair(evaluation, own))
    found += [_pair(None, left) for left in waiting]
    return sorted(found, key=lambda c: (c.at, c.seq))


def _partners(evaluation: Evaluation, recorded: Recorded, tolerance: int) -> bool:
    if tolerance:
        return evaluation.at <= recorded.at <= evaluation.at + tolerance
    return (evaluation.at, evaluation.seq) == (recorded.at, recorded.seq)


def _pair(evaluation: Evaluation | None, recorded: Recorded | None) -> Compared:
    if evaluation is None:
        assert recorded is not None
        return Compared(recorded.at, recorded.seq, None, recorded.answer, "no evaluation is expected then", 0, 0, size(recorded.answer))
    expected, at, seq = evaluation.answer, evaluation.at, evaluation.seq
    if recorded is None:
        return Compared(at, seq, expected, None, "the evaluation is missing", 0, size(expected), 0)
    return judged_answer(at, seq, expected, recorded.answer)


def judged_answer(at: int, seq: int, expected: Answer, got: Answer | None) -> Compared:
    """One answer against the one expected; None is that of an engine that failed."""
    wanted = size(expected)
    if got is None:
        return Compared(at, seq, expected, None, "the engine failed", 0, wanted, 0)
    told = difference(expected, got)
    given = size(got)
    if told is None or told.only_datatypes:
        return Compared(at, seq, expected, got, None if told is None else str(told), wanted, wanted, given, told is not None)
    right = wanted - len(told.missing) if told.missing or told.extra else 0
    return Compared(at, seq, expected, got, str(told), right, wanted, given)


def difference(expected: Answer, got: Answer) -> Difference | None:
    """What is wrong with an answer: as a bag, blank nodes up to isomorphism, numbers by value."""
    match expected, got:
        case bool(), bool():
            return compare_booleans(expected, got)
        case Solutions(), Solutions():
            return compare_solutions(expected, got, literals=Literals.BY_VALUE)
        case frozenset(), frozenset():
            return compare_graphs(expected, got, literals=Literals.BY_VALUE)
        case _:
            return Difference(f"expected {_kind(expected)}, got {_kind(got)}")


def size(answer: Answer | None) -> int:
    """How many rows or triples; a truth value is one."""
    if answer is None:
        return 0
    if isinstance(answer, bool):
        return 1
    return len(answer.rows) if isinstance(answer, Solutions) else len(answer)


def _kind(answer: Answer) -> str:
    return "a truth value" if isinstance(answer, bool) else "solutions" if isinstance(answer, Solutions) else "triples"
