"""Expressions as Python functions from a row of term numbers to a node, by the shapes of rdflib's algebra."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rdflib import Literal as RdfLiteral
from rdflib import URIRef, Variable

from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.expr import arithmetic, compare, strings, temporal
from prsp_backends.spectra.expr.casts import CASTS
from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.node import (
    BLANK,
    IRI,
    IS_DECIMAL,
    IS_DOUBLE,
    IS_INTEGER,
    LITERAL,
    XSD,
    Node,
    boolean,
    literal,
    number_node,
    string,
)
from prsp_backends.spectra.terms import node_of

Row = tuple[int | None, ...]
Function = Callable[[Row], Node]
Test = Callable[[Row], bool]


class Compiler:
    """Compiles expressions over the columns of one operator's rows."""

    def __init__(
        self, dictionary: Dictionary, slots: Mapping[str, int], clock: Clock, base: str, solution: Sequence[str] | None = None
    ) -> None:
        """``solution`` are the columns that tell one solution from another, all of them when None."""
        self._solution = [slots[name] for name in solution if name in slots] if solution is not None else list(slots.values())
        self._nodes = dictionary.nodes
        self._slots = slots
        self._clock = clock
        self._base = base

    def test(self, expression: Any) -> Test:
        """The effective boolean value, False where the expression is an error: what FILTER asks."""
        function = self.truth(expression)

        def holds(row: Row) -> bool:
            try:
                return function(row)
            except ExpressionError:
                return False

        return holds

    def truth(self, expression: Any) -> Test:
        """The effective boolean value; raises ExpressionError."""
        name = getattr(expression, "name", "")
        if name in ("ConditionalAndExpression", "ConditionalOrExpression"):
            parts = [self.truth(part) for part in [expression.expr, *(expression.other or [])]]
            return _junction(parts, decided=name == "ConditionalOrExpression")
        if name == "UnaryNot":
            inner = self.truth(expression.expr)
            return lambda row: not inner(row)
        if name == "RelationalExpression" and expression.op:
            return self._relation(expression)
        if name == "Builtin_BOUND":
            slot = self._slots.get(str(expression.arg))
            return (lambda _row: False) if slot is None else (lambda row: row[slot] is not None)
        if name in _TESTS:
            return self._test_call(_TESTS[name], [self.value(argument) for argument in _arguments(expression)])
        function = self.value(expression)
        return lambda row: compare.truth(function(row))

    def value(self, expression: Any) -> Function:
        """The term an expression gives; raises ExpressionError."""
        if isinstance(expression, Variable):
            return self._variable(str(expression))
        if isinstance(expression, (URIRef, RdfLiteral)):
            constant = node_of(expression)
            return lambda _row: constant
        name = expression.name
        if name in ("AdditiveExpression", "MultiplicativeExpression"):
            return self._arithmetic(expression)
        if name == "TrueFilter":
            return lambda _row: boolean(True)
        if name in ("UnaryMinus", "UnaryPlus"):
            operand = self.value(expression.expr)
            unary = arithmetic.negate if name == "UnaryMinus" else arithmetic.plus
            return lambda row: unary(operand(row))
        if name in _BOOLEAN_SHAPES or name in _TESTS:
            test = self.truth(expression)
            return lambda row: boolean(test(row))
        if name == "Function":
            return self._cast(expression)
        return self._builtin(expression)

    def _variable(self, name: str) -> Function:
        slot = self._slots.get(name)
        nodes = self._nodes
        if slot is None:
            return _unbound

        def read(row: Row) -> Node:
            number = row[slot]
            if number is None:
                raise ExpressionError
            return nodes[number]

        return read

    def _relation(self, expression: Any) -> Test:
        operator = str(expression.op)
        left = self.value(expression.expr)
        if operator in ("IN", "NOT IN"):
            members = expression.other if isinstance(expression.other, list) else []
            return _membership(left, [self.value(member) for member in members], negated=operator == "NOT IN")
        right = self.value(expression.other)
        if operator == "=":
            return lambda row: compare.equal(left(row), right(row))
        if operator == "!=":
            return lambda row: not compare.equal(left(row), right(row))
        if operator == "<":
            return lambda row: compare.less(left(row), right(row))
        if operator == ">":
            return lambda row: compare.less(right(row), left(row))
        if operator == "<=":
            return lambda row: compare.less_or_equal(left(row), right(row))
        return lambda row: compare.less_or_equal(right(row), left(row))

    def _arithmetic(self, expression: Any) -> Function:
        function = self.value(expression.expr)
        for operator, operand in zip(expression.op or [], expression.other or [], strict=True):
            function = _binary(_OPERATORS[str(operator)], function, self.value(operand))
        return function

    def _test_call(self, test: Callable[..., bool], arguments: list[Function]) -> Test:
        return lambda row: test(*(argument(row) for argument in arguments))

    def _cast(self, expression: Any) -> Function:
        cast = CASTS.get(str(expression.iri))
        if cast is None:
            raise Gap("functions", f"the function <{expression.iri}> is not one of SPARQL's")
        arguments = expression.expr or []
        if len(arguments) != 1:
            raise Gap("functions", f"<{expression.iri}> takes one argument")
        argument = self.value(arguments[0])
        return lambda row: cast(argument(row))

    def _builtin(self, expression: Any) -> Function:
        name = expression.name
        if name == "Builtin_IF":
            condition, then, otherwise = self.truth(expression.arg1), self.value(expression.arg2), self.value(expression.arg3)
            return lambda row: then(row) if condition(row) else otherwise(row)
        if name == "Builtin_COALESCE":
            return _coalesce([self.value(argument) for argument in _list(expression.arg)])
        if name == "Builtin_CONCAT":
            parts = [self.value(argument) for argument in _list(expression.arg)]
            return lambda row: strings.concat([part(row) for part in parts])
        if name in ("Builtin_IRI", "Builtin_URI"):
            argument = self.value(expression.arg)
            return lambda row: _iri(argument(row), self._base)
        if name == "Builtin_BNODE":
            if expression.arg is None:
                return lambda _row: Node(BLANK, self._clock.fresh())
            label = self.value(expression.arg)
            columns = self._solution
            return lambda row: Node(BLANK, self._clock.labelled(strings.simple_text(label(row)), tuple([row[c] for c in columns])))
        if name == "Builtin_NOW":
            return lambda _row: self._clock.now
        if name in _NULLARY:
            return _NULLARY[name]
        call = _FUNCTIONS.get(name)
        if call is None:
            raise Gap("functions", f"{name.removeprefix('Builtin_')} is not known")
        arguments = [self.value(argument) if argument is not None else None for argument in _arguments(expression)]
        return _call(call, arguments)


