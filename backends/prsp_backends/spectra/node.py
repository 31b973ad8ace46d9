"""RDF terms with their values, as expressions see them."""

from __future__ import annotations

import math
import re
import struct
from decimal import Decimal

from pyoxigraph import Literal as OxLiteral
from pyoxigraph import NamedNode as OxNamedNode

from prsp.errors import EngineError

XSD = "http://www.w3.org/2001/XMLSchema#"
STRING = XSD + "string"
BOOLEAN = XSD + "boolean"
INTEGER = XSD + "integer"
DECIMAL = XSD + "decimal"
FLOAT = XSD + "float"
DOUBLE = XSD + "double"
LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

IRI, BLANK, LITERAL = 0, 1, 2
"""Kinds of node."""

NOT_NUMERIC, IS_INTEGER, IS_DECIMAL, IS_FLOAT, IS_DOUBLE = 0, 1, 2, 3, 4
"""Ranks: arithmetic and comparison promote to the higher one."""

Number = int | float | Decimal

RANKS = {DECIMAL: IS_DECIMAL, FLOAT: IS_FLOAT, DOUBLE: IS_DOUBLE} | {
    XSD + name: IS_INTEGER
    for name in (
        *("integer", "long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
        *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
    )
}
"""The rank of each numeric datatype."""

_NUMERIC_SUFFIXES = {f"^^<{datatype}>".encode(): (datatype, rank) for datatype, rank in RANKS.items()}

_MOST_DIGITS = 4300
"""Python reads no longer integers; one in a stream is ill-formed to us, instead of the end of the query."""

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\Z")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z")
_SPECIAL = {"INF": float("inf"), "+INF": float("inf"), "-INF": float("-inf"), "NaN": float("nan")}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_UNESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_MUST_ESCAPE = re.compile('["\\\\\\x00-\\x1f\\x7f\ufffe\uffff]')


class Node:
    """A term; ``number`` is its numeric value and ``rank`` the numeric type, when it has one and is well-formed."""

    __slots__ = ("datatype", "kind", "language", "lexical", "number", "rank")

    def __init__(
        self,
        kind: int,
        lexical: str,
        datatype: str = "",
        language: str = "",
        rank: int = NOT_NUMERIC,
        number: Number = 0,
    ) -> None:
        self.kind = kind
        self.lexical = lexical
        self.datatype = datatype
        self.language = language
        self.rank = rank
        self.number = number

    def token(self) -> bytes:
        """The term as canonical N-Triples."""
        if self.kind == IRI:
            return f"<{self.lexical}>".encode()
        if self.kind == BLANK:
            return f"_:{self.lexical}".encode()
        if _MUST_ESCAPE.search(self.lexical):
            return str(_foreign(self)).encode()
        quoted = f'"{self.lexical}"'
        if self.language:
            return f"{quoted}@{self.language}".encode()
        return (quoted if self.datatype == STRING else f"{quoted}^^<{self.datatype}>").encode()

    def same(self, other: Node) -> bool:
        """Whether both are one RDF term."""
        return (self.kind, self.lexical, self.datatype, self.language) == (other.kind, other.lexical, other.datatype, other.language)


def _foreign(node: Node) -> OxLiteral:
    if node.language:
        return OxLiteral(node.lexical, language=node.language)
    return OxLiteral(node.lexical, datatype=OxNamedNode(node.datatype))


def literal(lexical: str, datatype: str = STRING) -> Node:
    """A literal with its numeric value, when it has one."""
    rank = RANKS.get(datatype)
    if rank is None:
        return Node(LITERAL, lexical, datatype)
    number = parse_number(lexical, rank)
    if number is None:
        return Node(LITERAL, lexical, datatype)
    return Node(LITERAL, lexical, datatype, "", rank, number)


def parse_number(lexical: str, rank: int) -> Number | None:
    """The value of a numeric lexical form, or None when it is ill-formed."""
    if rank == IS_INTEGER:
        return int(lexical) if _INTEGER.match(lexical) and len(lexical) <= _MOST_DIGITS else None
    if rank == IS_DECIMAL:
        return Decimal(lexical) if _DECIMAL.match(lexical) else None
    value = float(lexical) if _DOUBLE.match(lexical) else _SPECIAL.get(lexical)
    return value if value is None or rank == IS_DOUBLE else single(value)


