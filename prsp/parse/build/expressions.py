"""Expressions: operators folded to the left, built-in calls, aggregates."""

from __future__ import annotations

from lark import Token

from prsp.model.term import IRI, Literal
from prsp.parse.build.terms import TermBuilder
from prsp.parse.syntax import (
    Aggregate,
    And,
    Arithmetic,
    Call,
    Comparison,
    Exists,
    Expression,
    FunctionCall,
    Membership,
    Not,
    Or,
    Pattern,
    Sign,
)

_SYNONYMS = {"URI": "IRI", "ISURI": "ISIRI"}

Step = tuple[str, Expression]


class ExpressionBuilder(TermBuilder):
    """Adds expressions to terms."""

    def conditional_or_expression(self, *operands: Expression) -> Or:
        return Or(operands)

    def conditional_and_expression(self, *operands: Expression) -> And:
        return And(operands)

    def comparison(self, left: Expression, operator: Token, right: Expression) -> Comparison:
        return Comparison(str(operator), left, right)

    def member_of(self, operand: Expression, members: tuple[Expression, ...]) -> Membership:
        return Membership(operand, members, negated=False)

    def not_member_of(self, operand: Expression, members: tuple[Expression, ...]) -> Membership:
        return Membership(operand, members, negated=True)

    def additive_expression(self, first: Expression, *rest: Step) -> Expression:
        return _fold(first, rest)

    multiplicative_expression = additive_expression

    def added(self, operator: str, operand: Expression) -> Step:
        return operator, operand

    def signed(self, number: Literal, *rest: Step) -> Step:
        # In ``?a -1 * 2`` the sign belongs to the number: ?a + ((-1) * 2).
        return "+", _fold(number, rest)

    def plus_or_minus(self, operator: Token) -> str:
        return str(operator)

    def times_or_over(self, operator: Token, operand: Expression) -> Step:
        return str(operator), operand

    def not_(self, operand: Expression) -> Not:
        return Not(operand)

    def unary_plus(self, operand: Expression) -> Sign:
        return Sign("+", operand)

    def unary_minus(self, operand: Expression) -> Sign:
        return Sign("-", operand)

    def expression_list(self, *members: Expression) -> tuple[Expression, ...]:
        return members

    def call(self, name: Token, *arguments: Expression) -> Call:
        upper = name.upper()
        return Call(_SYNONYMS.get(upper, upper), arguments)

    def call_list(self, name: Token, arguments: tuple[Expression, ...]) -> Call:
        return self.call(name, *arguments)

    def call_optional(self, name: Token, *arguments: Expression | None) -> Call:
        return self.call(name, *(a for a in arguments if a is not None))

    def no_arguments(self) -> tuple[bool, tuple[Expression, ...]]:
        return False, ()

    def arguments(self, distinct: Token | None, *arguments: Expression) -> tuple[bool, tuple[Expression, ...]]:
        return distinct is not None, arguments

    def function_call(self, function: IRI, arguments: tuple[bool, tuple[Expression, ...]]) -> FunctionCall:
        return FunctionCall(function, arguments[1], arguments[0])

    def iri_or_function(self, iri: IRI, arguments: tuple[bool, tuple[Expression, ...]] | None) -> Expression:
        return iri if arguments is None else self.function_call(iri, arguments)

    def exists_func(self, pattern: Pattern) -> Exists:
        return Exists(pattern, negated=False)

    def not_exists_func(self, pattern: Pattern) -> Exists:
        return Exists(pattern, negated=True)

    def count_all(self) -> None:
        return None

    def aggregate(self, name: Token, distinct: Token | None, operand: Expression | None, separator: str | None = None) -> Aggregate:
        return Aggregate(name.upper(), operand, distinct is not None, separator, name.start_pos or 0)

    count = aggregate
    group_concat = aggregate


def _fold(first: Expression, rest: tuple[Step, ...]) -> Expression:
    for operator, operand in rest:
        first = Arithmetic(operator, first, operand)
    return first
