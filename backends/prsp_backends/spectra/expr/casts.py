"""The XPath constructor functions: xsd:integer(…), xsd:dateTime(…) and their kin."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

from prsp_backends.spectra.expr.compare import truth
from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.expr.temporal import DATE, DATE_TIME, TIME, read_moment
from prsp_backends.spectra.node import (
    BLANK,
    BOOLEAN,
    DECIMAL,
    DOUBLE,
    FLOAT,
    INTEGER,
    IS_DECIMAL,
    IS_DOUBLE,
    IS_FLOAT,
    IS_INTEGER,
    LITERAL,
    STRING,
    Node,
    Number,
    boolean,
    float_string,
    number_node,
    parse_number,
    string,
)


def _text(node: Node) -> str:
    if node.kind == LITERAL and node.datatype == STRING:
        return node.lexical.strip(" \t\r\n")
    raise ExpressionError


def _is_boolean(node: Node) -> bool:
    return node.kind == LITERAL and node.datatype == BOOLEAN and node.lexical in ("true", "false", "1", "0")


def _finite(value: Number) -> Number:
    if isinstance(value, float) and not math.isfinite(value):
        raise ExpressionError
    return value


def _parsed(node: Node, rank: int) -> Number:
    number = parse_number(_text(node), rank)
    if number is None:
        raise ExpressionError
    return number


def to_string(node: Node) -> Node:
    """xsd:string(…): the IRI, or the lexical form."""
    if node.kind == BLANK:
        raise ExpressionError
    if isinstance(node.number, float) and node.rank:
        return string(float_string(node.number, FLOAT if node.rank == IS_FLOAT else DOUBLE))
    if node.rank:
        return string(number_node(node.number, node.rank).lexical)
    if _is_boolean(node):
        return string("true" if truth(node) else "false")
    return string(node.lexical)


def to_boolean(node: Node) -> Node:
    """xsd:boolean(…)."""
    if node.rank or _is_boolean(node):
        return boolean(truth(node))
    value = {"true": True, "1": True, "false": False, "0": False}.get(_text(node))
    if value is None:
        raise ExpressionError
    return boolean(value)


def to_integer(node: Node) -> Node:
    """xsd:integer(…): fractions are cut off."""
    if node.rank:
        return number_node(int(_finite(node.number)), IS_INTEGER)
    if _is_boolean(node):
        return number_node(int(truth(node)), IS_INTEGER)
    return number_node(_parsed(node, IS_INTEGER), IS_INTEGER)


def to_decimal(node: Node) -> Node:
    """xsd:decimal(…)."""
    if node.rank:
        return number_node(Decimal(_finite(node.number)), IS_DECIMAL)
    if _is_boolean(node):
        return number_node(Decimal(int(truth(node))), IS_DECIMAL)
    return number_node(_parsed(node, IS_DECIMAL), IS_DECIMAL)


def _floating(rank: int) -> Callable[[Node], Node]:
    def cast(node: Node) -> Node:
        if node.rank:
            return number_node(node.number, rank)
        if _is_boolean(node):
            return number_node(float(truth(node)), rank)
        return number_node(_parsed(node, rank), rank)

    return cast


def _moment(datatype: str) -> Callable[[Node], Node]:
    def cast(node: Node) -> Node:
        if node.kind != LITERAL:
            raise ExpressionError
        if node.datatype in (STRING, datatype):
            lexical = node.lexical.strip(" \t\r\n")
        elif datatype == DATE and node.datatype == DATE_TIME:
            day, _, rest = node.lexical.partition("T")
            lexical = day + _zone_suffix(rest)
        elif datatype == TIME and node.datatype == DATE_TIME:
            lexical = node.lexical.partition("T")[2]
        elif datatype == DATE_TIME and node.datatype == DATE:
            zone = _zone_suffix(node.lexical[8:])
            lexical = node.lexical.removesuffix(zone) + "T00:00:00" + zone
        else:
            raise ExpressionError
        if read_moment(lexical, datatype) is None:
            raise ExpressionError
        return Node(LITERAL, lexical, datatype)

    return cast


def _zone_suffix(text: str) -> str:
    if text.endswith("Z"):
        return "Z"
    return text[-6:] if len(text) >= 6 and text[-6] in "+-" else ""


CASTS: dict[str, Callable[[Node], Node]] = {
    STRING: to_string,
    BOOLEAN: to_boolean,
    INTEGER: to_integer,
    DECIMAL: to_decimal,
    FLOAT: _floating(IS_FLOAT),
    DOUBLE: _floating(IS_DOUBLE),
    DATE_TIME: _moment(DATE_TIME),
    DATE: _moment(DATE),
    TIME: _moment(TIME),
}
"""The constructor functions by IRI."""
