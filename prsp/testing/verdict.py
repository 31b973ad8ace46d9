"""The kit run on one backend: what holds, what is declared not to, and what should have been."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from prsp.backend import Backend
from prsp.errors import PrspError
from prsp.model.feature import Feature
from prsp.testing.answers import Violation
from prsp.testing.catalogue import checks, gap_checks
from prsp.testing.checks import Check, Need
from prsp.testing.sessions import ask

_HANGING_CHECKS = 2


class Outcome(StrEnum):
    """What became of one check."""

    HOLDS = "holds"
    FAILS = "fails"
    GAP = "gap"
    """The engine declares that it does not do what the check needs."""
    FAULT = "fault"
    """It fails, as the engine declares by name."""
    STALE = "stale"
    """The engine declares a gap or a fault that is none."""
    NOT_RUN = "not run"
    """Left out because earlier checks hang."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of one check, and why."""

    check: str
    outcome: Outcome
    reason: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the engine is as it should be and as it says."""
        return self.outcome in {Outcome.HOLDS, Outcome.GAP, Outcome.FAULT}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Every judgement on one backend."""

    backend: str
    judgements: tuple[Judgement, ...]

    @property
    def passes(self) -> bool:
        """Whether every check holds or is declared not to."""
        return all(judgement.is_right for judgement in self.judgements)

    def of(self, *outcomes: Outcome) -> list[Judgement]:
        """The judgements with one of these outcomes."""
        return [judgement for judgement in self.judgements if judgement.outcome in outcomes]


class Hangs(AssertionError):
    """A check that did not come back in its time."""


def run_kit(backend: Backend, *, quick: bool = False, watch: Callable[[Check, Judgement], None] | None = None) -> Verdict:
    """The verdict on a backend; ``watch`` is called after each check. After two checks that hang, the rest is left out."""
    judgements: list[Judgement] = []
    hanging = 0
    for check in checks(quick=quick):
        if hanging == _HANGING_CHECKS:
            judged = Judgement(check.name, Outcome.NOT_RUN, "earlier checks hang")
        else:
            judged, hangs = _judged(check, backend)
            hanging += hangs
        judgements.append(judged)
        if watch is not None:
            watch(check, judged)
    judgements += stale_names(backend)
    return Verdict(backend.name, tuple(judgements))


def unusable(backend: Backend) -> PrspError | None:
    """Why not even the plainest query can be asked: what is missing or away is to be told once, not by every check."""
    if Feature.SELECT not in backend.capabilities:
        return None
    problem = problem_with(Check("the plainest query", "It is answered.", _plainest), backend)
    return problem if isinstance(problem, PrspError) else None


def _plainest(backend: Backend) -> None:
    ask(backend, ("a", "1"))


def judge(check: Check, backend: Backend) -> Judgement:
    """What one check says about a backend."""
    return _judged(check, backend)[0]


def stale_names(backend: Backend) -> list[Judgement]:
    """A judgement for each declared fault that names no check."""
    known = {check.name for check in checks()}
    return [Judgement(name, Outcome.STALE, "no check has this name") for name in backend.capabilities.faults if name not in known]


def _judged(check: Check, backend: Backend) -> tuple[Judgement, bool]:
    able = backend.capabilities
    if (need := _gap_of(check)) is not None:
        return _judged_gap(check, need, backend), False
    missing = sorted(need for need in check.needs if need not in able)
    if missing:
        return Judgement(check.name, Outcome.GAP, "; ".join(f"{need}: {able.reason(need)}" for need in missing)), False
    problem = problem_with(check, backend)
    fault = able.faults.get(check.name)
    hangs = isinstance(problem, Hangs)
    if problem is None:
        if fault is None:
            return Judgement(check.name, Outcome.HOLDS), False
        return Judgement(check.name, Outcome.STALE, f"declared a fault ({fault}), yet it holds"), False
    if fault is None:
        return Judgement(check.name, Outcome.FAILS, _told(problem)), hangs
    return Judgement(check.name, Outcome.FAULT, fault), hangs


def _gap_of(check: Check) -> Need | None:
    return gap_checks().get(check.name)


def _judged_gap(check: Check, need: Need, backend: Backend) -> Judgement:
    """A declared gap is right when the first check that needs it and fails does so as declared, past the planner that refuses it.

    That is with an error of ours or a wrong answer; an engine that hangs or lets an exception of its own through is wrong there, too.
    """
    reason = backend.capabilities.reason(need)
    if reason is None:
        return Judgement(check.name, Outcome.HOLDS)
    for candidate in _telling(need, backend):
        problem = problem_with(candidate, backend)
        if isinstance(problem, PrspError | Violation):
            return Judgement(check.name, Outcome.GAP, reason)
        if problem is not None:
            told = f"declared beyond it ({reason}), yet {candidate.name} does not fail with an EngineError: {_told(problem)}"
            return Judgement(check.name, Outcome.FAILS, told)
    return Judgement(check.name, Outcome.STALE, f"declared beyond it ({reason}), yet every check that needs it holds")


def _telling(need: Need, backend: Backend) -> list[Check]:
    """The checks that need this; only those that need nothing else the engine lacks, where there are any."""
    needing = [check for check in checks() if need in check.needs]
    alone = [check for check in needing if all(other == need or other in backend.capabilities for other in check.needs)]
    return alone or needing


def problem_with(check: Check, backend: Backend) -> BaseException | None:
    """What a check raises, None when it holds; Hangs when it does not come back."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            check.run(backend)
        except BaseException as error:  # whatever it is, it is the engine's
            raised.append(error)

    # A thread can be left behind; an engine that hangs cannot be called back.
    worker = threading.Thread(target=run, name=check.name, daemon=True)
    worker.start()
    worker.join(check.seconds)
    if worker.is_alive():
        return Hangs(f"it did not come back within {check.seconds:.0f} s")
    return raised[0] if raised else None


def _told(problem: BaseException) -> str:
    return str(problem) if isinstance(problem, AssertionError) else f"{type(problem).__name__}: {problem}"


def counts(judgements: Iterable[Judgement]) -> dict[Outcome, int]:
    """How many judgements of each outcome."""
    found = dict.fromkeys(Outcome, 0)
    for judgement in judgements:
        found[judgement.outcome] += 1
    return found
