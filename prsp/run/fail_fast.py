"""Stops a run at the first evaluation that fails, when that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.errors import EngineError
from prsp.run.answers import Answered


def stopping(answered: Iterator[Answered], *, fail_fast: bool) -> Iterator[Answered]:
    """The answers; with ``fail_fast`` an EngineError in place of the first failed one."""
    for question, evaluation in answered:
        if fail_fast and evaluation.failure is not None:
            failure = evaluation.failure
            raise EngineError(f"{evaluation.query} failed at {evaluation.at}: {failure.kind}: {failure.message} (--fail-fast)")
        yield question, evaluation
