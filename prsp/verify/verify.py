"""The judgement: correct is what is Ans(Q) for one of the origins (RSP-QL Definitions 25 and 26)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from prsp.model.feature import Feature
from prsp.verify.case import Case, Origins
from prsp.verify.reasons import hypotheses, sightings
from prsp.verify.verdict import Trial, Verdict


def verify(case: Case) -> Verdict:
    """Correct and for which origins, or the first difference under the origin that comes closest, with the reason where one is found."""
    verdict = replace(judged(case), repeatable=Feature.UNREPEATABLE not in case.query.features)
    if verdict.correct or not verdict.repeatable:
        return verdict
    return replace(verdict, reason=_reason(case, verdict))


def _reason(case: Case, verdict: Verdict) -> str | None:
    """What explains everything that differs, if anything does."""
    # How a system ends says nothing about its windows: another meaning has to explain what it says up to there, or, where that
    # is right already, the end as well.
    right_until_the_end = judged(replace(case, tail=False)).correct
    if right_until_the_end and case.flush and judged(replace(case, flush=False)).correct:
        return "windows that are still open when the streams end are not reported: --no-flush expects none of them"
    for seen in sightings(case, verdict.best):
        return seen
    for told, other in hypotheses(case):
        if (found := judged(replace(other, tail=right_until_the_end))).correct and found.best.compared:
            return told(found)
    return None


def judged(case: Case) -> Verdict:
    """The verdict without a reason."""
    right: list[Mapping[str, range]] = []
    closest: Trial | None = None
    first: Origins | None = None
    tried = 0
    for origins in case.choices():
        tried += 1
        first = first if first is not None else origins
        trial = case.trial(origins)
        if trial is None:
            continue
        if trial.correct:
            right.append(origins)
        if closest is None or trial.agreeing > closest.agreeing or (trial.correct and not closest.correct):
            closest = trial
    if closest is None:
        closest = case.full_trial(first or {})
    return Verdict(closest, right, case.after, tried)
