"""Which features a query uses, read off its syntax tree."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.model.feature import Feature
from prsp.model.term import IRI, XSD, Variable
from prsp.parse.syntax import (
    Aggregate,
    As,
    Ask,
    Bind,
    Call,
    Construct,
    Describe,
    Duplicates,
    Exists,
    Filter,
    FunctionCall,
    GraphPattern,
    InlineData,
    Minus,
    Modifiers,
    OptionalPattern,
    PathAlternative,
    PathInverse,
    PathNegatedSet,
    PathRepeat,
    PathSequence,
    QueryBody,
    Repeat,
    Select,
    Service,
    SubSelect,
    Triple,
    Union,
)

TIMESTAMP_FUNCTION = "http://larkc.eu/csparql/sparql/jena/ext#timestamp"

_FORMS = {Select: Feature.SELECT, Construct: Feature.CONSTRUCT, Ask: Feature.ASK, Describe: Feature.DESCRIBE}
_BY_CLASS = {
    Filter: Feature.FILTER,
    OptionalPattern: Feature.OPTIONAL,
    Union: Feature.UNION,
    Minus: Feature.MINUS,
    Exists: Feature.EXISTS,
    Bind: Feature.BIND,
    As: Feature.EXPRESSIONS,
    InlineData: Feature.VALUES,
    SubSelect: Feature.SUBQUERIES,
    GraphPattern: Feature.NAMED_GRAPHS,
    Service: Feature.SERVICE,
    Aggregate: Feature.AGGREGATES,
    PathSequence: Feature.PATHS,
    PathAlternative: Feature.PATHS,
    PathInverse: Feature.PATHS,
    PathNegatedSet: Feature.PATHS,
}
_UNREPEATABLE_CALLS = {"NOW", "RAND", "UUID", "STRUUID", "BNODE"}
_CASTS = {XSD + name for name in ("string", "boolean", "integer", "decimal", "float", "double", "dateTime")}


_TELLING = {*_BY_CLASS, Triple, PathRepeat, Select, Modifiers, FunctionCall, Call}


def features(body: QueryBody, nodes: list[object]) -> frozenset[Feature]:
    """Everything the query asks of an engine; ``nodes`` is the whole tree, walked."""
    # A template is what comes out, not what is asked: a variable predicate there costs an engine nothing.
    template = {id(triple) for triple in body.template} if isinstance(body, Construct) else set()
    found = {_FORMS[type(body)]}
    for node in nodes:
        if type(node) in _TELLING and id(node) not in template:
            found.update(_of(node))
    return frozenset(found)


def _of(node: object) -> Iterator[Feature]:
    by_class = _BY_CLASS.get(type(node))
    if by_class is not None:
        yield by_class
    match node:
        case Triple(_, Variable(), _):
            yield Feature.PREDICATE_VARIABLES
        case PathRepeat(_, repeat):
            yield Feature.PATHS if repeat is Repeat.ZERO_OR_ONE else Feature.TRANSITIVE_PATHS
        case Select(_, Duplicates.DISTINCT):
            yield Feature.DISTINCT
        case Select(_, Duplicates.REDUCED):
            yield Feature.REDUCED
        case Modifiers():
            yield from _of_modifiers(node)
        case FunctionCall(IRI(value)):
            if value == TIMESTAMP_FUNCTION:
                yield Feature.TIMESTAMP
            elif value not in _CASTS:
                yield Feature.CUSTOM_FUNCTIONS
        case Call(name) if name in _UNREPEATABLE_CALLS:
            yield Feature.UNREPEATABLE
        case Aggregate("SAMPLE"):
            yield Feature.UNREPEATABLE


def _of_modifiers(modifiers: Modifiers) -> Iterator[Feature]:
    if modifiers.group_by:
        yield Feature.GROUP_BY
    if modifiers.having:
        yield Feature.HAVING
    if modifiers.order_by:
        yield Feature.ORDER_BY
    if modifiers.limit is not None or modifiers.offset is not None:
        yield Feature.LIMIT
        if not modifiers.order_by:
            yield Feature.UNREPEATABLE


_TELLING_CALLS = {"ISBLANK", "ISIRI", "ISURI", "STR", "IRI", "URI"}
_TELLING_AGGREGATES = {"MIN", "MAX", "GROUP_CONCAT"}


def sees_blank_nodes(body: QueryBody, nodes: list[object]) -> bool:
    """Whether the answer may change when a blank node of the data becomes an IRI."""
    if isinstance(body, Describe):
        return True
    if isinstance(body, Construct) and any(isinstance(triple.predicate, Variable) for triple in body.template):
        return True  # a triple with a blank node as its predicate is left out, one with an IRI is not
    return any(_tells(node) for node in nodes)


def _tells(node: object) -> bool:
    match node:
        case Call(name):
            return name in _TELLING_CALLS
        case Aggregate(name):
            return name in _TELLING_AGGREGATES
        case Modifiers():
            return bool(node.order_by)
        case FunctionCall(IRI(value)):
            return value != TIMESTAMP_FUNCTION
        case _:
            return False
