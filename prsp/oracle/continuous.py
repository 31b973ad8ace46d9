"""Ans(Q): the continuous evaluation of a query over whole, recorded streams (RSP-QL Definition 24). Nothing is late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prsp.errors import InputError
from prsp.model.profile import Bounds, Operator, Origin, Placement, Profile, Strategy
from prsp.model.query import ContinuousQuery
from prsp.model.term import XSD, Literal, Term
from prsp.model.window import CountWindow
from prsp.oracle.dataset import Dataset, Triple, folded
from prsp.oracle.problem import ExpressionError
from prsp.oracle.sparql import Answer, Solutions, evaluate
from prsp.oracle.stream import Element, scoped
from prsp.oracle.windows import Contribution, CountStream, TimeStream, Windowed

Functions = Mapping[str, Callable[..., Term]]
Evaluator = Callable[[str, Dataset, Functions], Answer]
"""Answers ρ(Q) on a dataset; the functions are those a stream adds (``f:timestamp``)."""
Bound = tuple[Strategy, str | None]
"""A strategy, and the stream whose windows it is bound to; None: all."""

TIMESTAMP = "http://larkc.eu/csparql/sparql/jena/ext#timestamp"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation: its instant, what the streams contributed, and what came out."""

    at: int
    seq: int
    windows: tuple[Contribution, ...]
    answer: Answer


@dataclass(frozen=True, slots=True)
class Setting:
    """Every parameter a dialect hides: a profile, the origin, and what overrides them."""

    profile: Profile
    origins: Mapping[str, int] = field(default_factory=dict)
    report: tuple[Bound, ...] | None = None
    every: int | None = None
    static: Dataset = field(default_factory=lambda: Dataset(frozenset()))


def naive(text: str, dataset: Dataset, functions: Functions) -> Answer:
    """The answer of the naive evaluator."""
    return evaluate(text, dataset, functions=functions)


def default_origin(streams: Mapping[str, Sequence[Element]], bounds: Bounds) -> int | None:
    """The smallest timestamp of all streams, a millisecond less with left-open bounds; None without an element."""
    times = [e.time for elements in streams.values() for e in elements]
    return min(times) - (bounds is Bounds.LEFT_OPEN) if times else None


def instants(query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting) -> list[tuple[int, int]]:
    """Every instant at which the policy asks for an evaluation, with its number, before non-empty leaves any of them out."""
    plan = _plan(query, streams, setting)
    return [] if plan is None else _instants(plan)


def contributions(
    query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting
) -> list[tuple[int, int, tuple[Contribution, ...]]]:
    """Every evaluation instant with its number and what the streams contribute then."""
    plan = _plan(query, streams, setting)
    if plan is None:
        return []
    whole = any(s is Strategy.WINDOW_CLOSE for s, _ in plan.report)
    named = [iri for _, iri in plan.report if iri is not None]
    found: list[tuple[int, int, tuple[Contribution, ...]]] = []
    for at, seq in _instants(plan):
        given = tuple(w.at(at, seq, whole) for w in plan.windowed)
        bound = [c for c in given if not named or c.stream in named]
        if any(s is Strategy.NON_EMPTY for s, _ in plan.report) and not any(c.elements for c in bound):
            continue
        if any(c.close is not None for c in given) or not any(s is Strategy.PERIODIC for s, _ in plan.report):
            found.append((at, seq, given))
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """A query over its streams with everything decided."""

    windowed: list[Windowed]
    report: tuple[Bound, ...]
    every: int | None
    origin: int
    largest: int


def _plan(query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting) -> _Plan | None:
    """None when there is no element."""
    profile = setting.profile
    origin = profile.t0 if profile.t0 is not None else default_origin(streams, profile.bounds)
    if origin is None or not any(streams.values()):
        return None
    every = next((d for d in (setting.every, profile.every, query.registration.every) if d is not None), None)
    bound_to: tuple[str | None, ...] = profile.bound or (None,)
    report = setting.report if setting.report is not None else tuple((s, iri) for s in profile.report for iri in bound_to)
    if every is not None:
        report = tuple((Strategy.PERIODIC if s is Strategy.WINDOW_CLOSE else s, iri) for s, iri in report)
    largest = max(e.time for elements in streams.values() for e in elements)
    windowed = [_windowed(query, number, streams, setting, origin) for number in range(len(query.streams))]
    return _Plan(windowed, report, every, origin, largest)


def answers(
    query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting, evaluator: Evaluator = naive
) -> list[Evaluation]:
    """Ans(Q): every evaluation in order, with what the streaming operator lets out."""
    return list(each_answer(query, streams, setting, evaluator))


def each_answer(
    query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting, evaluator: Evaluator = naive
) -> Iterator[Evaluation]:
    """The same one after another, each evaluated when it is asked for."""
    previous: Answer | None = None
    for at, seq, given in contributions(query, streams, setting):
        now = _asked(query, given, setting, evaluator)
        yield Evaluation(at, seq, given, _let_out(setting.profile.operator, previous, now))
        previous = now


