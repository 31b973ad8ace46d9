"""The law of deltas: after any history, the answer is that of the last window alone; and the law of changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from prsp.backend import Backend, DeltaSession
from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.testing.answers import Violation, demand_same
from prsp.testing.checks import Check, Need
from prsp.testing.histories import ONE, TWO, History, follow, histories
from prsp.testing.sessions import QUERY, SELECT, said, says
from prsp.testing.windows import pane, snapshot_of, snapshot_of_panes


def _demand_answers(backend: Backend, history: History, right: Sequence[Iterable[tuple[str, str]]]) -> None:
    for number, ((_, feed), pairs) in enumerate(zip(follow(backend, QUERY, history), right, strict=True), 1):
        demand_same(said(*pairs), feed.evaluate(), what=f"the answer to window {number} of {len(right)}")


_A, _B, _C = ("a", "1"), ("b", "2"), ("c", "3")


def _lines(*pairs: tuple[str, str]) -> list[bytes]:
    return says(*pairs).splitlines(keepends=True)


def _another_pane(backend: Backend) -> None:
    panes = [pane(0, _lines(_A, _B)), pane(1, _lines(_A)), pane(2, _lines(_C))]
    history = [snapshot_of_panes([(ONE, panes[n : n + 2])], at=n) for n in range(3)]
    _demand_answers(backend, History(tuple(history), NO_STATIC_DATA), [[_A, _B], [_A, _C], [_C]])


def _another_stream(backend: Backend) -> None:
    mine, other, later = pane(0, _lines(_A, _B)), pane(1, _lines(_A)), pane(2, _lines(_C))
    windows = [([mine], [other]), ([later], [other]), ([later], [])]
    history = [snapshot_of_panes([(ONE, one), (TWO, two)], at=n) for n, (one, two) in enumerate(windows)]
    _demand_answers(backend, History(tuple(history), NO_STATIC_DATA), [[_A, _B], [_A, _C], [_C]])


def _also_static(backend: Backend) -> None:
    panes = [pane(0, _lines(_A, _B)), pane(1, _lines(_C)), pane(2, [])]
    history = [snapshot_of_panes([(ONE, [content])], at=n) for n, content in enumerate(panes)]
    _demand_answers(backend, History(tuple(history), StaticData({None: says(_A)})), [[_A, _B], [_A, _C], [_A]])


def _skipped(backend: Backend) -> None:
    panes = [pane(n, _lines((f"s{n}", "1"), (f"s{n + 1}", "1"))) for n in range(12)]
    at = (0, 1, 4, 5, 11, 11)
    history = [snapshot_of_panes([(ONE, panes[n : n + 2])], at=n) for n in at]
    right = [[(f"s{n + k}", "1") for k in range(3 if n < 11 else 2)] for n in at]
    _demand_answers(backend, History(tuple(history), NO_STATIC_DATA), right)


def _load_after_apply(backend: Backend) -> None:
    if Ability.DELTA not in backend.capabilities:
        return
    session = backend.prepare(QUERY, NO_STATIC_DATA)
    try:
        if not isinstance(session, DeltaSession):
            raise Violation("it does not declare that deltas are beyond it, yet its session has no apply()")
        occurrences = Occurrences(NO_STATIC_DATA)
        windows = [snapshot_of({None: says(*pairs)}, number=n) for n, pairs in enumerate(([_A], [_B], [_C], [_A, _B]))]
        session.load(windows[0])
        session.apply(delta_between(windows[0], windows[1], occurrences))
        demand_same(said(_B), session.evaluate(), what="the answer after load, apply")
        session.load(windows[2])
        demand_same(said(_C), session.evaluate(), what="the answer after load, apply, load")
        session.apply(delta_between(windows[2], windows[3], occurrences))
        demand_same(said(_A, _B), session.evaluate(), what="the answer after load, apply, load, apply")
    finally:
        session.close()


def _law(backend: Backend, *, blank: bool) -> None:
    for rho, history in histories(backend, blank=blank):
        # One session after the other: whether two can be at once is another check's business.
        answers = [feed.evaluate() for _, feed in follow(backend, rho, history)]
        for number, (snapshot, answer) in enumerate(zip(history.snapshots, answers, strict=True), 1):
            for _, fresh in follow(backend, rho, History((snapshot,), history.static)):
                what = f"window {number} of a history, asked {rho.text.partition(chr(10))[2]!r}: the answer"
                demand_same(fresh.evaluate(), answer, what=what)


def _random(backend: Backend) -> None:
    _law(backend, blank=False)


def _random_blank(backend: Backend) -> None:
    _law(backend, blank=True)


def _changes(backend: Backend) -> None:
    for rho, history in histories(backend, blank=False):
        if Feature.ASK in rho.features:
            continue  # a truth value is no bag of rows
        before: Counter[object] = Counter()
        for number, (snapshot, feed) in enumerate(follow(backend, rho, history), 1):
            if not feed.gives_changes:
                raise Violation("it does not declare that changes are beyond it, yet its session has no changes()")
            (after,) = (_bag(fresh.evaluate()) for _, fresh in follow(backend, rho, History((snapshot,), history.static)))
            if number % 3:
                change = feed.changes()
                for what, right, got in (("added", after - before, change.added), ("removed", before - after, change.removed)):
                    if _bag(got) != right:
                        raise Violation(f"{what} in window {number}, asked {rho.text!r}: expected {dict(right)}, got {dict(_bag(got))}")
            else:
                # A whole answer in between is what the next change is relative to.
                feed.evaluate()
            before = after


def _bag(result: Result) -> Counter[object]:
    match result:
        case Solutions():
            return Counter(frozenset(zip(result.variables, row, strict=True)) for row in result.rows())
        case Triples():
            return Counter(result.lines())
        case Boolean(value):
            return Counter([value])


def _check(name: str, about: str, run: Callable[[Backend], None], needs: frozenset[Need] = SELECT, *, quick: bool = True) -> Check:
    return Check(f"deltas/{name}", about, run, needs, quick=quick)


DELTA_CHECKS = (
    _check("another-pane", "A triple that leaves with one pane and is in another stays.", _another_pane),
    _check("another-stream", "A triple that leaves one stream and is in another of the same graph stays.", _another_stream),
    _check("also-static", "A triple that leaves the window and is static stays.", _also_static, SELECT | {Ability.STATIC_DATA}),
    _check("skipped-instants", "A delta is relative to the last window given, however many were skipped.", _skipped),
    _check("load-after-apply", "A whole window after a change, and a change after that.", _load_after_apply),
    _check("random", "Random histories, many queries: as if the last window had been alone.", _random, quick=False),
    _check("random-blank-nodes", "The same with blank nodes.", _random_blank, SELECT | {Ability.BLANK_NODES}, quick=False),
    _check(
        "changes",
        "What was added and removed is the difference of the answers, as bags.",
        _changes,
        SELECT | {Ability.DELTA, Ability.CHANGES},
    ),
)
