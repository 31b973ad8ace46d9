"""A backend with a fault fails the kit, by the check one would expect; the same backend without it passes."""

from dataclasses import replace

import pytest

from prsp.testing import Check, Outcome, checks, run_kit
from prsp.testing.verdict import judge
from tests.testing import faulty
from tests.testing.faulty import DoesNotPickle, Faulty, Sound

CHECKS = {check.name: check for check in checks()}
FAULTS: dict[type[Sound], str] = {
    faulty.DropsASolution: "forms/select",
    faulty.DuplicatesASolution: "forms/select",
    faulty.LosesDatatypes: "datatypes/kept",
    faulty.LosesLanguages: "text/language",
    faulty.IntegersAreDecimals: "datatypes/kept",
    faulty.LosesUnboundColumns: "forms/select-unbound-column",
    faulty.LosesTheOrder: "modifiers/order-by",
    faulty.BlankNodesApart: "blank-nodes/in-the-answer",
    faulty.IgnoresDeltas: "deltas/skipped-instants",
    faulty.RemovesWhatIsStatic: "deltas/also-static",
    faulty.RemovesWhatIsInAnotherPane: "deltas/another-pane",
    faulty.LoadsOnTopOfDeltas: "deltas/load-after-apply",
    faulty.KeepsThePreviousWindow: "sequences/replaced",
    faulty.IgnoresNamedGraphs: "graphs/default-apart",
    faulty.ForgetsStaticData: "static/join",
    faulty.TheWindowIsABag: "windows/duplicates",
    faulty.MixesSessions: "sessions/side-by-side",
    faulty.ReadsAnswersLate: "sessions/result-is-a-value",
    faulty.SwallowsErrors: "failures/bad-query",
    faulty.EmptyOnFailure: "failures/service",
    faulty.LetsExceptionsThrough: "failures/bad-query",
    faulty.BreaksForGood: "failures/works-again",
    faulty.Hangs: "failures/deadline",
    faulty.AnswersWrongInTime: "failures/deadline",
    faulty.AlwaysTooLate: "failures/deadline-kept",
    faulty.ViewsDisagree: "sessions/views-agree",
    faulty.ClosesOnce: "sessions/closed-twice",
    faulty.ForgetsRemovedRows: "deltas/changes",
    faulty.ChangesAsASet: "deltas/changes",
    faulty.DeclaresNoReason: "sessions/declares",
    faulty.DiesOfADeclaredGap: "gaps/optional",
}
STALE: dict[type[Sound], str] = {faulty.DeclaresTooMuch: "gaps/optional", faulty.DeclaresAFaultItHasNot: "forms/select"}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_the_fault_is_caught_by_the_check_one_would_expect(fault: type[Sound]) -> None:
    judged = judge(CHECKS[FAULTS[fault]], Faulty(fault))
    assert judged.outcome is Outcome.FAILS, judged


@pytest.mark.parametrize("fault", STALE, ids=lambda fault: fault.__name__)
def test_a_declaration_that_is_not_true_is_caught(fault: type[Sound]) -> None:
    assert judge(CHECKS[STALE[fault]], Faulty(fault)).outcome is Outcome.STALE


def test_a_declared_gap_fails_as_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    gap = CHECKS["gaps/optional"]
    assert judge(gap, Faulty(faulty.RefusesADeclaredGap)).outcome is Outcome.GAP
    assert "KeyError: 'leftjoin'" in judge(gap, Faulty(faulty.DiesOfADeclaredGap)).reason
    short = tuple(replace(check, seconds=0.5) for check in checks())
    monkeypatch.setattr("prsp.testing.verdict.checks", lambda quick=False: short)
    hanging = judge(gap, Faulty(faulty.HangsInADeclaredGap))
    assert hanging.outcome is Outcome.FAILS
    assert "did not come back" in hanging.reason


def test_a_backend_that_cannot_be_sent_elsewhere_is_caught() -> None:
    assert judge(CHECKS["sessions/pickles"], DoesNotPickle(Sound)).outcome is Outcome.FAILS


def test_an_option_taken_without_a_word_is_caught() -> None:
    judged = judge(CHECKS["sessions/unknown-option"], Faulty(Sound))
    assert judged.outcome is Outcome.FAILS


@pytest.mark.parametrize("name", sorted({*FAULTS.values(), *STALE.values(), "sessions/pickles"} - {"deltas/changes"}))
def test_without_a_fault_the_same_check_holds(name: str) -> None:
    assert judge(CHECKS[name], Faulty(Sound)).outcome is Outcome.HOLDS


def test_right_changes_hold() -> None:
    assert judge(CHECKS["deltas/changes"], Faulty(faulty.SolutionsOnly)).outcome is Outcome.HOLDS


def test_a_fault_that_names_no_check_is_told() -> None:
    verdict = run_kit(Faulty(faulty.DeclaresAFaultOfNoCheck), quick=True)
    assert [j.check for j in verdict.of(Outcome.STALE)] == ["forms/selct"]
    assert not verdict.passes


def test_a_kit_run_stops_when_everything_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    hanging = tuple(Check(f"hangs/{n}", "It hangs.", lambda _: time.sleep(5), seconds=0.1) for n in range(5))
    monkeypatch.setattr("prsp.testing.verdict.checks", lambda quick=False: hanging)
    outcomes = [judgement.outcome for judgement in run_kit(Faulty(Sound)).judgements]
    assert outcomes[:5] == [Outcome.FAILS] * 2 + [Outcome.NOT_RUN] * 3