def whole_answer(
    query: ContinuousQuery, streams: Mapping[str, Sequence[Element]], setting: Setting, number: int, evaluator: Evaluator = naive
) -> Answer:
    """The answer to ρ(Q) at one evaluation, counted from 0, whatever the streaming operator lets out of it."""
    _, _, given = contributions(query, streams, setting)[number]
    return _asked(query, given, setting, evaluator)


def _asked(query: ContinuousQuery, given: Sequence[Contribution], setting: Setting, evaluator: Evaluator) -> Answer:
    return evaluator(query.sparql, _dataset(query, given, setting), {TIMESTAMP: _timestamp(given)})


def _windowed(query: ContinuousQuery, number: int, streams: Mapping[str, Sequence[Element]], setting: Setting, origin: int) -> Windowed:
    clause = query.streams[number]
    first = next(i for i, other in enumerate(query.streams) if other.iri == clause.iri)
    elements = [scoped(e, f"s{first}_") for e in streams[clause.iri]]
    if isinstance(clause.window, CountWindow):
        return CountStream(clause.iri, elements, clause.window)
    own = setting.origins.get(clause.iri, origin)
    opens = own - clause.window.range if setting.profile.origin is Origin.ENDS else own
    return TimeStream(clause.iri, elements, clause.window, opens, setting.profile.bounds)


def _instants(plan: _Plan) -> list[tuple[int, int]]:
    named = {iri for _, iri in plan.report if iri is not None}
    result: Counter[int] = Counter()
    for window in plan.windowed:
        if named and window.iri not in named:
            continue
        held: Counter[int] | None = None
        for strategy, _ in plan.report:
            if strategy is not Strategy.NON_EMPTY:
                times = _times(window, strategy, plan.every, plan.origin, plan.largest)
                held = times if held is None else held & times
        if held is None:
            raise InputError("the policy non-empty alone names no instant: join it with another, as in window-close+non-empty")
        result |= held
    return [(at, seq) for at in sorted(result) for seq in range(result[at])]


def _times(window: Windowed, strategy: Strategy, every: int | None, origin: int, largest: int) -> Counter[int]:
    """The instants at which a strategy holds for a window, each as often as it is evaluated then."""
    match strategy:
        case Strategy.WINDOW_CLOSE:
            return Counter(window.ends(largest))
        case Strategy.CONTENT_CHANGE:
            return Counter(window.entries() | window.exits())
        case Strategy.ARRIVAL:
            return Counter(window.entries())
        case _:
            if every is None:
                raise InputError("the periodic policy needs a period: COMPUTED EVERY d in the query, or --every d")
            return Counter(range(origin + every, max(origin, largest) + every, every))


def _dataset(query: ContinuousQuery, given: Sequence[Contribution], setting: Setting) -> Dataset:
    default = set(setting.static.default)
    named = {iri: set(triples) for iri, triples in setting.static.named.items()}
    for clause, contribution in zip(query.streams, given, strict=True):
        apart = clause.named and setting.profile.placement is Placement.AS_WRITTEN
        graph = named.setdefault(clause.iri, set()) if apart else default
        graph.update(triple for e in contribution.elements for triple in e.triples)
    return Dataset(frozenset(default), {iri: frozenset(triples) for iri, triples in named.items()})


def _timestamp(given: Sequence[Contribution]) -> Callable[..., Term]:
    latest: dict[Triple, int] = {}
    for contribution in given:
        for e in contribution.elements:
            for s, p, o in e.triples:
                triple = (folded(s), folded(p), folded(o))
                latest[triple] = max(e.time, latest.get(triple, e.time))

    def timestamp(s: Term, p: Term, o: Term) -> Term:
        if (s, p, o) not in latest:
            raise ExpressionError("no stream contributes this triple now")
        return Literal(str(latest[s, p, o]), XSD + "integer")

    return timestamp


def _let_out(operator: Operator, previous: Answer | None, now: Answer) -> Answer:
    """Rstream, Istream, Dstream (Definitions 20 to 22) as bag differences; before the first evaluation the answer is empty."""
    if operator is Operator.RSTREAM:
        return now
    if isinstance(now, bool) or isinstance(previous, bool):
        raise InputError(f"ASK has no {operator}: use rstream")
    if isinstance(now, Solutions):
        before = previous if isinstance(previous, Solutions) else Solutions(now.variables, [])
        left, right = (now, before) if operator is Operator.ISTREAM else (before, now)
        return Solutions(now.variables, list((Counter(left.rows) - Counter(right.rows)).elements()))
    earlier = previous if isinstance(previous, frozenset) else frozenset()
    return now - earlier if operator is Operator.ISTREAM else earlier - now
