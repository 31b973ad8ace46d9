"""The rules of scope that SPARQL makes part of its syntax (sections 18.2.1, 19.6 and the notes of 19.8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def check(body: QueryBody) -> None:
    """Raise SyntaxProblem where the query breaks a rule of scope."""
    for node in walk(body):
        if isinstance(node, Select):
            _check_select(node)
        elif isinstance(node, Group):
            _check_binds(node)
        elif isinstance(node, Aggregate):
            _check_nested(node)
    _check_aggregate_places(body)
    _check_labels(body)


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
    keys: Names = {}
    for condition in modifiers.group_by:
        if isinstance(condition, Variable):
            keys[condition.name] = None
        elif condition.variable is not None:
            _refuse_known(condition.variable, in_pattern | keys)
            keys[condition.variable.name] = None
    grouped = bool(modifiers.group_by) or any(
        isinstance(n, Aggregate) for n in _outside_patterns((query.projection or (), modifiers.having, modifiers.order_by))
    )
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


def _check_grouped(item: As | Variable, allowed: Names) -> None:
    for variable in _unaggregated(item if isinstance(item, Variable) else item.expression):
        if variable.name not in allowed:
            raise SyntaxProblem(
                f"?{variable.name} is neither grouped nor aggregated", variable.at, f"add it to GROUP BY, or wrap it: (SAMPLE(?{variable.name}) AS …)"
            )


def _unaggregated(node: object) -> Iterator[Variable]:
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, Variable):
            yield current
        elif isinstance(current, tuple):
            stack.extend(current)
        elif not isinstance(current, Aggregate | Group):
            stack.extend(getattr(current, name) for name in getattr(type(current), "__match_args__", ()))


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


def _check_nested(aggregate: Aggregate) -> None:
    inner = next((n for n in _outside_patterns(aggregate.operand) if isinstance(n, Aggregate)), None)
    if inner is not None:
        raise SyntaxProblem(f"{inner.name} stands inside another aggregate", inner.at, "use a subquery for the inner one")


def _check_aggregate_places(body: QueryBody) -> None:
    """An aggregate may stand in SELECT, HAVING and ORDER BY only, of this query or of a subquery."""
    for query in (body, *(node for node in walk(body) if isinstance(node, Select))):
        places = (query.where, query.modifiers.group_by)
        for node in _within_query(places):
            if isinstance(node, Aggregate):
                raise SyntaxProblem(
                    f"{node.name} may not stand in WHERE or GROUP BY", node.at, "an aggregate belongs in SELECT, HAVING or ORDER BY"
                )


def _outside_patterns(node: object) -> Iterator[object]:
    return _walk_without(node, Group)


def _within_query(node: object) -> Iterator[object]:
    return _walk_without(node, SubSelect)


def _walk_without(node: object, excluded: type) -> Iterator[object]:
    stack = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, tuple):
            stack.extend(reversed(current))
        elif not isinstance(current, excluded):
            yield current
            stack.extend(getattr(current, name) for name in reversed(getattr(type(current), "__match_args__", ())))


def _check_labels(body: QueryBody) -> None:
    """A blank node label belongs to one basic graph pattern; FILTER does not end one, everything else does."""
    owner: dict[str, int] = {}
    for number, triples in enumerate(_basic_graph_patterns(body)):
        for node in walk(triples):
            if isinstance(node, BlankNode) and owner.setdefault(node.label, number) != number:
                raise SyntaxProblem(f"_:{node.label} is used in two different patterns", node.at, "use a variable to join patterns")


def _basic_graph_patterns(body: QueryBody) -> Iterator[Iterable[object]]:
    for node in walk(body.where):
        if isinstance(node, Group):
            run: list[object] = []
            for element in node.elements:
                if isinstance(element, BasicGraphPattern):
                    run += element.triples
                elif not isinstance(element, Filter):
                    yield tuple(run)
                    run = []
            yield tuple(run)


def _defined(item: As) -> Variable:
    assert item.variable is not None, "only GROUP BY has an expression without AS"
    return item.variable
