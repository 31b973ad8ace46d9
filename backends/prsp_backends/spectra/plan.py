"""The plan: our own algebra tree, of frozen nodes that know their variables."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Position = str | bytes
"""A variable's name, or the token of a constant."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern in one graph (None: the default graph)."""

    graph: str | None
    subject: Position
    predicate: Position
    object: Position

    @property
    def positions(self) -> tuple[Position, Position, Position]:
        """Subject, predicate, object."""
        return (self.subject, self.predicate, self.object)

    @property
    def variables(self) -> tuple[str, ...]:
        """Its variables, each once."""
        return tuple(dict.fromkeys(p for p in self.positions if isinstance(p, str)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A node: the columns of its rows, and those that are bound in every row."""

    variables: tuple[str, ...]
    certain: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Plan):
    """Fixed rows of tokens: VALUES, the unit, the empty relation."""

    rows: tuple[tuple[bytes | None, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bgp(Plan):
    """Triple patterns and fixed tables joined, with the filters that can be tested inside."""

    patterns: tuple[Pattern, ...]
    tables: tuple[Table, ...] = ()
    tests: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Plan):
    """Compatible rows of both sides."""

    left: Plan
    right: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftJoin(Plan):
    """OPTIONAL, with the filter inside; its EXISTS are ``probes``, whose marks the filter reads."""

    left: Plan
    right: Plan
    test: Any
    probes: tuple[Exists, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Minus(Plan):
    """MINUS."""

    left: Plan
    right: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Exists(Plan):
    """FILTER [NOT] EXISTS; with a ``mark`` it keeps every row and says in that column whether there was a match."""

    left: Plan
    right: Plan
    tests: tuple[Any, ...]
    negated: bool = False
    mark: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Union(Plan):
    """Rows of either side."""

    left: Plan
    right: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter(Plan):
    """Rows for which the expression is true."""

    child: Plan
    test: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Extend(Plan):
    """BIND and computed columns."""

    child: Plan
    name: str
    expression: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Project(Plan):
    """Some of the columns."""

    child: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinct(Plan):
    """Each row once."""

    child: Plan


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One aggregate over a column (None: ``COUNT(*)``)."""

    kind: str
    column: str | None
    distinct: bool
    name: str
    separator: str = " "


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(Plan):
    """GROUP BY with aggregates; without keys there is always exactly one group."""

    child: Plan
    keys: tuple[str, ...]
    aggregates: tuple[Aggregate, ...]
    implicit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Plan):
    """ORDER BY, DISTINCT after it, LIMIT and OFFSET: ``variables`` are the projected columns."""

    child: Plan
    conditions: tuple[tuple[Any, bool], ...] = field(default=())
    """Expression, and whether descending."""
    distinct: bool = False
    start: int = 0
    length: int | None = None


UNIT = Table(variables=(), certain=frozenset(), rows=((),))
EMPTY = Table(variables=(), certain=frozenset(), rows=())


def merged(*groups: tuple[str, ...]) -> tuple[str, ...]:
    """All the variables, each once, in order."""
    return tuple(dict.fromkeys(name for group in groups for name in group))
