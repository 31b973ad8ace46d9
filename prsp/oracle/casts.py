"""The constructor functions xsd:boolean, integer, decimal, float, double, string and dateTime (section 17.5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from prsp.model.term import IRI, XSD, Literal, Term
from prsp.oracle import numbers, times
from prsp.oracle.compare import BOOLEAN, STRING, boolean, truth_of
from prsp.oracle.numbers import Kind, Number
from prsp.oracle.problem import ExpressionError


def _string(term: Term) -> Literal:
    if isinstance(term, IRI):
        return Literal(term.value)
    if not isinstance(term, Literal):
        raise ExpressionError("a blank node has no text")
    value, truth = numbers.number(term), truth_of(term)
    if value is not None:
        return Literal(numbers.string_of(value))
    return Literal(term.lexical if truth is None else str(truth).lower())


def _boolean(term: Term) -> Literal:
    value, truth = numbers.number(term), truth_of(term)
    if truth is None and value is not None:
        truth = value.value != 0 and not math.isnan(value.value)
    if truth is None and isinstance(term, Literal) and term.datatype == STRING:
        truth = truth_of(Literal(term.lexical.strip(" \t\r\n"), BOOLEAN))
    if truth is None:
        raise _no_cast(term, "boolean")
    return boolean(truth)


def _numeric(kind: Kind) -> Callable[[Term], Literal]:
    def cast(term: Term) -> Literal:
        truth = truth_of(term)
        value = numbers.number(term) if truth is None else Number(Kind.INTEGER, Fraction(truth))
        if value is None and isinstance(term, Literal) and term.datatype == STRING:
            value = numbers.read(term.lexical.strip(" \t\r\n"), kind.iri)
        if value is None:
            raise _no_cast(term, kind.name.lower())
        return numbers.literal(_converted(value, kind))

    return cast


def _converted(value: Number, kind: Kind) -> Number:
    if kind in (Kind.FLOAT, Kind.DOUBLE):
        return numbers.promote(value, kind)
    if isinstance(value.value, float) and not math.isfinite(value.value):
        raise ExpressionError(f"{numbers.text(value)} is no {kind.name.lower()}")
    exact = Fraction(value.value)
    return Number(kind, Fraction(math.trunc(exact)) if kind is Kind.INTEGER else exact)


def _date_time(term: Term) -> Literal:
    if isinstance(term, Literal) and term.datatype in (STRING, times.DATE_TIME):
        result = Literal(term.lexical.strip(" \t\r\n"), times.DATE_TIME)
        if times.moment(result) is not None:
            return result
    date = times.moment(term, times.DATE)
    if date is not None and isinstance(term, Literal):
        length = len(term.lexical) - len(term.lexical[1:].lstrip("0123456789")[6:])
        return Literal(f"{term.lexical[:length]}T00:00:00{term.lexical[length:]}", times.DATE_TIME)
    raise _no_cast(term, "dateTime")


def _no_cast(term: Term, name: str) -> ExpressionError:
    return ExpressionError(f"{term} cannot be cast to xsd:{name}")


CASTS: dict[str, Callable[[Term], Literal]] = {
    XSD + "string": _string,
    XSD + "boolean": _boolean,
    XSD + "dateTime": _date_time,
    **{kind.iri: _numeric(kind) for kind in Kind},
}
"""The constructor functions by IRI."""
