"""Whether two answers are the same RDF: bags or lists of solutions, graphs, truth values, blank nodes up to isomorphism.

Blank nodes are renamed over all rows at once: a row-by-row comparison would call ``(a, b)`` and ``(a, a)`` the same.
Language tags are compared without regard to case, as RDF 1.1 gives them lower-case values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from prsp.model.isomorphism import Cell, Keyed, unmatched
from prsp.model.numeric import value_keys
from prsp.model.term import BlankNode, Literal, Term

Row = tuple[Term | None, ...]
Solutions = tuple[tuple[str, ...], Sequence[Row]]
"""The variables, and rows as wide as them; None is unbound."""
TripleOfTerms = tuple[Term, Term, Term]


class Literals(StrEnum):
    """How literals are compared."""

    EXACT = "exact"
    BY_VALUE = "by value"
    """Numbers by value: integers and decimals exactly, as soon as a float or double takes part within 1e-9 of the larger one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What one answer has and the other has not, as bags of rows; only ever given when they differ."""

    reason: str
    missing: tuple[Row, ...] = ()
    extra: tuple[Row, ...] = ()
    only_datatypes: bool = False
    """Whether the answers are equal by value, so that nothing but datatypes of numbers differs."""

    def __str__(self) -> str:
        lines = [self.reason]
        for sign, rows in (("-", self.missing), ("+", self.extra)):
            lines += [f"  {sign} {_text(row)}" for row in rows[:_SHOWN]]
            lines += [f"  {sign} … and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
        return "\n".join(lines)


_SHOWN = 10


def compare_solutions(
    expected: Solutions, got: Solutions, *, ordered: bool = False, literals: Literals = Literals.EXACT
) -> Difference | None:
    """None when both have the same rows (in the same order when ``ordered``), else what differs; columns may come in any order."""
    columns, rows = expected
    if set(columns) != set(got[0]):
        return Difference(f"the variables differ: expected {_names(columns)}, got {_names(got[0])}")
    places = [got[0].index(name) for name in columns]
    return _compare(list(rows), [tuple(row[place] for place in places) for row in got[1]], ordered, literals, "rows")


def compare_graphs(
    expected: Collection[TripleOfTerms], got: Collection[TripleOfTerms], *, literals: Literals = Literals.EXACT
) -> Difference | None:
    """None when the graphs are isomorphic, else what differs; a triple that is given twice counts once."""
    return _compare(list(dict.fromkeys(expected)), list(dict.fromkeys(got)), False, literals, "triples")


def compare_booleans(expected: bool, got: bool) -> Difference | None:
    """None when both are the same truth value."""
    return None if expected is got else Difference(f"expected {str(expected).lower()}, got {str(got).lower()}")


def _compare(expected: Sequence[Row], got: Sequence[Row], ordered: bool, literals: Literals, what: str) -> Difference | None:
    if literals is Literals.EXACT:
        pair = _match(expected, got, ordered, {})
        return None if pair is None else _difference(expected, got, pair, what, False)
    values = value_keys(term for row in (*expected, *got) for term in row if isinstance(term, Literal))
    typed = _match(expected, got, ordered, {literal: (key, literal.datatype) for literal, key in values.items()})
    if typed is None:
        return None
    untyped = _match(expected, got, ordered, values)
    if untyped is None:
        return _difference(expected, got, typed, what, True)
    return _difference(expected, got, untyped, what, False)


Pair = tuple[list[int], list[int]]


def _match(expected: Sequence[Row], got: Sequence[Row], ordered: bool, values: Mapping[Literal, Cell]) -> Pair | None:
    """None when the rows match, else the numbers of the rows on either side that have no partner."""
    return unmatched(_keyed(expected, ordered, values), _keyed(got, ordered, values))


def _keyed(rows: Iterable[Row], ordered: bool, values: Mapping[Literal, Cell]) -> list[Keyed]:
    return [((number if ordered else None), *(_cell(term, values) for term in row)) for number, row in enumerate(rows)]


def _cell(term: Term | None, values: Mapping[Literal, Cell]) -> Cell:
    if isinstance(term, Literal):
        if term in values:
            return values[term]
        return term if term.language is None else Literal(term.lexical, term.datatype, term.language.lower())
    return BlankNode(term.label) if isinstance(term, BlankNode) else term


def _difference(expected: Sequence[Row], got: Sequence[Row], pair: Pair, what: str, only_datatypes: bool) -> Difference:
    missing, extra = tuple(expected[n] for n in pair[0]), tuple(got[n] for n in pair[1])
    if only_datatypes:
        reason = "the numbers are equal by value, but their datatypes differ"
    elif len(expected) != len(got):
        reason = f"expected {len(expected)} {what}, got {len(got)}"
    elif Counter(missing) == Counter(extra):
        reason = f"the {what} come in another order" if not any(_blank(row) for row in missing) else f"the blank nodes of the {what} differ"
    else:
        reason = f"the {what} differ"
    return Difference(reason, missing, extra, only_datatypes)


def _blank(row: Row) -> bool:
    return any(isinstance(term, BlankNode) for term in row)


def _text(row: Row) -> str:
    return " ".join("unbound" if term is None else str(term) for term in row) or "(no columns)"


def _names(names: Iterable[str]) -> str:
    return " ".join(f"?{name}" for name in names) or "none"
