"""Whether an answer to a random query is right, as far as the recommendation determines it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal

from prsp.model.equality import Difference, Literals, Row, compare_booleans, compare_graphs, compare_solutions
from prsp.model.numeric import value_keys
from prsp.model.result import Boolean, Result, Solutions, Triples
from prsp.model.term import XSD, Literal, Term
from tests.random.order import Key, before
from tests.random.queries import SEPARATOR, Choice, Query, Rows
from tests.random.terms import triples

Ask = Callable[[str], Result]
"""Another query about the same window, answered by whoever gave the expected answer."""


def disagreement(query: Query, expected: Result, got: Result, ask: Ask) -> str | None:
    """What is wrong with an answer; None when nothing is."""
    match expected, got:
        case Boolean(), Boolean():
            return _said(compare_booleans(expected.value, got.value))
        case Triples(), Triples():
            return _said(compare_graphs(triples(expected), triples(got), literals=Literals.BY_VALUE))
        case Solutions(), Solutions():
            return _rows(query, expected, got, ask)
        case _:
            return f"expected {type(expected).__name__}, got {type(got).__name__}"


def _said(difference: Difference | None) -> str | None:
    return None if difference is None else str(difference)


def _rows(query: Query, expected: Solutions, got: Solutions, ask: Ask) -> str | None:
    if set(expected.variables) != set(got.variables):
        return f"expected the columns {expected.variables}, got {got.variables}"
    rows = got.rows()
    choices = query.choices
    for choice in choices:
        if wrong := _wrong_choice(got.variables, rows, choice, ask(choice.text)):
            return wrong
    hidden = {choice.column for choice in choices}
    if query.rows is Rows.PART:
        whole = ask(query.whole)
        assert isinstance(whole, Solutions)
        return _wrong_part(query, _shown(query, whole, hidden), _shown(query, got, hidden))
    theirs, ours = _shown(query, expected, hidden), _shown(query, got, hidden)
    if query.rows is Rows.SET:
        theirs, ours = (theirs[0], list(dict.fromkeys(theirs[1]))), (ours[0], list(dict.fromkeys(ours[1])))
    # Mostly the rows are the same to the letter, which is cheaper to see.
    same = theirs[0] == ours[0] and Counter(theirs[1]) == Counter(ours[1])
    wrong = None if same else _said(compare_solutions(theirs, ours, literals=Literals.BY_VALUE))
    return wrong or _wrong_order(query, ours, ours[1], 0)


Table = tuple[tuple[str, ...], list[Row]]


def _shown(query: Query, answer: Solutions, hidden: set[str]) -> Table:
    """The columns to compare, parts of a GROUP_CONCAT sorted."""
    places = [place for place, name in enumerate(answer.variables) if name not in hidden]
    joined = {place for place in places if answer.variables[place] in query.concatenated}
    rows = [tuple(_parts_sorted(row[p]) if p in joined else _rounded(row[p], query.aggregated) for p in places) for row in answer.rows()]
    return tuple(answer.variables[place] for place in places), rows


def _rounded(term: Term | None, aggregated: bool) -> Term | None:
    """Without the digits that are left to the implementation: of a decimal quotient, and of a float that may be a sum in any order."""
    if isinstance(term, Literal) and term.datatype == _FLOATS and aggregated and _FLOAT.fullmatch(term.lexical):
        return Literal(f"{float(term.lexical):.5e}", _FLOATS)
    if isinstance(term, Literal) and term.datatype == _DECIMAL and len(term.lexical.partition(".")[2]) > _DIGITS:
        return Literal(str(round(Decimal(term.lexical), _DIGITS)), _DECIMAL)
    return term


_DECIMAL, _DIGITS, _FLOATS = XSD + "decimal", 15, XSD + "float"


def _parts_sorted(term: object) -> Literal | None:
    if not isinstance(term, Literal):
        return None
    return Literal(SEPARATOR.join(sorted(map(_part, term.lexical.split(SEPARATOR)))), term.datatype, term.language)


def _part(text: str) -> str:
    """How a computed float is written is left to the implementation: 7.5E-1 or 0.75."""
    return str(float(text)) if _FLOAT.fullmatch(text) else text


_FLOAT = re.compile(r"-?[0-9]+(\.[0-9]+)?(E-?[0-9]+)?")


def _wrong_choice(names: Sequence[str], rows: list[Row], choice: Choice, members: Result) -> str | None:
    assert isinstance(members, Solutions)
    wanted = [*choice.keys, choice.column]
    order = [members.variables.index(name) for name in wanted]
    possible = [tuple(row[place] for place in order) for row in members.rows()]
    places = [list(names).index(name) for name in wanted]
    found = [tuple(row[place] for place in places) for row in rows]
    keyed = _by_value(possible + found)
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in possible:
        groups.setdefault(keyed(row)[:-1], []).append(row)
    for row in found:
        group = groups.get(keyed(row)[:-1], [])
        if row[-1] is None:
            if group and all(other[-1] is not None for other in group):
                return f"?{choice.column} is unbound although its group has members: {row}"
        elif keyed(row) not in {keyed(other) for other in group}:
            return f"?{choice.column} is no member of its group: {row}"
        elif choice.function != "SAMPLE":
            mine, others = ((row[-1], False),), [((other[-1], False),) for other in group if other[-1] is not None]
            if any(before(other, mine) if choice.function == "MIN" else before(mine, other) for other in others):
                return f"?{choice.column} is not the {choice.function} of its group: {row}"
    return None


def _by_value(rows: list[Row]) -> Callable[[Row], tuple[object, ...]]:
    """Rows as keys in which numbers stand by value, those of different datatypes apart."""
    values = value_keys(term for row in rows for term in row if isinstance(term, Literal))
    return lambda row: tuple((values.get(term, term), term.datatype) if isinstance(term, Literal) else term for term in row)


def _wrong_part(query: Query, whole: Table, part: Table) -> str | None:
    size = max(0, len(whole[1]) - query.offset)
    size = size if query.limit is None else min(size, query.limit)
    if len(part[1]) != size:
        return f"expected {size} of {len(whole[1])} rows, got {len(part[1])}"
    keyed = _by_value(whole[1] + part[1])
    places = [part[0].index(name) for name in whole[0]]
    extra = Counter(keyed(tuple(row[p] for p in places)) for row in part[1]) - Counter(keyed(row) for row in whole[1])
    if extra:
        return f"rows that are not in the answer without LIMIT and OFFSET: {list(extra)[:3]}"
    return _wrong_order(query, whole, [tuple(row[p] for p in places) for row in part[1]], query.offset)


def _wrong_order(query: Query, whole: Table, rows: list[Row], offset: int) -> str | None:
    """Whether each row can stand where it does: not too many rows are certainly before it, or after it."""
    if not query.order or len(whole[1]) > _TOO_MANY:
        return None
    places = [(whole[0].index(name), down) for name, down in query.order]

    def key(row: Row) -> Key:
        return tuple((row[place], down) for place, down in places)

    keys = Counter(key(row) for row in whole[1])
    for number, row in enumerate(rows):
        mine = key(row)
        less = sum(times for other, times in keys.items() if before(other, mine))
        more = sum(times for other, times in keys.items() if before(mine, other))
        if less > offset + number or more > len(whole[1]) - 1 - offset - number:
            return f"row {number} is out of order: {row}"
    return None


_TOO_MANY = 400


def is_empty(answer: Result) -> bool:
    """Whether there is nothing in the answer."""
    match answer:
        case Boolean(value):
            return not value
        case Triples():
            return not answer.payload
        case _:
            return not any(
                term is not None and not (isinstance(term, Literal) and term.lexical == "0") for row in answer.rows() for term in row
            )
