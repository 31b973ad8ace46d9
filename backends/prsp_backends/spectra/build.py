"""Making plan nodes: joins flattened into basic graph patterns, filters pushed down where that is sound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rdflib import Variable

from prsp_backends.spectra.algebra import parts
from prsp_backends.spectra.plan import (
    EMPTY,
    UNIT,
    Bgp,
    Distinct,
    Exists,
    Extend,
    Filter,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Plan,
    Table,
    Union,
    merged,
)

MOST_LOOPS = 14
"""Python nests at most 20 loops; a larger pattern is cut in two and joined."""


def expression_variables(expression: Any) -> frozenset[str]:
    """The variables an expression reads, those of the patterns of its EXISTS among them."""
    found: set[str] = set()
    stack = [expression]
    while stack:
        item = stack.pop()
        if isinstance(item, Variable):
            found.add(str(item))
        else:
            stack.extend(parts(item))
    return frozenset(found)


def conjuncts(expression: Any) -> list[Any]:
    """The parts of a conjunction."""
    if getattr(expression, "name", "") == "ConditionalAndExpression":
        return [part for member in [expression.expr, *(expression.other or [])] for part in conjuncts(member)]
    return [expression]


def bgp(patterns: list[Pattern]) -> Plan:
    """The plan of some triple patterns, in chunks that can be compiled."""
    if not patterns:
        return UNIT
    chunks: list[list[Pattern]] = [[]]
    for pattern in patterns:
        if _loops([*chunks[-1], pattern]) > MOST_LOOPS:
            chunks.append([])
        chunks[-1].append(pattern)
    result: Plan = UNIT
    for chunk in chunks:
        names = merged(*(pattern.variables for pattern in chunk))
        result = join(result, Bgp(variables=names, certain=frozenset(names), patterns=tuple(chunk)))
    return result


def _loops(leaves: Sequence[Pattern | Table]) -> int:
    """How many loops the join of these takes: one each, and one more for each that nothing connects to the others."""
    groups: list[set[str]] = []
    for leaf in leaves:
        names = set(leaf.variables)
        apart = [group for group in groups if not group & names]
        groups = [*apart, names.union(*(group for group in groups if group & names))]
    return len(leaves) + len(groups) - 1


def join(left: Plan, right: Plan) -> Plan:
    """Both sides joined; patterns and tables that share a variable become one pattern."""
    if left == UNIT:
        return right
    if right == UNIT:
        return left
    if EMPTY in (left, right):
        return EMPTY
    if isinstance(left, Join):
        # The operands commute: a pattern is merged with the one deeper down that it shares variables with.
        for one, other in ((left.left, left.right), (left.right, left.left)):
            together = _fused(one, right)
            if together is not None:
                return join(together, other)
    together = _fused(left, right)
    if together is not None:
        return together
    return Join(variables=merged(left.variables, right.variables), certain=left.certain | right.certain, left=left, right=right)


def _fused(left: Plan, right: Plan) -> Plan | None:
    one, two = _as_bgp(left), _as_bgp(right)
    if one is None or two is None or not set(one.variables) & set(two.variables):
        return None
    if not (isinstance(left, Bgp) or isinstance(right, Bgp)):
        return None
    if _loops([*one.patterns, *two.patterns, *one.tables, *two.tables]) > MOST_LOOPS:
        return None
    names = merged(one.variables, two.variables)
    return Bgp(
        variables=names,
        certain=frozenset(names),
        patterns=one.patterns + two.patterns,
        tables=one.tables + two.tables,
        tests=one.tests + two.tests,
    )


def _as_bgp(plan: Plan) -> Bgp | None:
    if isinstance(plan, Bgp):
        return plan
    if isinstance(plan, Table) and plan.rows and plan.variables:
        full = all(None not in row for row in plan.rows)
        if full and len(set(plan.rows)) == len(plan.rows):
            return Bgp(variables=plan.variables, certain=plan.certain, patterns=(), tables=(plan,))
    return None


def keep(plan: Plan, test: Any) -> Plan:
    """The plan filtered, as deep down as gives the same rows."""
    names = expression_variables(test)
    if isinstance(plan, Bgp) and names <= plan.certain:
        return replace(plan, tests=(*plan.tests, test))
    if isinstance(plan, Join):
        if names and names <= plan.left.certain:
            return join(keep(plan.left, test), plan.right)
        if names and names <= plan.right.certain:
            return join(plan.left, keep(plan.right, test))
    if isinstance(plan, (LeftJoin, Minus, Exists)) and names <= plan.left.certain and plan.left != UNIT:
        return replace(plan, left=keep(plan.left, test))
    if isinstance(plan, Extend) and names <= plan.child.certain and plan.child != UNIT:
        return replace(plan, child=keep(plan.child, test))
    if isinstance(plan, Distinct):
        return replace(plan, child=keep(plan.child, test))
    if isinstance(plan, Union):
        # A branch that lacks a variable tests it unbound, as the whole would.
        return replace(plan, left=keep(plan.left, test), right=keep(plan.right, test))
    return Filter(variables=plan.variables, certain=plan.certain, child=plan, test=test)
