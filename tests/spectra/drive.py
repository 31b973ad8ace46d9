"""Drives SPECTRA over a random case in every way it can be fed, and says where an answer is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from prsp.backend import backend_named
from prsp.backend.interface import ChangeSession
from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.query import Rho
from prsp.model.result import Boolean, Changes, Result, Solutions, Triples, solutions
from prsp.model.snapshot import Contribution, Slice, Snapshot
from prsp.parse import parse_rho
from tests.random.agree import disagreement, is_empty
from tests.random.case import Case
from tests.random.deviations import DEVIATIONS
from tests.random.queries import Query
from tests.random.references import Aborted, Naive, Oxigraph

MODES = ("inc", "rev", "auto")
_rho = lru_cache(maxsize=64)(parse_rho)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: what is wrong, if anything, and whether any window had an answer."""

    wrong: str | None
    answered: bool
    deviates: bool = False
    """Whether pyoxigraph answered otherwise, as it is known to."""


class _Wrong(Exception):
    """An answer that is not the expected one."""


Sessions = dict[str, ChangeSession]
"""One session a mode: cases that share query and static graphs may share them, as a session may be loaded again."""


def outcome(case: Case, sessions: Sessions | None = None) -> Outcome:
    """SPECTRA against the naive evaluator, and that against pyoxigraph, on every window."""
    snapshots = case.snapshots()
    naive = [Naive(snapshot, case.static) for snapshot in snapshots]
    expected = [reference.ask(case.query.text) for reference in naive]
    answered, deviates = not all(map(is_empty, expected)), False
    try:
        for number, snapshot in enumerate(snapshots):
            if wrong := _theirs(case, snapshot, expected[number], naive[number]):
                if not any(known.may_show(case.query.text, wrong) for known in DEVIATIONS):
                    raise _Wrong(f"pyoxigraph and the naive evaluator disagree about window {number}: {wrong}")
                deviates = True
        _Driver(case, _rho(case.query.text), snapshots, naive, expected, {} if sessions is None else sessions).check()
    except _Wrong as wrong:
        return Outcome(str(wrong), answered, deviates)
    return Outcome(None, answered, deviates)


def _theirs(case: Case, snapshot: Snapshot, expected: Result, naive: Naive) -> str | None:
    """What is wrong with pyoxigraph's answer; None when nothing is."""
    try:
        answer = Oxigraph(snapshot, case.static).ask(case.query.text)
    except Aborted:
        return "pyoxigraph aborted, as it may when rows are out of order"
    return disagreement(case.query, expected, answer, naive.ask)


