"""The algebra of SPARQL 1.1 (section 18.2): one class per operator, and substitution of variables in it.

Variables that are assigned stand as plain names, so that substitution, which looks for Variable, leaves them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace

from prsp.model.term import IRI, BlankNode, Literal, Term, Variable
from prsp.parse.syntax import Aggregate, Expression, OrderCondition, Triple


@dataclass(frozen=True, slots=True)
class Basic:
    """A basic graph pattern, paths included; blank nodes of the query are variables whose names begin with ``_:``."""

    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """Every compatible pair."""

    left: Algebra
    right: Algebra


@dataclass(frozen=True, slots=True)
class LeftJoin:
    """Every compatible pair on which the conditions hold, and what is left without one."""

    left: Algebra
    right: Algebra
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """The solutions on which the condition holds."""

    pattern: Algebra
    condition: Expression


@dataclass(frozen=True, slots=True)
class Union:
    """The solutions of all branches."""

    branches: tuple[Algebra, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """The solutions that no solution on the right is compatible with and shares a variable with."""

    left: Algebra
    right: Algebra


@dataclass(frozen=True, slots=True)
class Graph:
    """The pattern in one named graph, or in each in turn."""

    name: Variable | IRI
    pattern: Algebra


@dataclass(frozen=True, slots=True)
class Extend:
    """Assignments one after the other; together, because BNODE("x") is one node within a solution."""

    pattern: Algebra
    assignments: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Inline data; None is UNDEF."""

    names: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Group and AggregateJoin: a solution per group, with its keys and its aggregates."""

    pattern: Algebra
    keys: tuple[str, ...] | None
    """None without GROUP BY: one group, even of nothing."""
    aggregates: tuple[tuple[str, Aggregate], ...]


@dataclass(frozen=True, slots=True)
class OrderBy:
    """The solutions in order."""

    pattern: Algebra
    conditions: tuple[OrderCondition, ...]


@dataclass(frozen=True, slots=True)
class Project:
    """The solutions with these variables only."""

    pattern: Algebra
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distinct:
    """Each solution once."""

    pattern: Algebra


@dataclass(frozen=True, slots=True)
class Slice:
    """Some of the solutions."""

    pattern: Algebra
    offset: int
    limit: int | None


Algebra = Basic | Join | LeftJoin | Filter | Union | Minus | Graph | Extend | Table | Group | OrderBy | Project | Distinct | Slice


@dataclass(frozen=True, slots=True)
class ExistsPattern:
    """EXISTS and NOT EXISTS inside an expression, its pattern translated."""

    pattern: Algebra
    negated: bool


def rebuild(node: object, change: Callable[[object], object]) -> object:
    """The tree with every node replaced by what ``change`` makes of it; where that is None, its parts are looked at instead."""
    changed = change(node)
    if changed is not None:
        return changed
    if isinstance(node, tuple):
        return tuple(rebuild(part, change) for part in node)
    if not is_dataclass(node) or isinstance(node, type | IRI | Literal | BlankNode | Variable):
        return node
    parts = {f.name: getattr(node, f.name) for f in fields(node)}
    built = {name: rebuild(part, change) for name, part in parts.items()}
    return replace(node, **{name: part for name, part in built.items() if part is not parts[name]})


def substitute(pattern: Algebra, solution: Mapping[str, Term]) -> Algebra:
    """The pattern with each variable of μ replaced by its value, as section 18.6 defines EXISTS.

    Inside a subquery only what it projects is the same variable; what is assigned (BIND, VALUES, AS) is not replaced.
    """

    def change(node: object) -> object:
        if isinstance(node, Variable):
            return solution.get(node.name)
        if isinstance(node, Project):
            kept = {name: term for name, term in solution.items() if name in node.names}
            return replace(node, pattern=substitute(node.pattern, kept))
        return None

    result = rebuild(pattern, change)
    assert is_dataclass(result), "an operator stays an operator"
    return result  # type: ignore[return-value]
