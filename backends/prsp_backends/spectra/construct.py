"""CONSTRUCT: rows to triples by the template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdflib import BNode, Variable

from prsp_backends.spectra.algebra import SHORT_FORM
from prsp_backends.spectra.answer import Answer
from prsp_backends.spectra.rows import Row
from prsp_backends.spectra.terms import token_of

Part = Callable[[tuple[bytes | None, ...], str], bytes | None]


class Template:
    """A template over the columns of the answer."""

    def __init__(self, tree: Any, algebra: Any, variables: tuple[str, ...]) -> None:
        triples = _where(algebra.p) if tree.where.name == SHORT_FORM else algebra.template or []
        blank: dict[BNode, int] = {}
        self._parts = [tuple(_part(term, variables, blank) for term in triple) for triple in triples]

    def triples(self, answer: Answer) -> frozenset[bytes]:
        """The N-Triples lines; blank nodes of the template are new for every solution, told apart by its terms."""
        found: set[bytes] = set()
        seen: dict[Row, int] = {}
        for numbers, row in zip(answer.numbers(), answer.tokens(), strict=True):
            again = seen[numbers] = seen.get(numbers, -1) + 1
            scope = "x".join("u" if number is None else str(number) for number in numbers) + f"n{again}"
            for subject, predicate, target in self._parts:
                s, p, o = subject(row, scope), predicate(row, scope), target(row, scope)
                if s is None or p is None or o is None or s[:1] == b'"' or p[:1] != b"<":
                    continue
                found.add(b"%s %s %s ." % (s, p, o))
        return frozenset(found)


def _where(plan: Any) -> list[Any]:
    """The patterns of CONSTRUCT WHERE, which are its template too."""
    while plan.name != "BGP":
        plan = plan.p
    return list(plan.triples)


def _part(term: Any, variables: tuple[str, ...], blank: dict[BNode, int]) -> Part:
    if isinstance(term, Variable):
        if str(term) not in variables:
            return lambda _row, _scope: None
        place = variables.index(str(term))
        return lambda row, _scope: row[place]
    if isinstance(term, BNode):
        number = blank.setdefault(term, len(blank))
        return lambda _row, scope: f"_:q{number}v{scope}".encode()
    token = token_of(term)
    return lambda _row, _scope: token