def double(value: Number) -> float:
    """The nearest xsd:double."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def single(value: float) -> float:
    """The nearest xsd:float."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded


def read_node(token: bytes) -> Node:
    """The node of canonical N-Triples bytes."""
    first = token[:1]
    if first == b"<":
        if token[1:2] == b"<":
            raise triple_term(token)
        return Node(IRI, token[1:-1].decode())
    if first == b"_":
        return Node(BLANK, token[2:].decode())
    lexical, datatype, language, rank = read_literal(token)
    if rank:
        number = parse_number(lexical, rank)
        if number is not None:
            return Node(LITERAL, lexical, datatype, language, rank, number)
    return Node(LITERAL, lexical, datatype, language)


def triple_term(token: bytes) -> EngineError:
    """The error for a triple that is a term: such a one can be joined with, but has no value to us."""
    return EngineError(f"spectra reads the terms of RDF 1.1, and {token.decode()} is a triple term of RDF 1.2")


def read_literal(token: bytes) -> tuple[str, str, str, int]:
    """The lexical form, datatype, language and numeric rank of a literal as canonical N-Triples."""
    quoted, _, suffix = token.rpartition(b'"')
    lexical = quoted[1:].decode()
    if "\\" in lexical:
        lexical = _ESCAPE.sub(_unescape, lexical)
    known = _NUMERIC_SUFFIXES.get(suffix)
    if known is not None:
        return lexical, known[0], "", known[1]
    if not suffix:
        return lexical, STRING, "", NOT_NUMERIC
    if suffix[:1] == b"@":
        return lexical, LANG_STRING, suffix[1:].decode(), NOT_NUMERIC
    return lexical, suffix[3:-1].decode(), "", NOT_NUMERIC


def _unescape(match: re.Match[str]) -> str:
    short, long, single_character = match.groups()
    if short or long:
        return chr(int(short or long, 16))
    return _UNESCAPED.get(single_character, single_character)


def string(lexical: str) -> Node:
    """An xsd:string."""
    return Node(LITERAL, lexical, STRING)


def number_node(value: Number, rank: int) -> Node:
    """A number with the datatype of its rank."""
    if rank == IS_INTEGER:
        return Node(LITERAL, str(value), INTEGER, "", rank, value)
    if rank == IS_DECIMAL:
        return Node(LITERAL, decimal_text(Decimal(value)), DECIMAL, "", rank, value)
    value = double(value)
    if rank == IS_FLOAT:
        value = single(value)
        return Node(LITERAL, float_text(value, FLOAT), FLOAT, "", rank, value)
    return Node(LITERAL, float_text(value, DOUBLE), DOUBLE, "", rank, value)


def decimal_text(value: Decimal) -> str:
    """The shortest lexical form without exponent."""
    text = f"{value:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def float_text(value: float, datatype: str) -> str:
    """The shortest lexical form that reads back as the same value, without exponent."""
    if math.isnan(value):
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "INF" if value > 0 else "-INF"
    text = repr(value) if datatype == DOUBLE else _shortest_single(value)
    text = f"{Decimal(text):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def float_string(value: float, datatype: str) -> str:
    """What XPath makes of a float or double as a string: with an exponent from a million on, and below a millionth."""
    text = float_text(value, datatype)
    if not math.isfinite(value) or value == 0 or 1e-6 <= abs(value) < 1e6:
        return text
    sign, digits, exponent = Decimal(text).normalize().as_tuple()
    head, *tail = map(str, digits)
    return f"{'-' if sign else ''}{head}.{''.join(tail) or '0'}E{int(exponent) + len(tail)}"


def _shortest_single(value: float) -> str:
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if single(float(text)) == value:
            return text
    return repr(value)


TRUE = Node(LITERAL, "true", BOOLEAN)
FALSE = Node(LITERAL, "false", BOOLEAN)


def boolean(value: bool) -> Node:
    """An xsd:boolean."""
    return TRUE if value else FALSE
