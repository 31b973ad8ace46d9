"""Equality, order and truth of terms: sections 17.2.2, 17.3, 17.4.1.7 and 15.1 of the recommendation."""

from __future__ import annotations

import math
from functools import cmp_to_key

from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term
from prsp.oracle import times
from prsp.oracle.numbers import DATATYPES, alike, number
from prsp.oracle.problem import ExpressionError

STRING = XSD + "string"
BOOLEAN = XSD + "boolean"
TRUE = Literal("true", BOOLEAN)
FALSE = Literal("false", BOOLEAN)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def boolean(value: bool) -> Literal:
    """The literal of a truth value."""
    return TRUE if value else FALSE


def truth_of(term: Term) -> bool | None:
    """The value of a well-formed xsd:boolean; None for anything else."""
    return _BOOLEANS.get(term.lexical) if isinstance(term, Literal) and term.datatype == BOOLEAN else None


def effective(term: Term) -> bool:
    """The effective boolean value (17.2.2); a type error for terms that have none."""
    if isinstance(term, Literal):
        if term.datatype == BOOLEAN:
            return _BOOLEANS.get(term.lexical, False)
        if term.datatype in DATATYPES:
            value = number(term)
            return value is not None and value.value != 0 and not math.isnan(value.value)
        if term.datatype in (STRING, RDF + "langString"):
            return term.lexical != ""
    raise ExpressionError(f"{term} has no truth value")


def order(a: Term, b: Term) -> int | None:
    """Negative, zero or positive for two values of one kind that ``<`` knows; None for others, and for NaN."""
    x, y = number(a), number(b)
    if x is not None and y is not None:
        x, y = alike(x, y)
        if math.isnan(x.value) or math.isnan(y.value):
            return None
        return (x.value > y.value) - (x.value < y.value)
    if isinstance(a, Literal) and isinstance(b, Literal) and a.datatype == b.datatype == STRING:
        return (a.lexical > b.lexical) - (a.lexical < b.lexical)
    p, q = truth_of(a), truth_of(b)
    if p is not None and q is not None:
        return p - q
    for datatype in (times.DATE_TIME, times.DATE):
        s, t = times.moment(a, datatype), times.moment(b, datatype)
        if s is not None and t is not None:
            return times.compare(s, t)
    return None


def equal(a: Term, b: Term) -> bool:
    """``a = b``: by value where the operator mapping has a row for the pair, else RDFterm-equal.

    RDFterm-equal is a type error for two literals that differ. Where it cannot be that they have the same value, because one has a
    language or both are of different known types, they are not equal (17.3.1 allows more operators, the W3C tests ask for these).
    """
    if not isinstance(a, Literal) or not isinstance(b, Literal):
        return a == b
    kinds = _rank(a), _rank(b)
    if kinds[0] == kinds[1] != _OTHER:
        return order(a, b) == 0
    if a == b:
        return True
    if a.language is not None or b.language is not None or _OTHER not in kinds:
        return False
    raise ExpressionError(f"{a} and {b} are different literals that may have the same value")


def compare(operator: str, a: Term, b: Term) -> bool:
    """``a < b`` and the other five comparisons; a type error where they have no meaning."""
    if operator in ("=", "!="):
        return equal(a, b) == (operator == "=")
    compared = order(a, b)
    if compared is None:
        if number(a) is not None and number(b) is not None:
            return False  # one is NaN
        raise ExpressionError(f"{a} {operator} {b} has no meaning")
    return {"<": compared < 0, ">": compared > 0, "<=": compared <= 0, ">=": compared >= 0}[operator]


def _sorted(a: Term | None, b: Term | None) -> int:
    """The order of 15.1: unbound, blank nodes, IRIs, literals.

    Among literals, which it leaves open beyond ``<``: numbers (NaN first), strings, booleans, dateTimes, dates, then everything
    else by datatype, language and lexical form; so that there always is one order.
    """
    ranks = _rank(a), _rank(b)
    if ranks[0] != ranks[1]:
        return ranks[0] - ranks[1]
    if a is None or b is None or isinstance(a, BlankNode):
        return 0
    if ranks[0] == _OTHER or isinstance(a, IRI):
        x, y = _text(a), _text(b)
        return (x > y) - (x < y)
    for datatype in (times.DATE_TIME, times.DATE):
        s, t = times.moment(a, datatype), times.moment(b, datatype)
        if s is not None and t is not None:
            return (times.sort_key(s) > times.sort_key(t)) - (times.sort_key(s) < times.sort_key(t))
    compared = order(a, b)
    return compared if compared is not None else _is_nan(b) - _is_nan(a)


sort_key = cmp_to_key(_sorted)
"""A key for sorting terms, None among them, by the order of 15.1."""

_OTHER = 8


def _rank(term: Term | None) -> int:
    if not isinstance(term, Literal):
        return 0 if term is None else 1 if isinstance(term, BlankNode) else 2
    if number(term) is not None:
        return 3
    if term.datatype == STRING:
        return 4
    if truth_of(term) is not None:
        return 5
    if times.moment(term) is not None:
        return 6
    return 7 if times.moment(term, times.DATE) is not None else _OTHER


def _text(term: Term) -> tuple[str, ...]:
    if isinstance(term, Literal):
        return term.datatype, term.language or "", term.lexical
    return (term.value if isinstance(term, IRI) else term.label,)


def _is_nan(term: Term) -> bool:
    value = number(term)
    return value is not None and math.isnan(value.value)
