"""The solutions of an algebra expression (section 18.5), operator by operator, by nested loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from prsp.model.term import IRI, Term, Variable
from prsp.oracle import algebra as alg
from prsp.oracle.aggregates import aggregate, count
from prsp.oracle.compare import sort_key
from prsp.oracle.context import Scope
from prsp.oracle.dataset import Graph
from prsp.oracle.expressions import Expressions, Solution
from prsp.oracle.paths import pairs
from prsp.oracle.problem import ExpressionError
from prsp.parse.syntax import Aggregate, Expression, OrderCondition, Triple


def solutions(node: alg.Algebra, scope: Scope) -> list[Solution]:  # noqa: PLR0912 - one case per operator
    """The solutions in the active graph, as a list: a bag, in order where there is one."""
    match node:
        case alg.Basic(triples):
            return _basic(triples, scope.graph)
        case alg.Join(left, right):
            table = _Table(solutions(right, scope))
            return [{**a, **b} for a in solutions(left, scope) for b in table.compatible(a)]
        case alg.LeftJoin(left, right, conditions):
            return list(_left_join(solutions(left, scope), _Table(solutions(right, scope)), conditions, scope))
        case alg.Filter(pattern, condition):
            return [s for s in solutions(pattern, scope) if _EXPRESSIONS.holds(condition, s, _row(scope))]
        case alg.Union(branches):
            return [solution for branch in branches for solution in solutions(branch, scope)]
        case alg.Minus(left, right):
            table = _Table(solutions(right, scope))
            return [a for a in solutions(left, scope) if not any(a.keys() & b.keys() for b in table.compatible(a))]
        case alg.Graph(name, pattern):
            return list(_graph(name, pattern, scope))
        case alg.Extend(pattern, assignments):
            return [_extended(solution, assignments, _row(scope)) for solution in solutions(pattern, scope)]
        case alg.Table(names, rows):
            return [{name: term for name, term in zip(names, row, strict=True) if term is not None} for row in rows]
        case alg.Group():
            return _grouped(node, scope)
        case alg.OrderBy(pattern, conditions):
            return _sorted(solutions(pattern, scope), conditions, scope)
        case alg.Project(pattern, names):
            return [{name: s[name] for name in names if name in s} for s in solutions(pattern, scope)]
        case alg.Distinct(pattern):
            return [dict(items) for items in dict.fromkeys(frozenset(s.items()) for s in solutions(pattern, scope))]
        case alg.Slice(pattern, offset, limit):
            return solutions(pattern, scope)[offset : None if limit is None else offset + limit]


def compatible(a: Solution, b: Solution) -> bool:
    """Whether two solutions agree on every variable both have."""
    return all(b[name] == term for name, term in a.items() if name in b)


def _exists(pattern: alg.Algebra, solution: Solution, scope: Scope) -> bool:
    """exists(pattern) by substitution; what the pattern assigns itself must agree with the solution."""
    return any(compatible(found, solution) for found in solutions(alg.substitute(pattern, solution), scope))


_EXPRESSIONS = Expressions(_exists)


def _row(scope: Scope) -> Scope:
    """The scope for one solution: labels of BNODE start anew."""
    return replace(scope, labels={})


def _value(expression: Expression, solution: Solution, scope: Scope) -> Term | None:
    try:
        return _EXPRESSIONS.value(expression, solution, scope)
    except ExpressionError:
        return None


class _Table:
    """Solutions to join with, found by the variables that all of them have."""

    def __init__(self, rows: list[Solution]) -> None:
        self._rows = rows
        self._always = set(rows[0]).intersection(*rows) if rows else set()
        self._indexes: dict[tuple[str, ...], dict[tuple[Term, ...], list[Solution]]] = {}

    def compatible(self, solution: Solution) -> Iterator[Solution]:
        """Those that are compatible with a solution."""
        names = tuple(sorted(name for name in self._always if name in solution))
        if names not in self._indexes:
            index: dict[tuple[Term, ...], list[Solution]] = {}
            for row in self._rows:
                index.setdefault(tuple(row[name] for name in names), []).append(row)
            self._indexes[names] = index
        candidates = self._indexes[names].get(tuple(solution[name] for name in names), [])
        return (row for row in candidates if compatible(solution, row))


def _sorted(found: list[Solution], conditions: tuple[OrderCondition, ...], scope: Scope) -> list[Solution]:
    """By the last condition first: sorting keeps the order of what is equal."""
    for by in reversed(conditions):
        keyed = [(sort_key(_value(by.expression, solution, _row(scope))), solution) for solution in found]
        found = [solution for _, solution in sorted(keyed, key=lambda pair: pair[0], reverse=by.descending)]
    return found


def _left_join(left: Iterable[Solution], right: _Table, conditions: tuple[Expression, ...], scope: Scope) -> Iterator[Solution]:
    for a in left:
        merged: list[Solution] = [{**a, **b} for b in right.compatible(a)]
        kept = [s for s in merged if all(_EXPRESSIONS.holds(condition, s, _row(scope)) for condition in conditions)]
        yield from kept or [a]


def _graph(name: Variable | IRI, pattern: alg.Algebra, scope: Scope) -> Iterator[Solution]:
    graphs = scope.context.named
    if not isinstance(name, Variable):
        graph = graphs.get(name.value, _NOTHING) if isinstance(name, IRI) else _NOTHING
        if graph is not _NOTHING:
            yield from solutions(pattern, replace(scope, graph=graph))
        return
    for iri, graph in graphs.items():
        here: Solution = {name.name: IRI(iri)}
        yield from ({**s, **here} for s in solutions(pattern, replace(scope, graph=graph)) if compatible(s, here))


_NOTHING = Graph(())


def _extended(solution: Solution, assignments: Iterable[tuple[str, Expression]], scope: Scope) -> Solution:
    extended = dict(solution)
    for name, expression in assignments:
        value = _value(expression, extended, scope)
        if value is not None:
            extended[name] = value
    return extended


def _grouped(node: alg.Group, scope: Scope) -> list[Solution]:
    groups: dict[tuple[Term | None, ...], list[Solution]] = {} if node.keys is not None else {(): []}
    for solution in solutions(node.pattern, scope):
        groups.setdefault(tuple(solution.get(name) for name in node.keys or ()), []).append(solution)
    result: list[Solution] = []
    for key, members in groups.items():
        found = {name: term for name, term in zip(node.keys or (), key, strict=True) if term is not None}
        for name, of in node.aggregates:
            try:
                found[name] = _aggregated(of, members, scope)
            except ExpressionError:
                continue
        result.append(found)
    return result


def _aggregated(of: Aggregate, members: list[Solution], scope: Scope) -> Term:
    if of.operand is None:
        return count({frozenset(s.items()) for s in members} if of.distinct else members)
    return aggregate(of, [_value(of.operand, solution, _row(scope)) for solution in members])


def _basic(triples: tuple[Triple, ...], graph: Graph) -> list[Solution]:
    """Triple after triple, the most restricted first; blank nodes are variables that are forgotten in the end."""
    found: list[Solution] = [{}]
    waiting = list(triples)
    known: set[str] = set()
    while waiting:
        triple = max(waiting, key=lambda t: _restricted(t, known))
        waiting.remove(triple)
        known |= {n.name for n in (triple.subject, triple.predicate, triple.object) if isinstance(n, Variable)}
        found = [{**solution, **more} for solution in found for more in _matches(triple, solution, graph)]
    return [{name: term for name, term in s.items() if not name.startswith("_:")} for s in found]


def _restricted(triple: Triple, known: set[str]) -> tuple[int, bool]:
    ends = sum(not isinstance(n, Variable) or n.name in known for n in (triple.subject, triple.object))
    return ends, isinstance(triple.predicate, IRI)


def _matches(triple: Triple, solution: Solution, graph: Graph) -> Iterator[Solution]:
    """What a triple or path adds to a solution."""
    places = [triple.subject, triple.predicate, triple.object]
    subject, predicate, object_ = (solution.get(n.name) if isinstance(n, Variable) else n for n in places)
    found: Iterable[tuple[Term | None, ...]]
    if predicate is None or isinstance(predicate, Term):
        found = graph.match(_term(subject), predicate, _term(object_))
    else:
        # A variable stands for a node of the graph, also where a path of no steps would match any term.
        bound = [solution[n.name] for n in (triple.subject, triple.object) if isinstance(n, Variable) and n.name in solution]
        if any(term not in graph.nodes for term in bound):
            return
        found = ((s, None, o) for s, o in pairs(graph, predicate, _term(subject), _term(object_)))
    for terms in found:
        added: dict[str, Term] = {}
        for node, term in zip(places, terms, strict=True):
            if isinstance(node, Variable) and term is not None and added.setdefault(node.name, term) != term:
                break
        else:
            yield added


def _term(node: object) -> Term | None:
    return node if isinstance(node, Term) else None
