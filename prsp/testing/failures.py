"""What happens when something goes wrong: an error of ours, in time, and a new session works."""

from __future__ import annotations

import time

from prsp.backend import Backend, Feed, open_feed
from prsp.errors import DeadlineExceeded, EngineError, PrspError
from prsp.model.feature import Feature
from prsp.model.query import QueryForm, Rho
from prsp.model.result import Result, solutions
from prsp.model.static import NO_STATIC_DATA
from prsp.model.term import XSD, Literal
from prsp.parse import parse_rho
from prsp.testing.answers import Violation, demand_same
from prsp.testing.checks import Check
from prsp.testing.sessions import QUERY, SELECT, ask, said, says
from prsp.testing.windows import snapshot_of

_BAD = Rho("SELECT ?s WHERE { ?s ", QueryForm.SELECT, ("s",), frozenset({Feature.SELECT}))
_SERVICE = parse_rho("SELECT ?s { SERVICE <http://127.0.0.1:9/nobody-answers-here> { ?s ?p ?o } }")
_PRODUCT = "{ ?a ex:says ?v . ?b ex:says ?w . ?c ex:says ?x . ?d ex:says ?y . ?e ex:says ?z }"
_COUNTED = parse_rho(f"PREFIX ex: <http://example.org/>\nSELECT (COUNT(*) AS ?n) {_PRODUCT}")
_LISTED = parse_rho(f"PREFIX ex: <http://example.org/>\nSELECT ?a ?b ?c ?d ?e {_PRODUCT}")
_ROWS = 300
_ALLOWED, _GRACE = 2.0, 10.0


def _answer(backend: Backend, rho: Rho) -> Result:
    feed: Feed | None = None
    try:
        feed = open_feed(backend, rho, NO_STATIC_DATA)
        feed.give(snapshot_of({None: says(("a", "1"))}))
        return feed.evaluate()
    finally:
        if feed is not None:
            # Closing after a failure must not raise: what it raised would hide the failure.
            feed.close()


def _demand_error(backend: Backend, rho: Rho, what: str) -> None:
    try:
        result = _answer(backend, rho)
    except EngineError as error:
        if not str(error).strip():
            raise Violation(f"{what} is an EngineError without a word") from error
        return
    except PrspError as error:
        raise Violation(f"{what} is a {type(error).__name__}; what an engine refuses is an EngineError") from error
    except Exception as error:
        raise Violation(f"{what} let a foreign exception through: {type(error).__name__}: {error}") from error
    raise Violation(f"{what} was answered with {result!r}; it has to be an EngineError")


def _bad_query(backend: Backend) -> None:
    _demand_error(backend, _BAD, "a query that is not SPARQL")


def _service(backend: Backend) -> None:
    _demand_error(backend, _SERVICE, "a SERVICE that nobody can reach")


def _works_again(backend: Backend) -> None:
    for _ in range(2):
        try:
            _answer(backend, _BAD)
        except Exception as error:  # which one it is, is another check's business
            failed: Exception | None = error
        else:
            failed = None
        demand_same(said(("a", "1")), ask(backend, ("a", "1")), what=f"the answer of a new session after {failed!r}")


def _deadline(backend: Backend) -> None:
    counts = all(feature in backend.capabilities for feature in _COUNTED.features)
    feed = open_feed(backend, _COUNTED if counts else _LISTED, NO_STATIC_DATA, deadlines=True)
    try:
        feed.give(snapshot_of({None: says(*((f"s{i}", "x") for i in range(_ROWS)))}))
        begun = time.monotonic()
        try:
            result = feed.evaluate(deadline=begun + _ALLOWED)
        except DeadlineExceeded:
            late = time.monotonic() - begun - _ALLOWED
            if late > _GRACE:
                raise Violation(f"the deadline was kept {late:.1f} s late") from None
            return
        # An engine that counts a product without walking it is not at fault.
        demand_same(
            solutions(("n",), [(Literal(str(_ROWS**5), XSD + "integer"),)]), result, what="the answer, given in spite of the deadline,"
        )
    finally:
        feed.close()


def _works_after_deadline(backend: Backend) -> None:
    feed = open_feed(backend, QUERY, NO_STATIC_DATA, deadlines=True)
    try:
        feed.give(snapshot_of({None: says(("a", "1"))}), deadline=time.monotonic() + 60)
        demand_same(said(("a", "1")), feed.evaluate(deadline=time.monotonic() + 60), what="the answer with a deadline far away")
    finally:
        feed.close()


FAILURE_CHECKS = (
    Check("failures/bad-query", "A query that is not SPARQL is an EngineError, never an empty answer.", _bad_query),
    Check("failures/service", "A SERVICE that nobody can reach is an EngineError, never an empty answer.", _service),
    Check("failures/works-again", "After an error, a new session works.", _works_again, SELECT),
    Check(
        "failures/deadline",
        f"A query that takes for ever ends with DeadlineExceeded, at most {_GRACE:.0f} s late.",
        _deadline,
        SELECT,
        seconds=_ALLOWED + _GRACE + 5,
    ),
    Check("failures/deadline-kept", "A deadline that is far away changes nothing.", _works_after_deadline, SELECT),
)
