"""Saves windows of a comparison as bundles, with the answer each should have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from prsp.compare.asked import ORACLE
from prsp.compare.bundle import Bundle, save_bundle
from prsp.compare.case import Case
from prsp.compare.frozen import Frozen
from prsp.compare.reference import oracle_answer
from prsp.errors import InputError
from prsp.model.profile import Operator
from prsp.oracle import Answer
from prsp.run import Registered, Summary
from prsp.run.evaluator import Evaluator
from prsp.verify import answer_of


def save_windows(
    case: Case, registered: Mapping[str, Registered], frozen: Frozen, profile: str, wanted: Mapping[int, Path], *, overwrite: bool
) -> None:
    """Write each wanted window, counted from 0, into its folder."""
    for number, folder in wanted.items():
        expected = _expected(case, registered, frozen, number)
        files = {graph: case.files[graph] for graph in (*case.query.static.default, *case.query.static.named) if graph in case.files}
        about = case.reference.about(case.query, frozen)
        bundle = Bundle(case.query, case.profile, frozen.origin, frozen.bring(number).in_memory(), files, expected, about)
        save_bundle(folder, case.text, profile, bundle, overwrite=overwrite)


def demand_windows(frozen: Frozen, wanted: Mapping[int, Path]) -> None:
    """Refuse a window that is not there."""
    for number, folder in wanted.items():
        if not 0 <= number < len(frozen.windows):
            there = f"the windows are numbered 0 to {len(frozen.windows) - 1}" if frozen.windows else "there is no window"
            raise InputError(f"--save-window {number} {folder}: {there}")


def _expected(case: Case, registered: Mapping[str, Registered], frozen: Frozen, number: int) -> Answer | None:
    """The reference's whole answer to one window, whatever the operator lets out of it."""
    if case.reference.name == ORACLE:
        return oracle_answer(case, frozen, number)
    one = registered[case.reference.name]
    evaluator = Evaluator(replace(one, profile=replace(one.profile, operator=Operator.RSTREAM)), Summary(), deadline=case.deadline)
    try:
        evaluator.resolve(frozen.origin, case.lateness, lambda _due: frozen.windows[number])
        result = evaluator.answer(frozen.bring(number)).result
        return None if result is None else answer_of(result)
    finally:
        evaluator.close()
