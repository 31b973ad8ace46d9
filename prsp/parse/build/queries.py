"""Queries: the four forms, their dataset clauses and solution modifiers."""

from __future__ import annotations

from dataclasses import replace

from lark import Token

from prsp.model.term import IRI, Variable
from prsp.model.window import MAX_MILLISECONDS
from prsp.parse.build.patterns import PatternBuilder, Triples
from prsp.parse.problem import SyntaxProblem
from prsp.parse.syntax import (
    As,
    Ask,
    BasicGraphPattern,
    Construct,
    Describe,
    Duplicates,
    Expression,
    GraphClause,
    Group,
    InlineData,
    Modifiers,
    OrderCondition,
    Pattern,
    Query,
    QueryBody,
    Select,
    StreamClause,
)

Dataset = tuple[GraphClause | StreamClause, ...]
Slice = tuple[Token | None, Token | None]
Selection = tuple[As | Variable, ...] | None


class QueryBuilder(PatternBuilder):
    """Builds a whole SPARQL query."""

    def query(self, _prologue: None, body: tuple[QueryBody, Dataset]) -> Query:
        return Query(*body, base=self.base)

    def query_body(self, form: tuple[QueryBody, Dataset], values: InlineData | None) -> tuple[QueryBody, Dataset]:
        body, dataset = form
        return replace(body, values=values) if values is not None else body, dataset

    def values_clause(self, data: InlineData | None) -> InlineData | None:
        return data

    # the forms

    def select_query(
        self, head: tuple[Selection, Duplicates], dataset: Dataset, where: Pattern, modifiers: Modifiers
    ) -> tuple[Select, Dataset]:
        return Select(*head, where, modifiers), dataset

    def sub_select(self, head: tuple[Selection, Duplicates], where: Pattern, modifiers: Modifiers, values: InlineData | None) -> Select:
        return Select(*head, where, modifiers, values)

    def select_clause(self, mode: Duplicates | None, selection: Selection) -> tuple[Selection, Duplicates]:
        return selection, mode or Duplicates.KEEP

    def select_mode(self, word: Token) -> Duplicates:
        return Duplicates(word.lower())

    def selection(self, *items: As | Variable) -> Selection:
        return items

    def select_all(self) -> None:
        return None

    def select_expression(self, expression: Expression, variable: Variable) -> As:
        return As(expression, variable)

    def construct_query(self, template: Triples, dataset: Dataset, where: Pattern, modifiers: Modifiers) -> tuple[Construct, Dataset]:
        return Construct(template, where, modifiers), dataset

    def construct_where(self, dataset: Dataset, template: Triples | None, modifiers: Modifiers) -> tuple[Construct, Dataset]:
        triples = template or ()
        return Construct(triples, Group((BasicGraphPattern(triples),) if triples else ()), modifiers), dataset

    def construct_template(self, template: Triples | None) -> Triples:
        return template or ()

    def describe_query(
        self, targets: tuple[IRI | Variable, ...] | None, dataset: Dataset, where: Pattern | None, modifiers: Modifiers
    ) -> tuple[Describe, Dataset]:
        return Describe(targets, where, modifiers), dataset

    def describe_targets(self, *targets: IRI | Variable) -> tuple[IRI | Variable, ...]:
        return targets

    def ask_query(self, dataset: Dataset, where: Pattern, modifiers: Modifiers) -> tuple[Ask, Dataset]:
        return Ask(where, modifiers), dataset

    # dataset clauses

    def dataset(self, *clauses: GraphClause | StreamClause) -> Dataset:
        return clauses

    def default_graph_clause(self, start: Token, graph: Token) -> GraphClause:
        return GraphClause(IRI(self.named(graph)), False, start.start_pos or 0, graph.end_pos or 0)

    def named_graph_clause(self, start: Token, graph: Token) -> GraphClause:
        return GraphClause(IRI(self.named(graph)), True, start.start_pos or 0, graph.end_pos or 0)

    # modifiers

    def where_clause(self, pattern: Pattern) -> Pattern:
        return pattern

    def solution_modifier(
        self,
        group_by: tuple[As | Variable, ...] | None,
        having: tuple[Expression, ...] | None,
        order_by: tuple[OrderCondition, ...] | None,
        limit_offset: Slice | None,
    ) -> Modifiers:
        limit, offset = limit_offset or (None, None)
        return Modifiers(group_by or (), having or (), order_by or (), _whole(limit), _whole(offset))

    def group_clause(self, *conditions: Expression | As) -> tuple[As | Variable, ...]:
        return tuple(c if isinstance(c, As | Variable) else As(c, None) for c in conditions)

    def group_as(self, expression: Expression, variable: Variable | None) -> As | Variable:
        return expression if variable is None and isinstance(expression, Variable) else As(expression, variable)

    def having_clause(self, *conditions: Expression) -> tuple[Expression, ...]:
        return conditions

    def order_clause(self, *conditions: OrderCondition) -> tuple[OrderCondition, ...]:
        return conditions

    def order_directed(self, direction: Token, expression: Expression) -> OrderCondition:
        return OrderCondition(expression, direction.upper() == "DESC")

    def order_plain(self, expression: Expression) -> OrderCondition:
        return OrderCondition(expression, descending=False)

    def limit_offset(self, limit: Token, offset: Token | None) -> Slice:
        return limit, offset

    def offset_limit(self, offset: Token, limit: Token | None) -> Slice:
        return limit, offset


def _whole(token: Token | None) -> int | None:
    if token is None:
        return None
    return whole_number(token)


def whole_number(token: Token) -> int:
    """The value of a token of digits that fits 64 bits."""
    digits = token.lstrip("+-0") or "0"
    if len(digits) > len(str(MAX_MILLISECONDS)) or int(digits) > MAX_MILLISECONDS:
        raise SyntaxProblem("this number is too large: at most 2^63 - 1", token.start_pos or 0)
    return -int(digits) if token.startswith("-") else int(digits)
