"""From the plan to running operators, with only the columns that are needed above."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatchmethod
from typing import Any

from rdflib import Variable

from prsp_backends.spectra.build import expression_variables
from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.expr.compare import order_key
from prsp_backends.spectra.expr.compile import Clock, Compiler
from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.expr.volatile import is_volatile
from prsp_backends.spectra.node import FALSE, TRUE
from prsp_backends.spectra.operators.base import Operator
from prsp_backends.spectra.operators.bucketed import Existing, Optionally, Without
from prsp_backends.spectra.operators.distinct import Once
from prsp_backends.spectra.operators.group import Grouped
from prsp_backends.spectra.operators.join import Both
from prsp_backends.spectra.operators.order import Sorted
from prsp_backends.spectra.operators.pattern import Matches
from prsp_backends.spectra.operators.probe import Probe
from prsp_backends.spectra.operators.simple import Columns, Compute, Either, Fixed, Keep
from prsp_backends.spectra.plan import (
    Bgp,
    Distinct,
    Exists,
    Extend,
    Filter,
    Group,
    Join,
    LeftJoin,
    Minus,
    Order,
    Plan,
    Project,
    Table,
    Union,
    merged,
)
from prsp_backends.spectra.rows import Row, Rows
from prsp_backends.spectra.views import Memo

Names = frozenset[str]


class Runner:
    """Builds the operators of one query; ``matches`` are its basic graph patterns, which the engine feeds."""

    def __init__(self, dictionary: Dictionary, base: str) -> None:
        self._dictionary = dictionary
        self._base = base
        self.clock = Clock()
        self.matches: list[Matches] = []

    def run(self, plan: Plan) -> Operator:
        """The operator tree whose rows have exactly the plan's columns."""
        return self._exactly(self.build(plan, frozenset(plan.variables)), plan.variables)

    def _exactly(self, operator: Operator, variables: tuple[str, ...]) -> Operator:
        return operator if operator.variables == variables else Columns(operator, variables)

    def _compiler(self, variables: tuple[str, ...], solution: tuple[str, ...] | None = None) -> Compiler:
        return Compiler(self._dictionary, {name: place for place, name in enumerate(variables)}, self.clock, self._base, solution)

    def _all(self, tests: tuple[Any, ...], variables: tuple[str, ...]) -> Callable[[Row], bool] | None:
        compiled = [self._compiler(variables).test(test) for test in tests]
        if not compiled:
            return None
        return compiled[0] if len(compiled) == 1 else lambda row: all(test(row) for test in compiled)

    @singledispatchmethod
    def build(self, plan: Plan, needed: Names) -> Operator:
        """The operator of a node; its columns include those needed that the node has."""
        raise NotImplementedError(type(plan).__name__)

    @build.register
    def _(self, plan: Table, needed: Names) -> Operator:
        del needed
        return Fixed(plan.variables, plan.certain, self._rows(plan))

    def _rows(self, table: Table) -> Rows:
        pin = self._dictionary.pin
        return [tuple(None if token is None else pin(token) for token in row) for row in table.rows]

    @build.register
    def _(self, plan: Bgp, needed: Names) -> Operator:
        singles: dict[int, tuple[str, Memo]] = {}
        others: dict[int, tuple[tuple[str, ...], Callable[[Row], bool]]] = {}
        for number, test in enumerate(plan.tests):
            names = tuple(sorted(expression_variables(test)))
            compiled = self._compiler(names).test(test)
            # A volatile test has another outcome at the next instant: it is no property of the term.
            if len(names) == 1 and not is_volatile(test):
                memo = Memo(compiled)
                self._dictionary.cache(memo)
                singles[number] = (names[0], memo)
            else:
                others[number] = (names, compiled)
        output = tuple(name for name in plan.variables if name in needed)
        tables = [self._rows(table) for table in plan.tables]
        matches = Matches(plan, output, singles, others, tables, self._dictionary.pin)
        self.matches.append(matches)
        return matches

    @build.register
    def _(self, plan: Join, needed: Names) -> Operator:
        below = needed | (frozenset(plan.left.variables) & frozenset(plan.right.variables))
        return Both(self.build(plan.left, below), self.build(plan.right, below))

    @build.register
    def _(self, plan: LeftJoin, needed: Names) -> Operator:
        shared = frozenset(plan.left.variables) & frozenset(plan.right.variables)
        read = expression_variables(plan.test) if plan.test is not None else frozenset()
        for probe in plan.probes:
            read |= (frozenset(plan.variables) & frozenset(probe.right.variables)).union(*map(expression_variables, probe.tests))
        left, right = self.build(plan.left, needed | shared | read), self.build(plan.right, needed | shared | read)
        both = merged(left.variables, right.variables)
        certain = left.certain | right.certain
        probes = [self._probe(probe, frozenset(plan.variables), both, certain) for probe in plan.probes]
        marks = tuple(probe.mark for probe in plan.probes if probe.mark is not None)
        test = None if plan.test is None else self._compiler((*both, *marks)).test(plan.test)
        return Optionally(left, right, test, probes)

    def _probe(self, plan: Exists, outside: Names, variables: tuple[str, ...], certain: Names) -> Probe:
        wanted = (outside & frozenset(plan.right.variables)).union(*map(expression_variables, plan.tests))
        right = self.build(plan.right, wanted)
        right = self._exactly(right, tuple(name for name in right.variables if name in wanted))
        test = self._all(plan.tests, merged(variables, right.variables))
        return Probe(variables, certain, right, test, self._outcomes(), negated=plan.negated)

    def _outcomes(self) -> tuple[int, int]:
        return (self._dictionary.pin(FALSE.token()), self._dictionary.pin(TRUE.token()))

    @build.register
    def _(self, plan: Minus, needed: Names) -> Operator:
        shared = frozenset(plan.left.variables) & frozenset(plan.right.variables)
        right = self.build(plan.right, shared)
        left = self.build(plan.left, needed | shared)
        return Without(left, self._exactly(right, tuple(name for name in right.variables if name in shared)))

    @build.register
    def _(self, plan: Exists, needed: Names) -> Operator:
        shared = frozenset(plan.left.variables) & frozenset(plan.right.variables)
        read = frozenset[str]().union(*(expression_variables(test) for test in plan.tests))
        left = self.build(plan.left, needed | shared | read)
        right = self.build(plan.right, shared | read)
        wanted = shared | read
        right = self._exactly(right, tuple(name for name in right.variables if name in wanted))
        test = self._all(plan.tests, merged(left.variables, right.variables))
        return Existing(left, right, test, plan.mark, self._outcomes(), negated=plan.negated)

    @build.register
    def _(self, plan: Union, needed: Names) -> Operator:
        variables = tuple(name for name in plan.variables if name in needed)
        left, right = self.build(plan.left, needed), self.build(plan.right, needed)
        return Either(self._exactly(left, variables), self._exactly(right, variables))

    @build.register
    def _(self, plan: Filter, needed: Names) -> Operator:
        child = self.build(plan.child, needed | expression_variables(plan.test))
        return Keep(child, self._compiler(child.variables).test(plan.test))

    @build.register
    def _(self, plan: Extend, needed: Names) -> Operator:
        child = self.build(plan.child, (needed - {plan.name}) | expression_variables(plan.expression))
        if plan.name not in needed:
            return child
        return Compute(child, plan.name, self._value(plan.expression, child.variables, _solution(plan)), bound=plan.name in plan.certain)

    def _value(self, expression: Any, variables: tuple[str, ...], solution: tuple[str, ...]) -> Callable[[Row], int | None]:
        if isinstance(expression, Variable):
            if str(expression) not in variables:
                return lambda _row: None
            place = variables.index(str(expression))
            return lambda row: row[place]
        function, encode = self._compiler(variables, solution).value(expression), self._dictionary.encode

        def compute(row: Row) -> int | None:
            try:
                return encode(function(row))
            except ExpressionError:
                return None

        return compute

    @build.register
    def _(self, plan: Project, needed: Names) -> Operator:
        variables = tuple(name for name in plan.variables if name in needed)
        # Names the child also has, but hides, must not reach the operators above.
        return self._exactly(self.build(plan.child, frozenset(variables)), variables)

    @build.register
    def _(self, plan: Distinct, needed: Names) -> Operator:
        del needed
        return Once(self._exactly(self.build(plan.child, frozenset(plan.variables)), plan.variables))

    @build.register
    def _(self, plan: Group, needed: Names) -> Operator:
        del needed
        columns = frozenset(a.column for a in plan.aggregates if a.column is not None) | frozenset(plan.keys)
        if any(a.column is None and a.distinct for a in plan.aggregates):
            columns |= frozenset(plan.child.variables)
        child = self.build(plan.child, columns)
        child = self._exactly(child, tuple(dict.fromkeys((*(n for n in child.variables if n in columns), *sorted(columns)))))
        return Grouped(child, plan.keys, plan.aggregates, self._dictionary, implicit=plan.implicit)

    @build.register
    def _(self, plan: Order, needed: Names) -> Operator:
        del needed
        read = frozenset[str]().union(*(expression_variables(expression) for expression, _ in plan.conditions))
        child = self.build(plan.child, frozenset(plan.variables) | read)
        keys = [(self._order_key(expression, child.variables), descending) for expression, descending in plan.conditions]
        return Sorted(child, keys, plan.variables, distinct=plan.distinct, start=plan.start, length=plan.length)

    def _order_key(self, expression: Any, variables: tuple[str, ...]) -> Callable[[Row], Any]:
        function = self._compiler(variables).value(expression)

        def key(row: Row) -> Any:
            try:
                return order_key(function(row))
            except ExpressionError:
                return order_key(None)

        return key


def _solution(plan: Plan) -> tuple[str, ...]:
    """The columns below a row of computed ones."""
    while isinstance(plan, (Extend, Project)):
        plan = plan.child
    return plan.variables
