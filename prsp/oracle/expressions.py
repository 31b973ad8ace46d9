"""The value of an expression for one solution (section 17); ExpressionError where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prsp.model.term import IRI, BlankNode, Literal, Term, Variable
from prsp.oracle.algebra import Algebra, ExistsPattern
from prsp.oracle.casts import CASTS
from prsp.oracle.compare import STRING, boolean, compare, effective, equal
from prsp.oracle.context import Scope
from prsp.oracle.functions import FUNCTIONS
from prsp.oracle.numbers import Kind, Number, arithmetic, literal, need_number
from prsp.oracle.problem import ExpressionError
from prsp.parse.iri import resolve
from prsp.parse.syntax import And, Arithmetic, Call, Comparison, Expression, FunctionCall, Membership, Not, Or, Sign

Solution = Mapping[str, Term]
Exists = Callable[[Algebra, Solution, Scope], bool]


class Expressions:
    """Evaluates expressions; ``exists`` says whether a pattern has a solution, which is the patterns' business."""

    def __init__(self, exists: Exists) -> None:
        self._exists = exists

    def holds(self, condition: Expression, solution: Solution, scope: Scope) -> bool:
        """Whether a filter keeps the solution: an error counts as no."""
        try:
            return effective(self.value(condition, solution, scope))
        except ExpressionError:
            return False

    def value(self, expression: Expression | ExistsPattern | BlankNode, solution: Solution, scope: Scope) -> Term:  # noqa: PLR0912
        """The term an expression stands for."""
        match expression:  # one case per kind of expression
            case IRI() | Literal() | BlankNode():
                return expression
            case Variable(name):
                return _need(solution.get(name), f"?{name} is unbound")
            case Or(operands):
                return boolean(self._any(operands, True, solution, scope))
            case And(operands):
                return boolean(not self._any(operands, False, solution, scope))
            case Not(operand):
                return boolean(not effective(self.value(operand, solution, scope)))
            case Comparison(operator, left, right):
                return boolean(compare(operator, self.value(left, solution, scope), self.value(right, solution, scope)))
            case Membership(operand, members, negated):
                return boolean(self._member(operand, members, solution, scope) != negated)
            case Arithmetic(operator, left, right):
                x, y = (need_number(self.value(side, solution, scope)) for side in (left, right))
                return literal(arithmetic(operator, x, y))
            case Sign(operator, operand):
                value = need_number(self.value(operand, solution, scope))
                return literal(Number(value.kind, -value.value if operator == "-" else value.value))
            case ExistsPattern(pattern, negated):
                return boolean(self._exists(pattern, solution, scope) != negated)
            case Call(name, arguments):
                return self._call(name, arguments, solution, scope)
            case FunctionCall(IRI(name), arguments):
                function = scope.context.functions.get(name) or CASTS.get(name)
                if function is None or (name in CASTS and len(arguments) != 1):
                    raise ExpressionError(f"there is no function <{name}> of {len(arguments)} arguments")
                return function(*(self.value(argument, solution, scope) for argument in arguments))
            case _:
                raise AssertionError(f"the translation leaves no {type(expression).__name__} in an expression")

    def _any(self, operands: Iterable[Expression], wanted: bool, solution: Solution, scope: Scope) -> bool:
        """Whether one operand is as wanted; an error, if none is and one has no value (the table of 17.2)."""
        fault: ExpressionError | None = None
        for operand in operands:
            try:
                if effective(self.value(operand, solution, scope)) is wanted:
                    return True
            except ExpressionError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False

    def _member(self, operand: Expression, members: Iterable[Expression], solution: Solution, scope: Scope) -> bool:
        value = self.value(operand, solution, scope)
        fault: ExpressionError | None = None
        for member in members:
            try:
                if equal(value, self.value(member, solution, scope)):
                    return True
            except ExpressionError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False

    def _call(self, name: str, arguments: tuple[Expression, ...], solution: Solution, scope: Scope) -> Term:
        match name:
            case "BOUND":
                # Substitution may have put a term in place of the variable.
                return boolean(not isinstance(arguments[0], Variable) or arguments[0].name in solution)
            case "IF":
                chosen = arguments[1 if effective(self.value(arguments[0], solution, scope)) else 2]
                return self.value(chosen, solution, scope)
            case "COALESCE":
                return self._coalesce(arguments, solution, scope)
        values = [self.value(argument, solution, scope) for argument in arguments]
        match name, values:
            case "NOW", _:
                return scope.context.now
            case "RAND", _:
                return literal(Number(Kind.DOUBLE, scope.context.random.random()))
            case "UUID", _:
                return IRI(f"urn:uuid:{scope.context.uuid()}")
            case "STRUUID", _:
                return Literal(scope.context.uuid())
            case "IRI", [term]:
                return _iri(term, scope.context.base)
            case "BNODE", []:
                return scope.context.blank_node()
            case "BNODE", [Literal(label, datatype)] if datatype == STRING:
                if label not in scope.labels:
                    scope.labels[label] = scope.context.blank_node()
                return scope.labels[label]
            case "BNODE", _:
                raise ExpressionError("BNODE takes a plain string")
        return FUNCTIONS[name](*values)

    def _coalesce(self, arguments: Iterable[Expression], solution: Solution, scope: Scope) -> Term:
        for argument in arguments:
            try:
                return self.value(argument, solution, scope)
            except ExpressionError:
                continue
        raise ExpressionError("no argument of COALESCE has a value")


def _iri(term: Term, base: str | None) -> IRI:
    if isinstance(term, IRI):
        return term
    if not isinstance(term, Literal) or term.datatype != STRING:
        raise ExpressionError(f"{term} names no IRI")
    return IRI(term.lexical if base is None else resolve(base, term.lexical))


def _need(term: Term | None, why: str) -> Term:
    if term is None:
        raise ExpressionError(why)
    return term
