"""One query, the same windows, several engines: measured and checked."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from prsp.compare.asked import ORACLE
from prsp.compare.bundle import demand_place
from prsp.compare.case import Case
from prsp.compare.check import Check, Verdict, check
from prsp.compare.contender import Contender, registrations
from prsp.compare.digest import digest
from prsp.compare.frozen import Frozen, WindowFacts, freeze
from prsp.compare.measure import Timed, measure
from prsp.compare.memory import Memory, memory_of
from prsp.compare.reference import demand_oracle, oracle_answers
from prsp.compare.saving import demand_windows, save_windows
from prsp.errors import InputError
from prsp.model.evaluation import Failure
from prsp.model.feature import Feature
from prsp.model.profile import Operator
from prsp.oracle import Answer
from prsp.run import Registered, RunOptions
from prsp.verify import answer_of, evaluator_named, size

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(slots=True)
class WindowResult:
    """One engine's evaluation of one window: seconds round by round, and what came of it."""

    tlt: list[float] = field(default_factory=list)
    qrt: list[float] = field(default_factory=list)
    out: list[float] = field(default_factory=list)
    rows: int | None = None
    failure: Failure | None = None
    check: Check | None = None
    digest: str | None = None


@dataclass(slots=True)
class EngineResult:
    """One engine's way through the windows; ``refused`` says why it was not asked at all."""

    engine: str
    refused: str | None = None
    windows: list[WindowResult] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)


@dataclass(frozen=True, slots=True)
class Compared:
    """A case, its windows, and every engine's results."""

    case: Case
    frozen: Frozen
    facts: Sequence[WindowFacts]
    expected: Sequence[int]
    """Rows of the expected answer to each window."""
    reference: str
    profile: str
    results: Sequence[EngineResult]


Progress = Callable[[str, float], object]
"""Told what is being done and how much of it is."""


def compare(
    case: Case,
    taking_part: Sequence[Contender],
    start: Callable[[], SparkSession],
    progress: Progress = lambda _what, _part: None,
    *,
    save: Mapping[int, Path] = MappingProxyType({}),
    overwrite: bool = False,
) -> Compared:
    """Cut, measure, check; the windows of ``save``, by number, go into folders. Spark is started when nothing is refused."""
    registered, refused = registrations(case.query, taking_part, case.profile, files=case.files, origins=case.origins)
    _demand_reference(case, registered)
    for folder in save.values():
        demand_place(folder, overwrite=overwrite)
    with ExitStack() as stack:
        root = stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-compare-"))
        progress("cutting", 0.0)
        frozen = freeze(_run_options(case, next(iter(registered.values()))), root, start())
        demand_windows(frozen, save)
        facts = frozen.facts()
        results = {one.label: EngineResult(one.label, refused.get(one.label)) for one in taking_part}
        expected: list[int] = []
        profile = ""
        if frozen.windows:
            answers = oracle_answers(case, frozen) if case.reference.name == ORACLE else iter(())
            rounds = measure(
                registered,
                frozen,
                repeat=case.repeat,
                deadline=case.deadline,
                lateness=case.lateness,
                progress=lambda part: progress("measuring", part),
            )
            # Closed where checking fails, too: sessions end before the windows go.
            for taken in stack.enter_context(closing(rounds)):
                profile = taken[0].evaluation.profile
                _enter(case, results, taken, answers, expected)
            for label, one in registered.items() if case.memory else ():
                progress(f"memory of {label}", 0.0)
                results[label].memory = memory_of(one, frozen)
        save_windows(case, registered, frozen, profile, save, overwrite=overwrite)
        return Compared(case, frozen, facts, expected, case.reference.about(case.query, frozen), profile, list(results.values()))


def _demand_reference(case: Case, registered: Mapping[str, Registered]) -> None:
    if case.reference.name != ORACLE and case.reference.evaluator is not None:
        raise InputError(
            f"--evaluator {case.reference.evaluator} answers for the oracle, and --reference is {case.reference.name}: leave one out"
        )
    if case.reference.name == ORACLE:
        demand_oracle(case.lateness)
        if case.reference.evaluator is not None:
            evaluator_named(case.reference.evaluator, case.query)
    elif case.reference.name not in registered:
        there = ", ".join([ORACLE, *registered])
        raise InputError(f"--reference {case.reference.name}: no such engine takes the query here; there is {there}")


def _run_options(case: Case, registered: Registered) -> RunOptions:
    return RunOptions((registered,), case.sources, lateness=case.lateness, flush=case.flush, max_gap=case.max_gap, windows=case.windows)


def _enter(case: Case, results: Mapping[str, EngineResult], taken: Sequence[Timed], answers: Iterator[Answer], expected: list[int]) -> None:
    """Add what a round found out about one window; answers are checked in the first round, and have to stay the same in later ones."""
    repeatable = Feature.UNREPEATABLE not in case.query.features
    wanted: Answer | None = None
    if taken[0].round == 0:
        wanted = _wanted(case, taken, answers)
        expected.append(size(wanted))
        if case.reference.name != ORACLE and _starts_elsewhere(case, results[case.reference.name], taken[0].window):
            wanted = None
    for one in taken:
        windows, evaluation = results[one.label].windows, one.evaluation
        comparable = repeatable and not _starts_elsewhere(case, results[one.label], one.window)
        if one.round == 0:
            rows = None if evaluation.result is None else size(answer_of(evaluation.result))
            windows.append(WindowResult(rows=rows, check=check(evaluation, wanted, repeatable=comparable)))
        found = windows[one.window]
        own = None if evaluation.result is None else digest(evaluation.result)
        if one.round == 0:
            found.digest = own
        elif comparable and own is not None and found.digest not in (own, None) and found.check is not None:
            told = f"round {one.round + 1} was answered differently from the first"
            found.check = Check(Verdict.DIFFERENT, told, 0, found.check.wanted, found.check.given)
        if evaluation.failure is None:
            found.tlt.append(one.tlt)
            found.qrt.append(one.qrt)
            found.out.append(one.out)
        else:
            found.failure = evaluation.failure
            found.check = Check(Verdict.FAILED, None, 0, found.check.wanted if found.check else 0, 0)


def _starts_elsewhere(case: Case, result: EngineResult, window: int) -> bool:
    """Whether what is new or gone in a window is so against another one than the window before, which the engine failed at."""
    return case.profile.operator is not Operator.RSTREAM and window > 0 and result.windows[window - 1].failure is not None


def _wanted(case: Case, taken: Sequence[Timed], answers: Iterator[Answer]) -> Answer | None:
    if case.reference.name == ORACLE:
        return next(answers)
    result = next(one.evaluation.result for one in taken if one.label == case.reference.name)
    return None if result is None else answer_of(result)
