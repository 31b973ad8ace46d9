"""A tiny engine: SELECT, ASK and DISTINCT over basic graph patterns, by nested loops. What it lacks, it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from pyoxigraph import BlankNode as OxBlankNode
from pyoxigraph import NamedNode, RdfFormat, parse

from prsp.backend import Backend, Session, chosen
from prsp.errors import EngineError, QuerySyntaxError
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.query import QueryForm, Rho
from prsp.model.result import Boolean, Result, solutions
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term, Variable
from prsp.parse import parse_sparql
from prsp.parse.syntax import BasicGraphPattern, Group, Select, Triple

_DONE = {Feature.SELECT, Feature.ASK, Feature.DISTINCT, Feature.REDUCED, Feature.PREDICATE_VARIABLES}
_GAPS: dict[Feature | Ability, str] = {feature: "it matches basic graph patterns only" for feature in Feature if feature not in _DONE}
_GAPS |= {
    Ability.NAMED_WINDOWS: "it has one graph",
    Ability.DEADLINE: "it has no time limit of its own",
    Ability.DELTA: "it is given whole windows",
    Ability.CHANGES: "it answers anew each time",
    Ability.HELD_GRAPHS: "it holds nothing",
}
_CAPABILITIES = Capabilities(_GAPS)
_Triple = tuple[Term, Term, Term]
_Bindings = dict[object, Term]


@dataclass(frozen=True)
class TinyBackend(Backend):
    """Basic graph patterns in pure Python."""

    name: ClassVar[str] = "tiny"
    about: ClassVar[str] = "basic graph patterns by nested loops, as an example"
    capabilities: Capabilities = _CAPABILITIES

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """It has no options."""
        chosen(cls.name, cls.options, options)
        return cls()

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session for a query that is one basic graph pattern."""
        try:
            body = parse_sparql(rho.text).body
        except QuerySyntaxError as error:
            raise EngineError(f"tiny does not understand the query: {error}") from error
        elements = body.where.elements if isinstance(body.where, Group) else ()
        pattern = [element for element in elements if isinstance(element, BasicGraphPattern)]
        if len(pattern) < len(elements) or not rho.features <= _DONE:
            raise EngineError("tiny matches basic graph patterns only")
        if set(static.graphs) - {None}:
            raise EngineError("tiny has one graph")
        distinct = isinstance(body, Select) and body.duplicates == "distinct"
        triples = [triple for element in pattern for triple in element.triples]
        return TinySession(rho, triples, distinct, _read(static.graphs.get(None, b"")))


class TinySession:
    """The window as a dictionary from predicate to triples; static ones are put in with every window."""

    def __init__(self, rho: Rho, pattern: list[Triple], distinct: bool, static: set[_Triple]) -> None:
        self._rho, self._pattern, self._distinct, self._static = rho, pattern, distinct, static
        self._by: dict[Term, list[_Triple]] = {}

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Index the window; it is a set, however often a triple is in it."""
        if any(graph is not None for graph in snapshot.graphs):
            raise EngineError("tiny has one graph")
        self._by = {}
        for triple in _read(snapshot.data()) | self._static:
            self._by.setdefault(triple[1], []).append(triple)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """Match pattern after pattern."""
        if self._rho.form is QueryForm.ASK:
            return Boolean(any(True for _ in self._match(0, {})))
        rows = [tuple(b.get(Variable(name)) for name in self._rho.variables) for b in self._match(0, {})]
        return solutions(self._rho.variables, dict.fromkeys(rows) if self._distinct else rows)

    def close(self) -> None:
        """Forget the window."""
        self._by = {}

    def _match(self, number: int, bound: _Bindings) -> Iterator[_Bindings]:
        if number == len(self._pattern):
            yield bound
            return
        nodes = (self._pattern[number].subject, self._pattern[number].predicate, self._pattern[number].object)
        wanted = [node if isinstance(node, (IRI, Literal)) else bound.get(node) for node in nodes]
        candidates = self._by.get(wanted[1], []) if wanted[1] is not None else [t for found in self._by.values() for t in found]
        for triple in candidates:
            more = dict(bound)
            # A blank node of the query is a variable that nobody asked for.
            if all(
                (node if isinstance(node, (IRI, Literal)) else more.setdefault(node, t)) == t for node, t in zip(nodes, triple, strict=True)
            ):
                yield from self._match(number + 1, more)


def _read(lines: bytes) -> set[_Triple]:
    return {(_term(q.subject), _term(q.predicate), _term(q.object)) for q in parse(lines, RdfFormat.N_TRIPLES)}


def _term(node: Any) -> Term:
    if isinstance(node, NamedNode):
        return IRI(node.value)
    if isinstance(node, OxBlankNode):
        return BlankNode(node.value)
    return Literal(node.value, RDF + "langString" if node.language else node.datatype.value or XSD + "string", node.language)