class Clock:
    """What is fixed during one evaluation: the instant NOW gives, and the blank nodes made so far."""

    __slots__ = ("_count", "_labels", "now")

    def __init__(self) -> None:
        self._count = 0
        self.tick()

    def tick(self) -> None:
        """Start an evaluation."""
        self.now = literal(datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"), XSD + "dateTime")
        self._labels: dict[tuple[str, Row], str] = {}

    def fresh(self) -> str:
        """A label no other blank node has."""
        self._count += 1
        return f"q{self._count}"

    def labelled(self, label: str, row: Row) -> str:
        """The same label for the same argument within one solution."""
        key = (label, row)
        if key not in self._labels:
            self._labels[key] = self.fresh()
        return self._labels[key]


def _unbound(_row: Row) -> Node:
    raise ExpressionError


def _list(argument: Any) -> list[Any]:
    return list(argument) if isinstance(argument, (list, tuple)) else []


def _binary(operator: Callable[[Node, Node], Node], left: Function, right: Function) -> Function:
    return lambda row: operator(left(row), right(row))


def _junction(parts: list[Test], *, decided: bool) -> Test:
    """``||`` (decided by True) or ``&&`` (decided by False): an error counts only when nothing decides."""

    def evaluate(row: Row) -> bool:
        failed = False
        for part in parts:
            try:
                if part(row) is decided:
                    return decided
            except ExpressionError:
                failed = True
        if failed:
            raise ExpressionError
        return not decided

    return evaluate


def _membership(left: Function, members: list[Function], *, negated: bool) -> Test:
    def evaluate(row: Row) -> bool:
        wanted, failed = left(row), False
        for member in members:
            try:
                if compare.equal(wanted, member(row)):
                    return not negated
            except ExpressionError:
                failed = True
        if failed:
            raise ExpressionError
        return negated

    return evaluate


def _coalesce(arguments: list[Function]) -> Function:
    def evaluate(row: Row) -> Node:
        for argument in arguments:
            try:
                return argument(row)
            except ExpressionError:
                continue
        raise ExpressionError

    return evaluate


def _call(function: Callable[..., Node], arguments: list[Function | None]) -> Function:
    return lambda row: function(*(None if argument is None else argument(row) for argument in arguments))


def _arguments(expression: Any) -> list[Any]:
    name = expression.name
    if name in _NAMED_ARGUMENTS:
        return [getattr(expression, key) for key in _NAMED_ARGUMENTS[name]]
    if expression.arg is not None:
        return [expression.arg]
    return [expression.arg1, expression.arg2]


_NAMED_ARGUMENTS = {
    "Builtin_REGEX": ("text", "pattern", "flags"),
    "Builtin_SUBSTR": ("arg", "start", "length"),
    "Builtin_REPLACE": ("arg", "pattern", "replacement", "flags"),
}
_OPERATORS = {"+": arithmetic.add, "-": arithmetic.subtract, "*": arithmetic.multiply, "/": arithmetic.divide}
_BOOLEAN_SHAPES = {"ConditionalAndExpression", "ConditionalOrExpression", "UnaryNot", "RelationalExpression", "Builtin_BOUND"}


def _iri(node: Node, base: str) -> Node:
    if node.kind == IRI:
        return node
    text = strings.simple_text(node)
    from urllib.parse import urljoin

    absolute = urljoin(base, text) if base else text
    scheme, colon, _ = absolute.partition(":")
    if not colon or not scheme[:1].isalpha() or any(character in absolute for character in '<>"{}|^`\\ '):
        raise ExpressionError
    return Node(IRI, absolute)


def _strdt(text: Node, datatype: Node) -> Node:
    if datatype.kind != IRI:
        raise ExpressionError
    return literal(strings.simple_text(text), datatype.lexical)


def _strlang(text: Node, language: Node) -> Node:
    tag = strings.simple_text(language)
    if not tag:
        raise ExpressionError
    return Node(LITERAL, strings.simple_text(text), "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", tag.lower())


def _field(name: str) -> Callable[[Node], Node]:
    families = ("dateTime", "time") if name in ("hour", "minute", "second") else ("dateTime", "date")

    def read(node: Node) -> Node:
        moment = temporal.read_moment(node.lexical, node.datatype) if node.kind == LITERAL else None
        if moment is None or moment.family not in families:
            raise ExpressionError
        return number_node(getattr(moment, name), IS_DECIMAL if name == "second" else IS_INTEGER)

    return read


def _moment(node: Node) -> temporal.Moment:
    moment = temporal.read_moment(node.lexical, node.datatype) if node.kind == LITERAL else None
    if moment is None:
        raise ExpressionError
    return moment


_TESTS: dict[str, Callable[..., bool]] = {
    "Builtin_sameTerm": lambda left, right: left.same(right),
    "Builtin_isIRI": lambda node: node.kind == IRI,
    "Builtin_isURI": lambda node: node.kind == IRI,
    "Builtin_isBLANK": lambda node: node.kind == BLANK,
    "Builtin_isLITERAL": lambda node: node.kind == LITERAL,
    "Builtin_isNUMERIC": lambda node: node.rank > 0,
    "Builtin_CONTAINS": strings.contains,
    "Builtin_STRSTARTS": strings.starts,
    "Builtin_STRENDS": strings.ends,
    "Builtin_LANGMATCHES": strings.lang_matches,
}
_NULLARY: dict[str, Function] = {
    "Builtin_RAND": lambda _row: number_node(random.random(), IS_DOUBLE),
    "Builtin_UUID": lambda _row: Node(IRI, f"urn:uuid:{uuid.uuid4()}"),
    "Builtin_STRUUID": lambda _row: string(str(uuid.uuid4())),
}
_FUNCTIONS: dict[str, Callable[..., Node]] = {
    "Builtin_STR": strings.str_of,
    "Builtin_LANG": strings.lang_of,
    "Builtin_DATATYPE": strings.datatype_of,
    "Builtin_ABS": arithmetic.absolute,
    "Builtin_CEIL": arithmetic.ceiling,
    "Builtin_FLOOR": arithmetic.floor,
    "Builtin_ROUND": arithmetic.nearest,
    "Builtin_STRLEN": strings.length,
    "Builtin_SUBSTR": strings.substring,
    "Builtin_UCASE": lambda node: strings.like(node, strings.text_of(node).upper()),
    "Builtin_LCASE": lambda node: strings.like(node, strings.text_of(node).lower()),
    "Builtin_ENCODE_FOR_URI": strings.encode_uri,
    "Builtin_STRBEFORE": strings.before,
    "Builtin_STRAFTER": strings.after,
    "Builtin_REPLACE": strings.replace,
    "Builtin_REGEX": lambda text, pattern, flags: boolean(strings.matches(text, pattern, flags)),
    "Builtin_STRDT": _strdt,
    "Builtin_STRLANG": _strlang,
    "Builtin_YEAR": _field("year"),
    "Builtin_MONTH": _field("month"),
    "Builtin_DAY": _field("day"),
    "Builtin_HOURS": _field("hour"),
    "Builtin_MINUTES": _field("minute"),
    "Builtin_SECONDS": _field("second"),
    "Builtin_TIMEZONE": lambda node: literal(temporal.zone_duration(_moment(node)), XSD + "dayTimeDuration"),
    "Builtin_TZ": lambda node: string(temporal.zone_text(_moment(node))),
    "Builtin_MD5": lambda node: strings.digest(node, "md5"),
    "Builtin_SHA1": lambda node: strings.digest(node, "sha1"),
    "Builtin_SHA256": lambda node: strings.digest(node, "sha256"),
    "Builtin_SHA384": lambda node: strings.digest(node, "sha384"),
    "Builtin_SHA512": lambda node: strings.digest(node, "sha512"),
}
