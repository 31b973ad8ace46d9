"""Laws every session keeps, whatever it is asked: values stay values, sessions stay apart, views of one answer agree."""

from __future__ import annotations

import pickle
import time
from contextlib import ExitStack, closing

from prsp.backend import Backend, Option, Requirement, open_feed
from prsp.errors import InputError
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.result import JsonSolutions, Result, Solutions, solutions
from prsp.model.static import NO_STATIC_DATA
from prsp.model.term import IRI, Literal
from prsp.parse import parse_rho
from prsp.testing.answers import Violation, demand_same
from prsp.testing.cases import load_cases
from prsp.testing.checks import Check, Need
from prsp.testing.windows import snapshot_of

QUERY = parse_rho("PREFIX ex: <http://example.org/>\nSELECT ?s ?v { ?s ex:says ?v }")
"""The plainest query there is: what a law asks when the law is not about the query."""
SELECT: frozenset[Need] = frozenset({Feature.SELECT})
_LARGE = 100_000
_BUDGET = 60.0


def says(*pairs: tuple[str, str]) -> bytes:
    """A window in which each of these says something."""
    return b"".join(b'<http://example.org/%s> <http://example.org/says> "%s" .\n' % (s.encode(), v.encode()) for s, v in pairs)


def said(*pairs: tuple[str, str]) -> Solutions:
    """The answer to QUERY on such a window."""
    return solutions(("s", "v"), [(IRI(f"http://example.org/{s}"), Literal(v)) for s, v in sorted(set(pairs))])


def ask(backend: Backend, *pairs: tuple[str, str]) -> Result:
    """The answer of a new session on such a window."""
    feed = open_feed(backend, QUERY, NO_STATIC_DATA)
    try:
        feed.give(snapshot_of({None: says(*pairs)}))
        return feed.evaluate()
    finally:
        feed.close()


def _declares(backend: Backend) -> None:
    if not (isinstance(backend.name, str) and backend.name and isinstance(backend.about, str) and backend.about):
        raise Violation("a backend has a name and a line about it")
    if not all(isinstance(option, Option) and option.name and option.help for option in backend.options):
        raise Violation("its options are Option values, each with a name and a line of help")
    if not all(isinstance(requirement, Requirement) and requirement.install for requirement in backend.requires):
        raise Violation("its requirements are Requirement values, each with the line that installs it")
    capabilities = backend.capabilities
    if not isinstance(capabilities, Capabilities):
        raise Violation("its capabilities are a Capabilities value")
    for what, reason in [*capabilities.gaps.items(), *capabilities.faults.items()]:
        if not reason.strip():
            raise Violation(f"'{what}' is declared without a reason")


def _unknown_option(backend: Backend) -> None:
    try:
        type(backend).from_options({"no-such-option": "1"})
    except InputError:
        return
    raise Violation("an option it does not know was taken without an InputError")


def _pickles(backend: Backend) -> None:
    demand_same(said(("a", "1")), ask(pickle.loads(pickle.dumps(backend)), ("a", "1")), what="the answer of a backend that was pickled")


def _evaluated_again(backend: Backend) -> None:
    feed = open_feed(backend, QUERY, NO_STATIC_DATA)
    try:
        feed.give(snapshot_of({None: says(("a", "1"), ("b", "2"))}))
        for time in ("first", "second"):
            demand_same(said(("a", "1"), ("b", "2")), feed.evaluate(), what=f"the {time} answer to one window")
    finally:
        feed.close()


def _result_is_a_value(backend: Backend) -> None:
    feed = open_feed(backend, QUERY, NO_STATIC_DATA)
    windows = [[("a", "1")], [("b", "2"), ("c", "3")], []]
    try:
        answers = []
        for number, pairs in enumerate(windows):
            feed.give(snapshot_of({None: says(*pairs)}, number=number))
            answers.append(feed.evaluate())
    finally:
        feed.close()
    # Only now are they looked at: a result that reads on in the engine has lost its window.
    for number, (pairs, answer) in enumerate(zip(windows, answers, strict=True), 1):
        demand_same(said(*pairs), answer, what=f"answer {number}, read when the session was over,")


def _side_by_side(backend: Backend) -> None:
    with ExitStack() as opened:
        feeds = [opened.enter_context(closing(open_feed(backend, QUERY, NO_STATIC_DATA))) for _ in range(2)]
        for number in range(3):
            pairs = [[(f"{who}{number}", who)] for who in ("a", "b")]
            for feed, own in zip(feeds, pairs, strict=True):
                feed.give(snapshot_of({None: says(*own)}, number=number))
            for feed, own in zip(feeds, pairs, strict=True):
                demand_same(said(*own), feed.evaluate(), what="the answer of one of two sessions side by side")


def _same_names(backend: Backend) -> None:
    name = "http://example.org/shared"
    rho = parse_rho(f"SELECT ?s ?v {{ GRAPH <{name}> {{ ?s <http://example.org/says> ?v }} }}")
    with ExitStack() as opened:
        feeds = [opened.enter_context(closing(open_feed(backend, rho, NO_STATIC_DATA))) for _ in range(2)]
        for number in range(2):
            pairs = [(f"{who}{number}", who) for who in ("a", "b")]
            for feed, own in zip(feeds, pairs, strict=True):
                feed.give(snapshot_of({None: b"", name: says(own)}, number=number))
            for feed, own in zip(feeds, pairs, strict=True):
                demand_same(said(own), feed.evaluate(), what="the answer of one of two sessions with named windows of one name")


