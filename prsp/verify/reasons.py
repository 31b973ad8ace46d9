"""Why answers differ: another meaning under which they are all correct, or something seen in the answers themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

from prsp.errors import InputError
from prsp.model.profile import Bounds, Operator, Origin, Strategy
from prsp.model.query import QueryForm
from prsp.model.window import TimeWindow
from prsp.oracle import Answer, Dataset, Solutions
from prsp.oracle.continuous import Evaluator, Functions, answers
from prsp.oracle.stream import Element
from prsp.verify.case import Case
from prsp.verify.recorded import Recorded
from prsp.verify.verdict import Compared, Trial, Verdict, difference

Told = Callable[[Verdict], str]

_POLICIES = (
    (Strategy.WINDOW_CLOSE,),
    (Strategy.WINDOW_CLOSE, Strategy.NON_EMPTY),
    (Strategy.CONTENT_CHANGE,),
    (Strategy.ARRIVAL,),
    (Strategy.CONTENT_CHANGE, Strategy.NON_EMPTY),
)
_ENDS = {
    Bounds.CLOSED: "both the instant a window opens and the one it closes belong to it",
    Bounds.LEFT_OPEN: "the instant a window opens does not belong to it, the one it closes does",
    Bounds.RIGHT_OPEN: "the instant a window opens belongs to it, the one it closes does not",
}


def sightings(case: Case, best: Trial) -> Iterator[str]:
    """What is seen in the answers themselves."""
    twice = [at for at, times in Counter((r.at, r.seq) for r in case.recorded).items() if times > 1]
    if twice and _without_repeats(case, best):
        yield f"evaluations come out more than once, first that at {twice[0][0]}"
    wrong = [c for c in best.compared if c.difference is not None and not c.only_datatypes]
    missing = [c for c in wrong if c.got is None and c.expected is not None]
    if missing and len(missing) == len(wrong):
        skipped = _after_silence(case, missing)
        if skipped is not None:
            yield f"windows are skipped after the silence from {skipped[0]} to {skipped[1]}: no evaluation at {_listed(missing)}"
    if _moving(case):
        yield "each answer is right for the window that ends at its own instant, but they are not a slide apart: the origin moves"


def hypotheses(case: Case) -> Iterator[tuple[Told, Case]]:
    """Other meanings, the most likely first; the answers are judged under each."""
    profile = case.setting.profile
    for bounds in Bounds:
        if bounds is not profile.bounds:
            told = f"its windows are {bounds}, not {profile.bounds}: {_ENDS[bounds]}"
            yield _said(told), _with(case, replace(profile, bounds=bounds))
    for operator in Operator:
        if operator is not profile.operator and case.query.form is not QueryForm.ASK:
            yield _said(f"it answers as {operator}, not as {profile.operator}"), _with(case, replace(profile, operator=operator))
    if profile.t0 is not None:
        known = replace(case, setting=replace(case.setting, profile=replace(profile, t0=None), origins={}))
        yield (lambda found: f"its origin is another: correct for {told_origins(found)}, not t0 = {profile.t0}"), known
        ends = Origin.ENDS if profile.origin is Origin.OPENS else Origin.OPENS
        yield _said(f"window 0 {ends} at t0, where it should {profile.origin}"), _with(case, replace(profile, origin=ends))
    own = profile.report_for(case.query.registration.every)
    for policy in _POLICIES:
        if set(policy) != set(own):
            told = f"it reports by {'+'.join(policy)}, not by {'+'.join(own)}"
            yield _said(told), _with(case, replace(profile, report=policy, every=None), every=None)
    yield _said("rows that occur several times come out once: sets of rows, not bags"), replace(case, evaluator=_distinct(case.evaluator))
    on_time = {iri: _in_order(elements) for iri, elements in case.streams.items()}
    if any(len(on_time[iri]) < len(elements) for iri, elements in case.streams.items()):
        left_out = sum(len(elements) - len(on_time[iri]) for iri, elements in case.streams.items())
        yield _said(f"elements that came out of order are left out, {left_out} of them"), replace(case, streams=on_time)
    if case.setting.static != _NOTHING:
        yield _said("it answers without the static data"), replace(case, setting=replace(case.setting, static=_NOTHING))


def told_origins(verdict: Verdict, most: int = 3) -> str:
    """The origins under which answers are correct, in words."""
    several = len({*verdict.origins[0]}) > 1 if verdict.origins else False
    shown = []
    for origins in verdict.origins[:most]:
        parts = [f"{f'<{iri}> ' if several else ''}{_run(chosen)}" for iri, chosen in origins.items()]
        shown.append("t0 = " + ", ".join(parts) if parts else "any t0")
    more = len(verdict.origins) - most
    return " or ".join(shown) + (f" and {more} more" if more > 0 else "")


_NOTHING = Dataset(frozenset())


def _run(chosen: range) -> str:
    return str(chosen.start) if len(chosen) == 1 else f"{chosen.start} to {chosen.stop - 1}"


def _said(text: str) -> Told:
    return lambda _: text


def _with(case: Case, profile: object, **setting: object) -> Case:
    return replace(case, setting=replace(case.setting, profile=profile, **setting))  # type: ignore[arg-type]


def _distinct(ask: Evaluator) -> Evaluator:
    def once(text: str, dataset: Dataset, functions: Functions) -> Answer:
        answer = ask(text, dataset, functions)
        return Solutions(answer.variables, list(dict.fromkeys(answer.rows))) if isinstance(answer, Solutions) else answer

    return once


def _in_order(elements: object) -> list[Element]:
    largest: int | None = None
    kept: list[Element] = []
    for element in elements:  # type: ignore[attr-defined]
        if largest is None or element.time >= largest:
            kept.append(element)
            largest = element.time
    return kept


def _without_repeats(case: Case, best: Trial) -> bool:
    """Whether nothing is wrong but what comes a second time."""
    first: dict[tuple[int, int], Recorded] = {}
    for recorded in case.recorded:
        first.setdefault((recorded.at, recorded.seq), recorded)
    once = replace(case, recorded=list(first.values()))
    return once.full_trial({iri: range(t0, t0 + 1) for iri, t0 in best.origins.items()}).correct


def _after_silence(case: Case, missing: list[Compared]) -> tuple[int, int] | None:
    """The longest silence of the streams, if all missing evaluations lie in it or within a window after it."""
    times = sorted({e.time for elements in case.streams.values() for e in elements})
    reach = max((s.window.range + s.window.step for s in case.query.streams if isinstance(s.window, TimeWindow)), default=0)
    silence = max(((b - a, a, b) for a, b in pairwise(times)), default=None)
    if silence is None or not reach:
        return None
    _, start, end = silence
    return (start, end) if all(start < c.at <= end + reach for c in missing) else None


def _moving(case: Case) -> bool:
    """Whether each answer is that of the window that ends at its instant, while no origin fits all instants."""
    if len(case.query.streams) != 1 or not isinstance(window := case.query.streams[0].window, TimeWindow) or case.tolerance:
        return False
    after = case.after
    recorded = [r for r in case.recorded if after is None or r.at > after]
    if len({r.at % window.step for r in recorded}) < 2 or case.setting.profile.operator is not Operator.RSTREAM:
        return False
    return all(r.answer is not None and difference(_ending(case, window, r.at), r.answer) is None for r in recorded)


def _ending(case: Case, window: TimeWindow, at: int) -> Answer:
    """The answer on the window that ends at an instant."""
    profile = replace(
        case.setting.profile, t0=at - window.range, report=(Strategy.WINDOW_CLOSE,), origin=Origin.OPENS, every=None, bound=()
    )
    near = [e for e in case.streams[case.query.streams[0].iri] if e.time <= at]
    later = [Element(frozenset(), at + 1)]  # so that the window is due whatever it holds
    once = replace(case.setting, profile=profile, origins={}, report=None, every=None)
    found = answers(case.query, {case.query.streams[0].iri: near + later}, once, case.evaluator)
    if not found:
        raise InputError(f"no window ends at {at}")
    return found[0].answer


def _listed(missing: list[Compared], most: int = 5) -> str:
    shown = ", ".join(str(c.at) for c in missing[:most])
    return shown + (f" and {len(missing) - most} more" if len(missing) > most else "")
