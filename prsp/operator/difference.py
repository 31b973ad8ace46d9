"""Rstream, Istream and Dstream of two answers: bag differences of rows, set differences of triples.

Rows and triples are the same when their terms are: the same lexical form, the same datatype, the same blank node label. A blank node
has no identity across two answers but its label, so an engine that labels anew in every answer makes each row with one look new.
"""

from __future__ import annotations

from collections import Counter

from prsp.errors import UnsupportedQuery
from prsp.model.profile import Operator
from prsp.model.result import Boolean, Result, Row, RowSolutions, Solutions, Triples


def emitted(operator: Operator, before: Result | None, after: Result) -> Result:
    """What comes out when the answer was ``before`` (None: there was none yet, which is the empty answer) and is ``after``."""
    match operator:
        case Operator.RSTREAM:
            return after
        case Operator.ISTREAM:
            return less(after, before)
        case Operator.DSTREAM:
            return less(after, after) if before is None else less(before, after)


def less(one: Result, other: Result | None) -> Result:
    """The rows or triples of one answer that the other has not, in order; a row twice in the one and once in the other stays once."""
    if isinstance(one, Triples) and isinstance(other, Triples | None):
        gone = set() if other is None else set(other.lines())
        return Triples("".join(f"{line}\n" for line in one.lines() if line not in gone).encode())
    if isinstance(one, Solutions) and isinstance(other, Solutions | None):
        return RowSolutions(one.variables, _left(one, other))
    if isinstance(one, Boolean):
        raise UnsupportedQuery("the answer of an ASK has no rows, so there is no difference of two of them")
    raise AssertionError(f"one query gave two kinds of answer: {type(one).__name__} and {type(other).__name__}")


def _left(one: Solutions, other: Solutions | None) -> list[Row]:
    if other is None:
        return list(one.rows())
    taken = Counter(_arranged(other, one.variables))
    left: list[Row] = []
    for row in one.rows():
        if taken[row] > 0:
            taken[row] -= 1
        else:
            left.append(row)
    return left


def _arranged(answer: Solutions, names: tuple[str, ...]) -> list[Row]:
    """The rows with their columns in another order; an engine may order those of ``SELECT *`` as it likes each time."""
    if answer.variables == names:
        return answer.rows()
    places = [answer.variables.index(name) if name in answer.variables else None for name in names]
    return [tuple(None if place is None else row[place] for place in places) for row in answer.rows()]
