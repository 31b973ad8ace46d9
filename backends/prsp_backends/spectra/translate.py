"""From rdflib's algebra to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rdflib import Literal as RdfLiteral
from rdflib import URIRef, Variable
from rdflib.paths import Path
from rdflib.plugins.sparql.parserutils import CompValue

from prsp_backends.spectra.algebra import EXISTS, parts, pattern_of, renamed
from prsp_backends.spectra.build import bgp, conjuncts, expression_variables, join, keep
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.paths import Paths, project, union
from prsp_backends.spectra.plan import (
    EMPTY,
    Aggregate,
    Distinct,
    Exists,
    Extend,
    Group,
    LeftJoin,
    Minus,
    Order,
    Pattern,
    Plan,
    Position,
    Table,
    merged,
)
from prsp_backends.spectra.scope import Scope, correlated
from prsp_backends.spectra.terms import token_of


class Translator:
    """Translates one query over a dataset with these named graphs."""

    def __init__(self, named: Sequence[str]) -> None:
        self._named = tuple(named)
        self._count = 0
        self.sees_names = False
        """Whether the plan depends on which named graphs there are."""
        self._paths = Paths(self._fresh)
        self._samples: dict[str, str] = {}
        """The variable behind each sample that rdflib takes of one outside aggregates, in the query last grouped."""

    def _fresh(self) -> str:
        self._count += 1
        return f"_:{self._count}"

    def plan(self, node: Any, scope: Scope) -> Plan:
        """The plan of an algebra node."""
        translate = getattr(self, f"_{node.name.lower()}", None)
        if translate is None:
            raise Gap("service" if "Service" in node.name else "algebra", f"{node.name} is not evaluated")
        plan: Plan = translate(node, scope)
        return plan

    def _bgp(self, node: Any, scope: Scope) -> Plan:
        simple, plans = [], []
        # One label is one node within the pattern, and another node in any other pattern.
        blank: dict[str, str] = {}
        for subject, predicate, target in node.triples:
            ends = self._position(subject, blank), self._position(target, blank)
            if isinstance(predicate, Path):
                plans.append(self._paths.plan(ends[0], predicate, ends[1], scope.graph))
            else:
                simple.append(Pattern(scope.graph, ends[0], self._position(predicate, blank), ends[1]))
        plan = bgp(simple)
        for path in plans:
            plan = join(plan, path)
        return plan

    def _position(self, term: Any, blank: dict[str, str]) -> Position:
        if isinstance(term, (URIRef, RdfLiteral)):
            return token_of(term)
        if isinstance(term, Variable):
            return str(term)
        if str(term) not in blank:
            blank[str(term)] = self._fresh()
        return blank[str(term)]

    def _join(self, node: Any, scope: Scope) -> Plan:
        return join(self.plan(node.p1, scope), self.plan(node.p2, scope))

    def _union(self, node: Any, scope: Scope) -> Plan:
        return union(self.plan(node.p1, scope), self.plan(node.p2, scope))

    def _leftjoin(self, node: Any, scope: Scope) -> Plan:
        left, right = self.plan(node.p1, scope), self.plan(node.p2, scope)
        left = scope.opened(left, expression_variables(node.expr).union(right.variables))
        if right == EMPTY:
            return left
        names = merged(left.variables, right.variables)
        if getattr(node.expr, "name", "") == "TrueFilter":
            return LeftJoin(variables=names, certain=left.certain, left=left, right=right, test=None)
        # EXISTS in the filter is asked of the rows of both sides together.
        together = join(left, right)
        marked, test = self._marked(together, node.expr, scope)
        probes = []
        while isinstance(marked, Exists) and marked is not together:
            probes.append(marked)
            marked = marked.left
        return LeftJoin(variables=names, certain=left.certain, left=left, right=right, test=test, probes=tuple(reversed(probes)))

    def _minus(self, node: Any, scope: Scope) -> Plan:
        left, right = self.plan(node.p1, scope), self.plan(node.p2, scope)
        if frozenset(right.variables) & scope.outer:
            raise correlated("MINUS")
        if not set(left.variables) & set(right.variables):
            return left
        return Minus(variables=left.variables, certain=left.certain, left=left, right=right)

    def _filter(self, node: Any, scope: Scope) -> Plan:
        plan = scope.opened(self.plan(node.p, scope), expression_variables(node.expr))
        return self._kept(plan, node.expr, scope)

    def _kept(self, plan: Plan, expression: Any, scope: Scope) -> Plan:
        tests = conjuncts(expression)
        for part in tests:
            if not _has_exists(part):
                plan = keep(plan, part)
        for part in tests:
            if getattr(part, "name", "") in EXISTS:
                plan = self._exists(plan, part, scope, None)
            elif _has_exists(part):
                names, certain = plan.variables, plan.certain
                plan, part = self._marked(plan, part, scope)
                plan = replace_columns(keep(plan, part), names, certain)
        return plan

    def _marked(self, plan: Plan, expression: Any, scope: Scope) -> tuple[Plan, Any]:
        """The expression with a column in place of each EXISTS, and the plan that has these columns."""
        if isinstance(expression, CompValue):
            if expression.name in EXISTS:
                mark = self._fresh()
                return self._exists(plan, expression, scope, mark), Variable(mark)
            copy = expression.clone() if hasattr(expression, "clone") else expression
            for key, value in expression.items():
                if key != "_vars":
                    plan, copy[key] = self._marked(plan, value, scope)
            return plan, copy
        if isinstance(expression, list):
            members = []
            for member in expression:
                plan, changed = self._marked(plan, member, scope)
                members.append(changed)
            return plan, members
        return plan, expression

    def _exists(self, plan: Plan, expression: Any, scope: Scope, mark: str | None) -> Plan:
        graph = pattern_of(expression, self._samples)
        outer, inner = frozenset(plan.variables), scope.inside(plan)
        tests: list[Any] = []
        if graph.name == "Filter":
            right = self.plan(graph.p, inner)
            for part in conjuncts(graph.expr):
                read = expression_variables(part)
                if read & outer - right.certain and not _has_exists(part):
                    tests.append(part)  # asked of both rows together
                else:
                    right = self._kept(inner.opened(right, read), part, inner)
        else:
            right = self.plan(graph, inner)
        names = plan.variables if mark is None else (*plan.variables, mark)
        certain = plan.certain if mark is None else plan.certain | {mark}
        negated = expression.name == "Builtin_NOTEXISTS"
        return Exists(variables=names, certain=certain, left=plan, right=right, tests=tuple(tests), negated=negated, mark=mark)

    def _extend(self, node: Any, scope: Scope) -> Plan:
        plan = self.plan(node.p, scope)
        return self._extended(plan, str(node.var), node.expr, scope)

    def _extended(self, plan: Plan, name: str, expression: Any, scope: Scope) -> Plan:
        if name in plan.variables:
            # rdflib samples the projected group keys again; they are columns already.
            return plan
        if name in scope.outer:
            raise correlated("BIND")
        # Columns of the SELECT to the left are names, not members of the group.
        expression = renamed(expression, {sample: of for sample, of in self._samples.items() if of in plan.variables})
        plan = scope.opened(plan, expression_variables(expression))
        names = plan.variables
        plan, expression = self._marked(plan, expression, scope)
        bound = isinstance(expression, (URIRef, RdfLiteral)) or (isinstance(expression, Variable) and str(expression) in plan.certain)
        certain = plan.certain | ({name} if bound else frozenset())
        plan = Extend(variables=(*plan.variables, name), certain=certain, child=plan, name=name, expression=expression)
        return project(plan, (*names, name))

    def _graph(self, node: Any, scope: Scope) -> Plan:
        self.sees_names = True
        if isinstance(node.term, URIRef):
            name = str(node.term)
            plan = self.plan(node.p, replace(scope, graph=name))
            return plan if name in self._named else EMPTY
        variable = str(node.term)
        result: Plan = EMPTY
        if not self._named:
            self.plan(node.p, scope)  # for its gaps: they are told before the first window
        for name in self._named:
            at = Table(variables=(variable,), certain=frozenset((variable,)), rows=((f"<{name}>".encode(),),))
            one = join(self.plan(node.p, replace(scope, graph=name)), at)
            result = one if result == EMPTY else union(result, one)
        return result

    def _tomultiset(self, node: Any, scope: Scope) -> Plan:
        if node.p.name == "values":
            return self._values(node.p)
        return self.plan(node.p, scope)

    def _values(self, node: Any) -> Plan:
        names = tuple(dict.fromkeys(str(name) for row in node.res for name in row))
        rows = tuple(tuple(_value(row.get(Variable(name))) for name in names) for row in node.res)
        certain = frozenset(name for index, name in enumerate(names) if all(row[index] is not None for row in rows))
        return Table(variables=names, certain=certain, rows=rows)

    def _project(self, node: Any, scope: Scope) -> Plan:
        return self._modified(node, scope, distinct=False)

    def _distinct(self, node: Any, scope: Scope) -> Plan:
        return self._modified(node.p, scope, distinct=True)

    def _reduced(self, node: Any, scope: Scope) -> Plan:
        return self.plan(node.p, scope)

    def _slice(self, node: Any, scope: Scope) -> Plan:
        inner, distinct = node.p, False
        if inner.name == "Reduced":
            inner = inner.p
        if inner.name == "Distinct":
            inner, distinct = inner.p, True
        plan = self._modified(inner, scope, distinct=distinct, ordered=True)
        if scope.outer & frozenset(plan.variables):
            raise correlated("a subquery with LIMIT or OFFSET")
        length = node.length
        if isinstance(plan, Order):
            return replace(plan, start=node.start, length=length)
        return Order(variables=plan.variables, certain=plan.certain, child=plan, distinct=distinct, start=node.start, length=length)

    def _modified(self, node: Any, scope: Scope, *, distinct: bool, ordered: bool = False) -> Plan:
        """Projection with what belongs to it: ORDER BY below, DISTINCT and LIMIT above."""
        names = tuple(dict.fromkeys(str(name) for name in node.PV))
        inner, conditions = node.p, []
        if inner.name == "OrderBy":
            inner, conditions = inner.p, inner.expr
        plan = self.plan(inner, scope)
        if scope.outer & frozenset(plan.variables) - frozenset(names):
            raise correlated("a subquery that does not project it")
        if conditions:
            keys = []
            for condition in conditions:
                plan, key = self._marked(plan, condition.expr, scope)
                keys.append((key, condition.order == "DESC"))
            certain = plan.certain & frozenset(names)
            return Order(variables=names, certain=certain, child=plan, conditions=tuple(keys), distinct=distinct)
        plan = project(plan, names)
        if ordered or not distinct:
            return plan
        return Distinct(variables=names, certain=plan.certain, child=plan)

    def _orderby(self, node: Any, scope: Scope) -> Plan:
        return self.plan(node.p, scope)

    def _aggregatejoin(self, node: Any, scope: Scope) -> Plan:
        plan, keys = self._grouped(node.p, scope)
        self._samples = {}  # rdflib counts them anew in every query
        aggregates = []
        for item in node.A:
            column: str | None = None
            if item.name == "Aggregate_Sample" and item.distinct is None:
                self._samples[str(item.res)] = str(item.vars)
                if str(item.vars) not in plan.variables:
                    continue
            if item.vars != "*":
                plan, column = self._column(plan, item.vars, scope)
            kind = item.name.removeprefix("Aggregate_").lower()
            separator = " " if item.separator is None else str(item.separator)
            aggregates.append(Aggregate(kind, column, bool(item.distinct), str(item.res), separator))
        names = (*keys, *(aggregate.name for aggregate in aggregates))
        certain = frozenset(keys) & plan.certain | {a.name for a in aggregates if a.kind == "count"}
        implicit = node.p.expr is None
        if scope.outer & frozenset(plan.variables) - frozenset(keys):
            raise correlated("a group")
        return Group(variables=names, certain=certain, child=plan, keys=keys, aggregates=tuple(aggregates), implicit=implicit)

    def _grouped(self, node: Any, scope: Scope) -> tuple[Plan, tuple[str, ...]]:
        """The rows to group and the key columns; rdflib leaves expressions without a name to be named here."""
        conditions = list(node.expr or [])
        unnamed = []
        inner = node.p
        while inner.name == "Extend" and inner.var is None:
            unnamed.append(inner.expr)
            inner = inner.p
        if unnamed and any(condition is not None for condition in conditions):
            inner, unnamed = self._mixed(node.p)
        plan = self.plan(inner, scope)
        keys: list[str] = []
        for condition in conditions:
            expression = unnamed.pop() if condition is None else condition
            plan, name = self._column(plan, expression, scope)
            keys.append(name)
        return plan, tuple(dict.fromkeys(keys))

    def _mixed(self, node: Any) -> tuple[Any, list[Any]]:
        """Named and unnamed expressions may alternate: the unnamed ones are taken out of the chain."""
        found: list[Any] = []
        chain: list[Any] = []
        while node.name == "Extend":
            (found if node.var is None else chain).append(node.expr if node.var is None else node)
            node = node.p
        for extend in reversed(chain):
            node = CompValue("Extend", p=node, expr=extend.expr, var=extend.var)
        return node, found

    def _column(self, plan: Plan, expression: Any, scope: Scope) -> tuple[Plan, str]:
        if isinstance(expression, Variable):
            if str(expression) in plan.variables:
                return plan, str(expression)
            name = str(expression)
        else:
            name = self._fresh()
        return self._extended(plan, name, expression, scope), name


def replace_columns(plan: Plan, names: tuple[str, ...], certain: frozenset[str]) -> Plan:
    """The plan without helper columns."""
    projected = project(plan, names)
    return replace(projected, certain=projected.certain | certain) if projected is not plan else plan


def _value(term: Any) -> bytes | None:
    return token_of(term) if isinstance(term, (URIRef, RdfLiteral)) else None


def _has_exists(expression: Any) -> bool:
    return getattr(expression, "name", "") in EXISTS or any(map(_has_exists, parts(expression)))
