"""The syntax tree of a SPARQL query: one class per construct, as written, before any algebra."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum

from prsp.model.term import IRI, Literal, Term, Variable
from prsp.model.window import Window

# --- property paths -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathSequence:
    """``a/b/c``."""

    steps: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class PathAlternative:
    """``a|b|c``."""

    choices: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class PathInverse:
    """``^a``."""

    path: Path


class Repeat(StrEnum):
    """How often a path may be walked."""

    ZERO_OR_ONE = "?"
    ZERO_OR_MORE = "*"
    ONE_OR_MORE = "+"


@dataclass(frozen=True, slots=True)
class PathRepeat:
    """``a?``, ``a*`` or ``a+``."""

    path: Path
    repeat: Repeat


@dataclass(frozen=True, slots=True)
class PathNegatedSet:
    """``!(a|^b)``: any predicate but these, forward and backward."""

    forward: tuple[IRI, ...]
    backward: tuple[IRI, ...]


Path = IRI | PathSequence | PathAlternative | PathInverse | PathRepeat | PathNegatedSet

# --- expressions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Or:
    """``a || b || …``."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class And:
    """``a && b && …``."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``! a``."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """``a < b`` and the other five comparisons."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Membership:
    """``a IN (…)`` or ``a NOT IN (…)``."""

    operand: Expression
    members: tuple[Expression, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``a + b`` and the other three operations, left-associative."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Sign:
    """``+ a`` or ``- a``."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A built-in function, named in upper case."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function named by an IRI: a cast or an extension."""

    function: IRI
    arguments: tuple[Expression, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Exists:
    """``EXISTS {…}`` or ``NOT EXISTS {…}``."""

    pattern: Pattern
    negated: bool


@dataclass(frozen=True, slots=True)
class Aggregate:
    """``COUNT(…)`` and the others; ``operand`` is None for ``COUNT(*)``."""

    name: str
    operand: Expression | None
    distinct: bool
    separator: str | None = None
    at: int = field(default=-1, compare=False, repr=False)


Expression = (
    Variable | IRI | Literal | Or | And | Not | Comparison | Membership | Arithmetic | Sign | Call | FunctionCall | Exists | Aggregate
)

# --- graph patterns -------------------------------------------------------------------------------------------------

Node = Term | Variable


@dataclass(frozen=True, slots=True)
class Triple:
    """A triple pattern, or a triple of a CONSTRUCT template; its predicate may be a path."""

    subject: Node
    predicate: Variable | Path
    object: Node


@dataclass(frozen=True, slots=True)
class BasicGraphPattern:
    """Triple patterns that stand together."""

    triples: tuple[Triple, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """``{ … }``: its elements in the order of the text, filters among them."""

    elements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class OptionalPattern:
    """``OPTIONAL {…}``."""

    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Union:
    """``{…} UNION {…} …``."""

    branches: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """``MINUS {…}``."""

    pattern: Pattern


@dataclass(frozen=True, slots=True)
class GraphPattern:
    """``GRAPH <g> {…}`` or ``GRAPH ?g {…}``."""

    name: IRI | Variable
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Service:
    """``SERVICE <endpoint> {…}``."""

    name: IRI | Variable
    pattern: Pattern
    silent: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """``FILTER …``."""

    condition: Expression


@dataclass(frozen=True, slots=True)
class Bind:
    """``BIND(… AS ?v)``."""

    expression: Expression
    variable: Variable


@dataclass(frozen=True, slots=True)
class InlineData:
    """``VALUES``: rows as wide as ``variables``; None is UNDEF."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[IRI | Literal | None, ...], ...]


@dataclass(frozen=True, slots=True)
class SubSelect:
    """A SELECT inside a group."""

    query: Select


Pattern = BasicGraphPattern | Group | OptionalPattern | Union | Minus | GraphPattern | Service | Filter | Bind | InlineData | SubSelect

# --- queries --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class As:
    """``expression AS ?v``; ``variable`` is None only for a bare expression of GROUP BY."""

    expression: Expression
    variable: Variable | None


@dataclass(frozen=True, slots=True)
class OrderCondition:
    """One sort key."""

    expression: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What stands after the pattern: grouping, order, slice."""

    group_by: tuple[As | Variable, ...] = ()
    having: tuple[Expression, ...] = ()
    order_by: tuple[OrderCondition, ...] = ()
    limit: int | None = None
    offset: int | None = None


class Duplicates(StrEnum):
    """What SELECT does with equal rows."""

    KEEP = "keep"
    DISTINCT = "distinct"
    REDUCED = "reduced"


@dataclass(frozen=True, slots=True)
class Select:
    """``SELECT``; ``projection`` is None for ``*``."""

    projection: tuple[As | Variable, ...] | None
    duplicates: Duplicates
    where: Pattern
    modifiers: Modifiers
    values: InlineData | None = None


@dataclass(frozen=True, slots=True)
class Construct:
    """``CONSTRUCT``."""

    template: tuple[Triple, ...]
    where: Pattern
    modifiers: Modifiers
    values: InlineData | None = None


@dataclass(frozen=True, slots=True)
class Describe:
    """``DESCRIBE``; ``targets`` is None for ``*``."""

    targets: tuple[IRI | Variable, ...] | None
    where: Pattern | None
    modifiers: Modifiers
    values: InlineData | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """``ASK``."""

    where: Pattern
    modifiers: Modifiers
    values: InlineData | None = None


QueryBody = Select | Construct | Describe | Ask


@dataclass(frozen=True, slots=True)
class GraphClause:
    """``FROM`` or ``FROM NAMED``; start and end are character offsets of the clause."""

    graph: IRI
    named: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StreamClause:
    """``FROM [NAMED] STREAM … [RANGE …]``."""

    stream: str
    named: bool
    window: Window
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RegistrationClause:
    """``REGISTER … AS``."""

    kind: str
    name: str
    every: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query text: its dataset clauses and its body, with a registration when it is continuous."""

    body: QueryBody
    dataset: tuple[GraphClause | StreamClause, ...] = ()
    registration: RegistrationClause | None = None
    base: str | None = field(default=None, compare=False)
    """What relative IRIs, also those that IRI() makes, are resolved against."""


_SCALARS = {"str", "bool", "int", "int | None", "str | None", "Repeat", "Duplicates"}
_CHILDREN: dict[type, tuple[str, ...]] = {
    cls: tuple(f.name for f in reversed(fields(cls)) if f.type not in _SCALARS)
    for cls in list(globals().values())
    if isinstance(cls, type) and is_dataclass(cls) and cls.__module__ == __name__
}


def walk(node: object, *, but_not_into: type | tuple[type, ...] = ()) -> Iterator[object]:
    """Yield a node of the tree and everything below it, parents first; excluded nodes and what is below them are left out."""
    stack = [node]
    while stack:
        current = stack.pop()
        if type(current) is tuple:
            stack.extend(current[::-1])
        elif current is not None and not isinstance(current, but_not_into):
            yield current
            stack += [getattr(current, name) for name in _CHILDREN.get(type(current), ())]
