"""Graph patterns: triples with their paths, lists and nested blank nodes, and the groups around them."""

from __future__ import annotations

from lark import Token

from prsp.model.term import IRI, RDF, BlankNode, Literal, Variable
from prsp.parse.build.expressions import ExpressionBuilder
from prsp.parse.problem import SyntaxProblem
from prsp.parse.syntax import (
    BasicGraphPattern,
    Bind,
    Expression,
    Filter,
    GraphPattern,
    Group,
    InlineData,
    Minus,
    Node,
    OptionalPattern,
    Path,
    PathAlternative,
    PathInverse,
    PathNegatedSet,
    PathRepeat,
    PathSequence,
    Pattern,
    Repeat,
    Select,
    Service,
    SubSelect,
    Triple,
    Union,
)

Triples = tuple[Triple, ...]
Nested = tuple[Node, Triples]
"""A node as it is written, with the triples that writing it implies."""
Properties = tuple[tuple[Variable | Path, tuple[Nested, ...]], ...]


class PatternBuilder(ExpressionBuilder):
    """Adds paths, triples and groups to expressions."""

    # property paths

    def path_alternative(self, *choices: Path) -> PathAlternative:
        return PathAlternative(choices)

    def path_sequence(self, *steps: Path) -> PathSequence:
        return PathSequence(steps)

    def path_inverse(self, path: Path) -> PathInverse:
        return PathInverse(path)

    def path_elt(self, path: Path, repeat: Repeat | None) -> Path:
        return path if repeat is None else PathRepeat(path, repeat)

    def path_mod(self, sign: Token) -> Repeat:
        return Repeat(str(sign))

    def path_negated_property_set(self, *members: tuple[bool, IRI]) -> PathNegatedSet:
        return PathNegatedSet(tuple(iri for forward, iri in members if forward), tuple(iri for forward, iri in members if not forward))

    def path_forward(self, iri: IRI) -> tuple[bool, IRI]:
        return True, iri

    def path_backward(self, iri: IRI) -> tuple[bool, IRI]:
        return False, iri

    # triples

    def triples_of_term(self, subject: Node, properties: Properties) -> Triples:
        return _triples(subject, properties)

    def triples_of_node(self, nested: Nested, properties: Properties | None) -> Triples:
        return nested[1] + (() if properties is None else _triples(nested[0], properties))

    def property_list_not_empty(self, *parts: Variable | Path | tuple[Nested, ...] | None) -> Properties:
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return tuple((verb, objects) for verb, objects in pairs if verb is not None)  # type: ignore[misc]

    def object_list(self, *objects: Nested) -> tuple[Nested, ...]:
        return objects

    def plain_node(self, node: Node) -> Nested:
        return node, ()

    def nested_node(self, nested: Nested) -> Nested:
        return nested

    def blank_node_property_list(self, properties: Properties) -> Nested:
        node = self.anon()
        return node, _triples(node, properties)

    def collection(self, *members: Nested) -> Nested:
        cells: list[BlankNode] = [self.anon() for _ in members]
        triples: list[Triple] = []
        tails: list[Node] = [*cells[1:], self.nil()]
        for cell, rest, (node, inner) in zip(cells, tails, members, strict=True):
            triples += [Triple(cell, IRI(RDF + "first"), node), *inner, Triple(cell, IRI(RDF + "rest"), rest)]
        return cells[0], tuple(triples)

    def triples_block(self, *blocks: Triples) -> BasicGraphPattern:
        return BasicGraphPattern(self.triples_template(*blocks))

    def triples_template(self, *blocks: Triples) -> Triples:
        return tuple(triple for block in blocks for triple in block)

    # groups

    def group(self, *elements: Pattern | None) -> Group:
        return Group(tuple(e for e in elements if e is not None))

    def group_of_select(self, query: Select) -> Group:
        return Group((SubSelect(query),))

    def group_or_union_graph_pattern(self, *branches: Pattern) -> Union:
        return Union(branches)

    def optional_graph_pattern(self, pattern: Pattern) -> OptionalPattern:
        return OptionalPattern(pattern)

    def minus_graph_pattern(self, pattern: Pattern) -> Minus:
        return Minus(pattern)

    def graph_graph_pattern(self, name: IRI | Variable, pattern: Pattern) -> GraphPattern:
        return GraphPattern(name, pattern)

    def service_graph_pattern(self, silent: Token | None, name: IRI | Variable, pattern: Pattern) -> Service:
        return Service(name, pattern, silent is not None)

    def filter(self, condition: Expression) -> Filter:
        return Filter(condition)

    def bind(self, expression: Expression, variable: Variable) -> Bind:
        return Bind(expression, variable)

    # inline data

    def inline_data(self, data: InlineData) -> InlineData:
        return data

    def inline_data_one_var(self, variable: Variable, *values: IRI | Literal | None) -> InlineData:
        return InlineData((variable,), tuple((value,) for value in values))

    def inline_data_full(self, head: tuple[int, tuple[Variable, ...]], *rows: tuple[IRI | Literal | None, ...]) -> InlineData:
        at, variables = head
        for number, row in enumerate(rows, 1):
            if len(row) != len(variables):
                raise SyntaxProblem(f"VALUES has {len(variables)} variables, but its row {number} has {len(row)} values", at)
        return InlineData(variables, rows)

    def data_variables(self, opening: Token, *rest: Variable | Token) -> tuple[int, tuple[Variable, ...]]:
        return opening.start_pos or 0, tuple(v for v in rest if isinstance(v, Variable))

    def data_row(self, *values: IRI | Literal | None) -> tuple[IRI | Literal | None, ...]:
        return values

    def undef(self) -> None:
        return None


def _triples(subject: Node, properties: Properties) -> Triples:
    triples: list[Triple] = []
    for verb, objects in properties:
        for node, inner in objects:
            triples += [Triple(subject, verb, node), *inner]
    return tuple(triples)
