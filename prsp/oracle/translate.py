"""Syntax tree → algebra, by section 18.2 of the recommendation."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import cast

from prsp.model.term import BlankNode, Variable
from prsp.oracle import algebra as alg
from prsp.oracle.problem import Unsupported
from prsp.parse import syntax as syn
from prsp.parse.scope import projected, visible

_UNIT = alg.Basic(())


def translate(body: syn.QueryBody) -> alg.Algebra:
    """The algebra of a query, whose solutions its form turns into an answer."""
    if isinstance(body, syn.Select):
        return _select(body)
    where = body.where if body.where is not None else syn.Group(())
    names = tuple(visible(where) | (visible(body.values) if body.values else {}))
    if body.modifiers.group_by:
        names = tuple(key.name for key in body.modifiers.group_by if isinstance(key, Variable)) + tuple(
            key.variable.name for key in body.modifiers.group_by if isinstance(key, syn.As) and key.variable is not None
        )
    return _modified(where, (), body.modifiers, body.values, syn.Duplicates.KEEP, names)


def _select(query: syn.Select) -> alg.Algebra:
    assignments = tuple(item for item in query.projection or () if isinstance(item, syn.As))
    return _modified(query.where, assignments, query.modifiers, query.values, query.duplicates, projected(query))


def _modified(
    where: syn.Pattern,
    assignments: tuple[syn.As, ...],
    modifiers: syn.Modifiers,
    values: syn.InlineData | None,
    duplicates: syn.Duplicates,
    names: tuple[str, ...],
) -> alg.Algebra:
    """Sections 18.2.4 and 18.2.5, in their order: grouping, HAVING, VALUES, SELECT expressions, ORDER BY, projection, slice."""
    pattern = _pattern(where)
    new = [(item.variable.name, item.expression) for item in assignments if item.variable is not None]
    having, order = modifiers.having, modifiers.order_by
    places = ([expression for _, expression in new], having, order)
    if modifiers.group_by or any(isinstance(node, syn.Aggregate) for node in syn.walk(tuple(map(tuple, places)), but_not_into=syn.Group)):
        grouping = _Grouping(pattern, modifiers.group_by)
        having = tuple(grouping.outside(condition, ()) for condition in having)
        # An expression sees the columns before it, ORDER BY all of them.
        new = [(name, grouping.outside(expression, [n for n, _ in new[:place]])) for place, (name, expression) in enumerate(new)]
        order = tuple(replace(key, expression=grouping.outside(key.expression, [n for n, _ in new])) for key in order)
        pattern = grouping.group()
    for condition in having:
        pattern = alg.Filter(pattern, _expression(condition))
    if values is not None:
        pattern = alg.Join(pattern, _table(values))
    for name, expression in new:
        pattern = _extend(pattern, name, _expression(expression))
    if order:
        pattern = alg.OrderBy(pattern, tuple(replace(key, expression=_expression(key.expression)) for key in order))
    pattern = alg.Project(pattern, names)
    if duplicates is syn.Duplicates.DISTINCT:
        pattern = alg.Distinct(pattern)
    if modifiers.limit is not None or modifiers.offset is not None:
        pattern = alg.Slice(pattern, modifiers.offset or 0, modifiers.limit)
    return pattern


class _Grouping:
    """Collects the aggregates of one query level while its expressions are rewritten (18.2.4.1)."""

    def __init__(self, pattern: alg.Algebra, group_by: tuple[syn.As | Variable, ...]) -> None:
        self._pattern = pattern
        self._keys: list[str] = []
        self._aggregates: dict[syn.Aggregate, str] = {}
        for number, key in enumerate(group_by):
            name = key.name if isinstance(key, Variable) else key.variable.name if key.variable is not None else f".key{number}"
            if isinstance(key, syn.As):
                self._pattern = _extend(self._pattern, name, _expression(key.expression))
            self._keys.append(name)
        self._grouped = bool(group_by)

    def outside(self, expression: syn.Expression, columns: Collection[str]) -> syn.Expression:
        """The expression over groups: aggregates as variables, and any variable that is no key and no column as SAMPLE of it."""

        def change(node: object) -> object:
            if isinstance(node, syn.Aggregate):
                return self._variable(node)
            if isinstance(node, Variable) and node.name not in self._keys and node.name not in columns:
                return self._variable(syn.Aggregate("SAMPLE", node, distinct=False))
            return node if isinstance(node, syn.Exists) else None

        return cast(syn.Expression, alg.rebuild(expression, change))

    def _variable(self, aggregate: syn.Aggregate) -> Variable:
        return Variable(self._aggregates.setdefault(aggregate, f".agg{len(self._aggregates)}"))

    def group(self) -> alg.Group:
        """The operator, when all expressions have been seen."""
        aggregates = tuple(
            (name, replace(a, operand=None if a.operand is None else _expression(a.operand))) for a, name in self._aggregates.items()
        )
        return alg.Group(self._pattern, tuple(self._keys) if self._grouped else None, aggregates)


def _pattern(pattern: syn.Pattern) -> alg.Algebra:
    match pattern:
        case syn.Group():
            inner, filters = _group(pattern)
            for condition in filters:
                inner = alg.Filter(inner, condition)
            return inner
        case syn.BasicGraphPattern(triples):
            return alg.Basic(tuple(_without_blank_nodes(triple) for triple in triples))
        case syn.Union(branches):
            return alg.Union(tuple(_pattern(branch) for branch in branches))
        case syn.GraphPattern(name, inside):
            return alg.Graph(name, _pattern(inside))
        case syn.InlineData():
            return _table(pattern)
        case syn.SubSelect(query):
            return _select(query)
        case syn.Service(name):
            raise Unsupported(f"SERVICE {name} asks another endpoint; an evaluation by definition reads nothing but its dataset")
        case _:
            return _pattern(syn.Group((pattern,)))


def _group(group: syn.Group) -> tuple[alg.Algebra, tuple[syn.Expression, ...]]:
    """A group without its filters, and the filters, which hold for the whole of it (18.2.2.6)."""
    filters = tuple(_expression(e.condition) for e in group.elements if isinstance(e, syn.Filter))
    result: alg.Algebra = _UNIT
    for element in _joined([e for e in group.elements if not isinstance(e, syn.Filter)]):
        match element:
            case syn.OptionalPattern(syn.Group() as inner):
                result = alg.LeftJoin(result, *_group(inner))
            case syn.OptionalPattern(inner):
                result = alg.LeftJoin(result, _pattern(inner), ())
            case syn.Minus(inner):
                result = alg.Minus(result, _pattern(inner))
            case syn.Bind(expression, variable):
                result = _extend(result, variable.name, _expression(expression))
            case _:
                result = _pattern(element) if result is _UNIT else alg.Join(result, _pattern(element))
    return result, filters


def _joined(elements: list[syn.Pattern]) -> list[syn.Pattern]:
    """The elements with adjacent triples as one basic graph pattern: a filter between them does not end it."""
    result: list[syn.Pattern] = []
    for element in elements:
        last = result[-1] if result else None
        if isinstance(element, syn.BasicGraphPattern) and isinstance(last, syn.BasicGraphPattern):
            result[-1] = syn.BasicGraphPattern(last.triples + element.triples)
        else:
            result.append(element)
    return result


def _extend(pattern: alg.Algebra, name: str, expression: syn.Expression) -> alg.Extend:
    if isinstance(pattern, alg.Extend):
        return alg.Extend(pattern.pattern, (*pattern.assignments, (name, expression)))
    return alg.Extend(pattern, ((name, expression),))


def _table(data: syn.InlineData) -> alg.Table:
    return alg.Table(tuple(variable.name for variable in data.variables), data.rows)


def _without_blank_nodes(triple: syn.Triple) -> syn.Triple:
    change: Callable[[object], object] = lambda node: Variable(f"_:{node.label}") if isinstance(node, BlankNode) else None  # noqa: E731
    return cast(syn.Triple, alg.rebuild(triple, change))


def _expression(expression: syn.Expression) -> syn.Expression:
    """The expression with the patterns of EXISTS translated."""

    def change(node: object) -> object:
        return alg.ExistsPattern(_pattern(node.pattern), node.negated) if isinstance(node, syn.Exists) else None

    return cast(syn.Expression, alg.rebuild(expression, change))