def _one_closed(backend: Backend) -> None:
    with ExitStack() as opened:
        first, second = (opened.enter_context(closing(open_feed(backend, QUERY, NO_STATIC_DATA))) for _ in range(2))
        second.give(snapshot_of({None: says(("b", "2"))}))
        first.give(snapshot_of({None: says(("a", "1"))}))
        first.close()
        demand_same(said(("b", "2")), second.evaluate(), what="the answer of a session when another was closed")


def _views_agree(backend: Backend) -> None:
    wanted = (
        "datatypes/kept",
        "text/language",
        "text/escapes",
        "text/unicode",
        "patterns/optional",
        "blank-nodes/in-the-answer",
        "forms/select",
    )
    for case in load_cases():
        if case.name in wanted and all(need in backend.capabilities for need in case.needs):
            feed = open_feed(backend, case.rho, case.static)
            try:
                feed.give(snapshot_of(case.windows[0].graphs))
                answer = feed.evaluate()
            finally:
                feed.close()
            if not isinstance(answer, Solutions):
                raise Violation(f"{case.name}: a SELECT is answered with solutions, not with {type(answer).__name__}")
            _agree(answer, case.name)


def _agree(answer: Solutions, name: str) -> None:
    rows, document, table = answer.rows(), JsonSolutions(answer.json()), answer.arrow()
    if (document.variables, document.rows()) != (answer.variables, rows):
        raise Violation(f"{name}: json() and rows() are not the same answer")
    columns = [tuple(None if row[i] is None else str(row[i]) for row in rows) for i in range(len(answer.variables))]
    if tuple(table.column_names) != answer.variables or [tuple(column.to_pylist()) for column in table.columns] != columns:
        raise Violation(f"{name}: arrow() and rows() are not the same answer")
    if len(answer) != len(rows):
        raise Violation(f"{name}: len() is {len(answer)} of {len(rows)} rows")


def _closed_twice(backend: Backend) -> None:
    for loaded in (False, True):
        feed = open_feed(backend, QUERY, NO_STATIC_DATA)
        if loaded:
            feed.give(snapshot_of({None: says(("a", "1"))}))
        feed.close()
        feed.close()


def _large_window(backend: Backend) -> None:
    rho = parse_rho("PREFIX ex: <http://example.org/>\nSELECT ?s ?v { ?s ex:says ?v . ?s ex:is ex:rare }")
    feed = open_feed(backend, rho, NO_STATIC_DATA, deadlines=True)
    deadline = time.monotonic() + _BUDGET
    try:
        for number in range(2):
            chosen = range(number, _LARGE, _LARGE // 10)
            data = says(*((f"s{i}", f"{i}") for i in range(_LARGE)))
            data += b"".join(b"<http://example.org/s%d> <http://example.org/is> <http://example.org/rare> .\n" % i for i in chosen)
            feed.give(snapshot_of({None: data}, number=number), deadline=deadline)
            demand_same(
                said(*((f"s{i}", f"{i}") for i in chosen)),
                feed.evaluate(deadline=deadline),
                what=f"the answer to large window {number + 1}",
            )
    finally:
        feed.close()


SESSION_CHECKS = (
    Check("sessions/declares", "Name, line, options, requirements and capabilities are as the contract says.", _declares),
    Check("sessions/unknown-option", "An option it does not know is an InputError.", _unknown_option),
    Check("sessions/pickles", "A backend can be sent to another process.", _pickles, SELECT),
    Check("sessions/evaluated-again", "The same window asked twice has the same answer.", _evaluated_again, SELECT),
    Check("sessions/result-is-a-value", "An answer stays as it is when the session goes on and ends.", _result_is_a_value, SELECT),
    Check("sessions/side-by-side", "Two sessions do not see each other's windows.", _side_by_side, SELECT | {Ability.SIDE_BY_SIDE}),
    Check(
        "sessions/one-closed", "A session that is closed takes nothing of another with it.", _one_closed, SELECT | {Ability.SIDE_BY_SIDE}
    ),
    Check(
        "sessions/same-names",
        "Two sessions do not see each other's named windows, although these have the same name.",
        _same_names,
        SELECT | {Feature.NAMED_GRAPHS, Ability.NAMED_WINDOWS, Ability.SIDE_BY_SIDE, Ability.SAME_NAMES},
    ),
    Check("sessions/views-agree", "JSON, rows, Arrow and the length of an answer agree.", _views_agree, SELECT),
    Check("sessions/closed-twice", "Closing again, or before a window was loaded, does no harm.", _closed_twice, SELECT),
    Check(
        "sessions/large-window",
        f"Two windows of {_LARGE:,} triples are answered within {_BUDGET:.0f} seconds.",
        _large_window,
        SELECT | {Ability.LARGE_WINDOWS},
        quick=False,
    ),
)
