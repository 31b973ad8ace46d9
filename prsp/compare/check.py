"""One engine's answer to one window against the one expected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prsp.model.evaluation import Evaluation
from prsp.oracle import Answer
from prsp.verify import answer_of, judged_answer


class Verdict(StrEnum):
    """What a check comes to."""

    EQUAL = "equal"
    DATATYPES = "datatypes"
    """Equal by value, but numbers have other datatypes."""
    DIFFERENT = "different"
    FAILED = "failed"
    UNJUDGED = "unjudged"
    """The query may be answered differently each time."""


@dataclass(frozen=True, slots=True)
class Check:
    """The verdict, what differs in words, and the rows: right ones, those wanted, those given."""

    verdict: Verdict
    difference: str | None
    right: int
    wanted: int
    given: int


def check(evaluation: Evaluation, expected: Answer | None, *, repeatable: bool) -> Check:
    """The engine's answer beside the expected one; None is that of a reference that failed itself."""
    answer = None if evaluation.result is None else answer_of(evaluation.result)
    judged = judged_answer(evaluation.at, evaluation.seq, frozenset() if expected is None else expected, answer)
    if answer is None:
        return Check(Verdict.FAILED, None, 0, judged.wanted, 0)
    if not repeatable or expected is None:
        return Check(Verdict.UNJUDGED, None, 0, 0, judged.given)
    verdict = Verdict.DATATYPES if judged.only_datatypes else Verdict.EQUAL if judged.difference is None else Verdict.DIFFERENT
    return Check(verdict, judged.difference, judged.right, judged.wanted, judged.given)
