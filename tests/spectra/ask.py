"""Small windows in Turtle, what SPECTRA answers on them, and whether the naive evaluator agrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from prsp.backend import open_backend
from prsp.backend.interface import ChangeSession
from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.equality import Difference, Literals, compare_booleans, compare_graphs, compare_solutions
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import IRI, Literal, Term
from prsp.parse import parse_rho
from tests.random.references import Naive
from tests.random.terms import triples
from tests.random.vocabulary import NS, PREFIXES

Content = str | Mapping[str | None, str]
"""Turtle of the default graph, or of each graph (:name)."""


def ntriples(turtle: str) -> bytes:
    """Turtle, with our prefixes, as N-Triples lines."""
    return b"".join(f"{q.subject} {q.predicate} {q.object} .\n".encode() for q in ox.parse(PREFIXES + turtle, ox.RdfFormat.TURTLE))


def static(content: Content) -> StaticData:
    """Static graphs."""
    return StaticData({_name(graph): ntriples(turtle) for graph, turtle in _graphs(content).items()})


def windows(*contents: Content) -> list[Snapshot]:
    """Successive windows. A line is a slice of its own: what is in two of them stays, and what is there twice may leave once."""
    names = list(dict.fromkeys(graph for content in contents for graph in _graphs(content)))
    known: dict[tuple[bytes, int], int] = {}
    found = []
    for at, content in enumerate(contents):
        parts = []
        for place, graph in enumerate(names):
            times: Counter[bytes] = Counter()
            slices = []
            for line in ntriples(_graphs(content).get(graph, "")).splitlines(keepends=True):
                identity = known.setdefault((line, times[line]), len(known))
                times[line] += 1
                slices.append(HeldSlice(((at, line),), identity=identity))
            parts.append(Contribution(f"s{place}", _name(graph), 0, at, tuple(slices)))
        found.append(Snapshot(at, 0, tuple(parts)))
    return found


def _graphs(content: Content) -> Mapping[str | None, str]:
    return {None: content} if isinstance(content, str) else content


def _name(graph: str | None) -> str | None:
    return None if graph is None else NS + graph.removeprefix(":")


def prepared(query: str, given: StaticData = NO_STATIC_DATA, **options: str) -> ChangeSession:
    """A session of SPECTRA."""
    session = open_backend("spectra", options).prepare(parse_rho(PREFIXES + query), given)
    assert isinstance(session, ChangeSession)
    return session


def fed(session: ChangeSession, snapshots: list[Snapshot], given: StaticData = NO_STATIC_DATA) -> Iterator[Snapshot]:
    """Feed the first window whole and the others as changes; each window when it is there."""
    occurrences, last = Occurrences(given), None
    for snapshot in snapshots:
        if last is None:
            session.load(snapshot)
        else:
            session.apply(delta_between(last, snapshot, occurrences))
        last = snapshot
        yield snapshot


def agrees(query: str, *contents: Content, given: StaticData = NO_STATIC_DATA, ordered: bool = False) -> None:
    """SPECTRA answers as the naive evaluator on every window: fed by deltas and by snapshots, from the change and from scratch."""
    snapshots = windows(*contents)
    expected = [Naive(snapshot, given).ask(PREFIXES + query) for snapshot in snapshots]
    for mode in ("inc", "rev"):
        session = prepared(query, given, mode=mode)
        for number, _ in enumerate(fed(session, snapshots, given)):
            wrong = _difference(expected[number], session.evaluate(), ordered)
            assert wrong is None, f"{query}, {mode}, window {number}, fed by deltas: {wrong}"
        for number, snapshot in enumerate(snapshots):
            session.load(snapshot)
            wrong = _difference(expected[number], session.evaluate(), ordered)
            assert wrong is None, f"{query}, {mode}, window {number}, fed by snapshots: {wrong}"


def _difference(expected: Result, got: Result, ordered: bool) -> Difference | None:
    match expected, got:
        case Boolean(), Boolean():
            return compare_booleans(expected.value, got.value)
        case Triples(), Triples():
            return compare_graphs(triples(expected), triples(got), literals=Literals.BY_VALUE)
        case Solutions(), Solutions():
            rows = (expected.variables, expected.rows()), (got.variables, got.rows())
            return compare_solutions(*rows, ordered=ordered, literals=Literals.BY_VALUE)
        case _:
            raise AssertionError(f"expected {type(expected).__name__}, got {type(got).__name__}")


def shown(answer: Result) -> list[str]:
    """The rows of an answer, briefly and sorted: ``a 1`` for ``<http://e/a>`` and an integer."""
    assert isinstance(answer, Solutions)
    return sorted(" ".join(_brief(term) for term in row) for row in answer.rows())


def _brief(term: Term | None) -> str:
    if isinstance(term, Literal):
        return term.lexical
    return "-" if term is None else term.value.removeprefix(NS) if isinstance(term, IRI) else str(term)