@dataclass(frozen=True, slots=True)
class _Driver:
    case: Case
    rho: Rho
    snapshots: list[Snapshot]
    naive: list[Naive]
    expected: list[Result]
    sessions: Sessions

    def check(self) -> None:
        # On a new session the changes come first: before any answer was given, all of it is added.
        changing = not isinstance(self.expected[0], Boolean) and "_:new" not in self.case.query.text
        number = self.case.seed + self.case.stream
        if changing:
            self._changes(MODES[number % 3])
        for mode in MODES:
            self._fed_by_deltas_then_snapshots(mode)
        self._fed_by_events(MODES[number // 3 % 3])

    def _fed_by_deltas_then_snapshots(self, mode: str) -> None:
        session = self._session(mode)
        for number in self._applied(session, self.snapshots):
            self._compare(number, session.evaluate(), f"fed by deltas, mode {mode}")
        for number, snapshot in enumerate(self.snapshots):
            session.load(snapshot)
            self._compare(number, session.evaluate(), f"fed by snapshots, mode {mode}")

    def _fed_by_events(self, mode: str) -> None:
        """One element comes or goes at a time; what is between the windows is not compared, only lived through."""
        session, steps, ends = self._session(mode), [self.snapshots[0]], [0]
        for snapshot in self.snapshots[1:]:
            steps += _one_by_one(steps[-1], snapshot)
            ends.append(len(steps) - 1)
        for number in self._applied(session, steps):
            if number in ends:
                self._compare(ends.index(number), session.evaluate(), f"fed by events, mode {mode}")

    def _changes(self, mode: str) -> None:
        new = mode not in self.sessions
        session, held, query = self._session(mode), Held(self.expected[0]), _unordered(self.case.query)
        if not new:
            held.take(Changes(session.evaluate(), held.answer()))
        for number in self._applied(session, self.snapshots):
            if wrong := held.take(session.changes()):
                raise _Wrong(f"changes to window {number}, mode {mode}: {wrong}")
            # Changes are bags: where the rows stand is not theirs to say.
            self._compare(number, held.answer(), f"sum of the changes, mode {mode}", query)

    def _applied(self, session: ChangeSession, snapshots: list[Snapshot]) -> Iterator[int]:
        occurrences = Occurrences(self.case.static)
        session.load(snapshots[0])
        yield 0
        for number in range(1, len(snapshots)):
            session.apply(delta_between(snapshots[number - 1], snapshots[number], occurrences))
            yield number

    def _session(self, mode: str) -> ChangeSession:
        if mode not in self.sessions:
            session = backend_named("spectra").from_options({"mode": mode}).prepare(self.rho, self.case.static)
            assert isinstance(session, ChangeSession)
            self.sessions[mode] = session
        return self.sessions[mode]

    def _compare(self, number: int, got: Result, how: str, query: Query | None = None) -> None:
        if wrong := disagreement(query or self.case.query, self.expected[number], got, self.naive[number].ask):
            raise _Wrong(f"SPECTRA, {how}, window {number}: {wrong}")


def _unordered(query: Query) -> Query:
    modifiers = query.tree.parts[-1]
    parts = tuple(part for part in modifiers.parts if not part.form.startswith("ORDER BY"))
    if len(parts) == len(modifiers.parts):
        return query
    return replace(query, tree=replace(query.tree, parts=(*query.tree.parts[:-1], replace(modifiers, parts=parts))))


def _one_by_one(before: Snapshot, after: Snapshot) -> list[Snapshot]:
    """Snapshots between two, each one slice away from the last; what leaves goes first."""
    steps, current = list[Snapshot](), before
    for place, part in enumerate(after.contributions):
        there = current.contributions[place].slices
        moves: list[tuple[Slice, ...]] = []
        for gone in (s for s in there if s not in part.slices):
            moves.append(tuple(s for s in (moves[-1] if moves else there) if s != gone))
        for new in (s for s in part.slices if s not in there):
            moves.append((*(moves[-1] if moves else there), new))
        for slices in moves:
            current = _with(current, place, replace(part, slices=slices))
            steps.append(current)
    return [*steps, after]


def _with(snapshot: Snapshot, place: int, part: Contribution) -> Snapshot:
    parts = snapshot.contributions
    return replace(snapshot, contributions=(*parts[:place], part, *parts[place + 1 :]))


class Held:
    """An answer kept up to date from its changes alone."""

    def __init__(self, like: Result) -> None:
        self._names = like.variables if isinstance(like, Solutions) else None
        self._bag: Counter[object] = Counter()

    def take(self, changes: Changes) -> str | None:
        """Bring the answer up to date; what is wrong with the changes, None when nothing is."""
        added, removed = self._counted(changes.added), self._counted(changes.removed)
        if both := added & removed:
            return f"rows both added and removed: {list(both)[:3]}"
        if absent := removed - self._bag:
            return f"rows removed that were not there: {list(absent)[:3]}"
        self._bag = self._bag + added - removed
        return None

    def answer(self) -> Result:
        """What the changes add up to."""
        rows = list(self._bag.elements())
        if self._names is not None:
            return solutions(self._names, rows)  # type: ignore[arg-type]
        return Triples(b"".join(f"{line}\n".encode() for line in rows))

    def _counted(self, part: Result) -> Counter[object]:
        if isinstance(part, Solutions):
            assert self._names is not None
            places = [part.variables.index(name) for name in self._names]
            return Counter(tuple(row[place] for place in places) for row in part.rows())
        assert isinstance(part, Triples)
        return Counter(part.lines())
