"""A saved window, asked again of any engine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prsp.backend import Backend
from prsp.compare.bundle import Bundle
from prsp.compare.check import Check, check
from prsp.model.evaluation import Evaluation
from prsp.model.feature import Feature
from prsp.model.profile import Operator
from prsp.run import Summary, register
from prsp.run.evaluator import Evaluator


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the engine answered, how long loading and answering took in seconds, and whether it is right."""

    evaluation: Evaluation
    tlt: float
    qrt: float
    check: Check


def replay(bundle: Bundle, backend: Backend, *, deadline: int | None = None) -> Replayed:
    """The whole answer of an engine to the window, beside the expected one."""
    profile = replace(bundle.profile, operator=Operator.RSTREAM)
    (registered,) = register([bundle.query], backend, profile, files=bundle.files)
    summary = Summary()
    evaluator = Evaluator(registered, summary, deadline=deadline)
    try:
        evaluator.resolve(bundle.origin, None, lambda _due: bundle.snapshot)
        evaluation = evaluator.answer(bundle.snapshot)
        repeatable = Feature.UNREPEATABLE not in bundle.query.features
        judged = check(evaluation, bundle.expected, repeatable=repeatable)
        return Replayed(evaluation, summary.seconds.get("load", 0.0), summary.seconds.get("query", 0.0), judged)
    finally:
        evaluator.close()
