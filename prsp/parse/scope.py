"""The rules of scope that SPARQL makes part of its syntax (sections 18.2.1, 19.6 and the notes of 19.8)."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.model.term import BlankNode, Variable
from prsp.parse.problem import SyntaxProblem
from prsp.parse.syntax import (
    Aggregate,
    As,
    BasicGraphPattern,
    Bind,
    Filter,
    GraphPattern,
    Group,
    InlineData,
    Minus,
    Modifiers,
    OptionalPattern,
    Pattern,
    QueryBody,
    Select,
    Service,
    SubSelect,
    Union,
    walk,
)

Names = dict[str, None]
"""Variable names in the order they first appear."""


def check(body: QueryBody, nodes: list[object]) -> None:
    """Raise SyntaxProblem where the query breaks a rule of scope; ``nodes`` is the whole tree, walked."""
    queries = [node for node in nodes if isinstance(node, Select)]
    groups = [node for node in nodes if isinstance(node, Group)]
    for group in groups:
        _check_binds(group)
    if any(isinstance(node, Aggregate) for node in nodes):
        _check_aggregates(nodes, groups, [body, *queries])
    if not isinstance(body, Select) and body.modifiers.group_by:
        _group_keys(body.modifiers, visible(body.where) if body.where is not None else {})
    for query in queries:
        _check_select(query)
    _check_labels(groups)


def projected(query: Select) -> tuple[str, ...]:
    """The names a SELECT gives back, in order; for ``*`` those visible in its pattern."""
    if query.projection is not None:
        names = [item.name if isinstance(item, Variable) else _defined(item).name for item in query.projection]
        return tuple(dict.fromkeys(names))
    return tuple(visible(query.where) | (visible(query.values) if query.values else {}))


def visible(pattern: Pattern) -> Names:
    """The variables in scope outside a pattern (the table of section 18.2.1)."""
    match pattern:
        case BasicGraphPattern(triples):
            return {n.name: None for t in triples for n in (t.subject, t.predicate, t.object) if isinstance(n, Variable)}
        case Group(parts) | Union(parts):
            return {name: None for part in parts for name in visible(part)}
        case OptionalPattern(inner):
            return visible(inner)
        case GraphPattern(name, inner) | Service(name, inner):
            return ({name.name: None} if isinstance(name, Variable) else {}) | visible(inner)
        case Bind(_, variable):
            return {variable.name: None}
        case InlineData(variables, _):
            return {v.name: None for v in variables}
        case SubSelect(query):
            return dict.fromkeys(projected(query))
        case Minus() | Filter():
            return {}


def _check_select(query: Select) -> None:
    modifiers = query.modifiers
    in_pattern = visible(query.where)
    keys = _group_keys(modifiers, in_pattern)
    computed = (query.projection or (), modifiers.having, modifiers.order_by)
    grouped = bool(modifiers.group_by) or any(_aggregates(computed, but_not_into=Group))
    if query.projection is None:
        if grouped:
            at = next((n.at for n in walk(modifiers) if isinstance(n, Variable | Aggregate)), 0)
            raise SyntaxProblem("SELECT * cannot be used with GROUP BY or an aggregate: name the columns", at)
        return
    selected: Names = {}
    for item in query.projection:
        if grouped:
            _check_grouped(item, keys | selected)
        if isinstance(item, Variable):
            selected[item.name] = None
        else:
            variable = _defined(item)
            _refuse_known(variable, in_pattern | keys | selected)
            selected[variable.name] = None


def _group_keys(modifiers: Modifiers, in_pattern: Names) -> Names:
    """The variables GROUP BY makes keys of."""
    keys: Names = {}
    for condition in modifiers.group_by:
        if isinstance(condition, Variable):
            keys[condition.name] = None
        elif condition.variable is not None:
            _refuse_known(condition.variable, in_pattern | keys)
            keys[condition.variable.name] = None
    return keys


def _check_grouped(item: As | Variable, allowed: Names) -> None:
    for variable in _unaggregated(item if isinstance(item, Variable) else item.expression):
        if variable.name not in allowed:
            raise SyntaxProblem(
                f"?{variable.name} is neither grouped nor aggregated",
                variable.at,
                f"add it to GROUP BY, or wrap it: (SAMPLE(?{variable.name}) AS …)",
            )


def _unaggregated(node: object) -> Iterator[Variable]:
    return (n for n in walk(node, but_not_into=(Aggregate, Group)) if isinstance(n, Variable))


def _check_binds(group: Group) -> None:
    seen: Names = {}
    for element in group.elements:
        if isinstance(element, Bind):
            _refuse_known(element.variable, seen)
        if not isinstance(element, Filter):
            seen |= visible(element)


def _refuse_known(variable: Variable, known: Names) -> None:
    if variable.name in known:
        raise SyntaxProblem(f"?{variable.name} already has a value here: AS needs a new variable", variable.at)


def _check_aggregates(nodes: list[object], groups: list[Group], queries: list[QueryBody]) -> None:
    """An aggregate may stand in SELECT, HAVING and ORDER BY only, and not inside another one."""
    for outer in nodes:
        if isinstance(outer, Aggregate):
            for inner in _aggregates(outer.operand, but_not_into=Group):
                raise SyntaxProblem(f"{inner.name} stands inside another aggregate", inner.at, "use a subquery for the inner one")
    for place in (*groups, *(query.modifiers.group_by for query in queries)):
        for misplaced in _aggregates(place, but_not_into=SubSelect):
            raise SyntaxProblem(
                f"{misplaced.name} may not stand in WHERE or GROUP BY", misplaced.at, "an aggregate belongs in SELECT, HAVING or ORDER BY"
            )


def _aggregates(node: object, *, but_not_into: type) -> Iterator[Aggregate]:
    return (n for n in walk(node, but_not_into=but_not_into) if isinstance(n, Aggregate))


def _check_labels(groups: list[Group]) -> None:
    """A blank node label belongs to one basic graph pattern; FILTER does not end one, everything else does."""
    owner: dict[str, int] = {}
    number = 0
    for group in groups:
        number += 1
        for element in group.elements:
            if isinstance(element, BasicGraphPattern):
                for node in (node for triple in element.triples for node in (triple.subject, triple.object)):
                    if isinstance(node, BlankNode) and owner.setdefault(node.label, number) != number:
                        raise SyntaxProblem(f"_:{node.label} is used in two different patterns", node.at, "use a variable to join patterns")
            elif not isinstance(element, Filter):
                number += 1


def _defined(item: As) -> Variable:
    assert item.variable is not None, "only GROUP BY has an expression without AS"
    return item.variable
