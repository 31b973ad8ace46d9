"""What the answers should be, by the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prsp.compare.case import Case
from prsp.compare.frozen import Frozen
from prsp.errors import InputError, PrspError
from prsp.model.snapshot import Snapshot
from prsp.oracle import Answer
from prsp.oracle.continuous import Evaluation, Setting, each_answer, whole_answer
from prsp.verify import evaluator_named, oracle_static, oracle_streams


def oracle_answers(case: Case, frozen: Frozen) -> Iterator[Answer]:
    """The oracle's answer to each window, which it cuts by itself; windows that differ from the frozen ones are a fault in prsp.

    The streams are read at once, an answer is worked out when it is asked for.
    """
    evaluator = evaluator_named(case.reference.chosen(case.query, frozen), case.query)
    expected = each_answer(case.query, oracle_streams(case.sources), _setting(case), evaluator)
    return _beside(frozen.windows, expected, to_the_end=case.windows is None and case.flush)


def oracle_answer(case: Case, frozen: Frozen, number: int) -> Answer:
    """The oracle's whole answer to one window, counted from 0."""
    evaluator = evaluator_named(case.reference.chosen(case.query, frozen), case.query)
    return whole_answer(case.query, oracle_streams(case.sources), _setting(case), number, evaluator)


def _setting(case: Case) -> Setting:
    return Setting(case.profile, case.origins, static=oracle_static(case.query, case.files))


def _beside(windows: Sequence[Snapshot], expected: Iterator[Evaluation], *, to_the_end: bool) -> Iterator[Answer]:
    for number, window in enumerate(windows, 1):
        evaluation = next(expected, None)
        if evaluation is None:
            raise PrspError(f"RSP-QL defines {number - 1} windows where prsp cut {len(windows)}, which is a fault in prsp")
        if _cut(evaluation) != _as_frozen(window):
            raise PrspError(
                f"the window at {window.at} is not as RSP-QL defines it, which is a fault in prsp: expected {_cut(evaluation)}, "
                f"got {_as_frozen(window)}"
            )
        # Before the last answer goes out: nobody asks for one more.
        if to_the_end and number == len(windows) and next(expected, None) is not None:
            raise PrspError(f"RSP-QL defines more than the {len(windows)} windows that prsp cut, which is a fault in prsp")
        yield evaluation.answer


def demand_oracle(lateness: int | None) -> None:
    """Refuse what the oracle knows nothing of."""
    if lateness is not None:
        raise InputError("the oracle knows no late elements: with --lateness name an engine as the reference, as in --reference oxigraph")


_Cut = tuple[int, int, list[tuple[int | None, int | None, int]]]


def _cut(evaluation: Evaluation) -> _Cut:
    return evaluation.at, evaluation.seq, [(c.open, c.close, len(c.elements)) for c in evaluation.windows]


def _as_frozen(window: Snapshot) -> _Cut:
    return window.at, window.seq, [(c.open, c.close, c.elements) for c in window.contributions]
