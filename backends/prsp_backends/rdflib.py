"""rdflib, in process: pure Python, slow and widely read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from prsp.backend import Backend, Option, Requirement, Session, chosen
from prsp.errors import EngineError, PrspError
from prsp.model.ability import Ability, Capabilities
from prsp.model.delta import Delta
from prsp.model.feature import Feature
from prsp.model.query import QueryForm, Rho
from prsp.model.result import Boolean, Result, RowSolutions, Triples
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

if TYPE_CHECKING:
    from rdflib import Dataset

_GAPS: Mapping[Feature | Ability, str] = {
    Ability.DEADLINE: "it has no time limit of its own; prsp runs it in a process that can be ended",
    Ability.CHANGES: "it answers anew each time",
    Ability.HELD_GRAPHS: "its store is made for the run",
    Feature.CUSTOM_FUNCTIONS: "it knows no function of that name",
    Feature.SERVICE: "a query may reach nothing outside",
}
_FAULTS = {
    "aggregates/empty-group-by": "GROUP BY over no solutions gives a row",
    "aggregates/sum-error": "SUM over a literal that is no number fails the whole query",
    "datatypes/across-types": "literals of different types have an order, where there should be an error",
    "datatypes/arithmetic": "a product of integers is an xsd:decimal",
    "datatypes/casts": "a boolean is not cast to a number",
    "datatypes/ill-typed": "a boolean that is neither true nor false becomes false",
    "datatypes/ill-typed-arithmetic": "arithmetic on a literal whose text is not of its type fails the whole query",
    "datatypes/kept-datetime": "instants are written anew: Z becomes +00:00, fractions get six digits",
    "forms/construct-literal-subject": "a template triple whose subject is a literal is not left out",
    "forms/select-expression": "a product of integers is an xsd:decimal",
    "patterns/subquery": "a variable that a subquery does not project is seen outside it",
    "sequences/aggregates": "GROUP BY over no solutions gives a row",
    "text/escapes-in-query": "a tab inside a literal of the query is taken for a blank",
}
_SNAPSHOTS = Capabilities({**_GAPS, Ability.DELTA: "asked for whole windows; --option mode=delta sends the change"}, _FAULTS)
_DELTAS = Capabilities(_GAPS, _FAULTS)


@dataclass(frozen=True)
class RdflibBackend(Backend):
    """rdflib in this process, in memory."""

    name: ClassVar[str] = "rdflib"
    about: ClassVar[str] = "rdflib in this process, in memory"
    options: ClassVar[tuple[Option, ...]] = (
        Option("mode", "load each window anew, or keep one graph and apply the change", "snapshot", ("snapshot", "delta")),
    )
    requires: ClassVar[tuple[Requirement, ...]] = (Requirement("rdflib", "pip install rdflib"),)

    capabilities: Capabilities = _SNAPSHOTS

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from its one option."""
        mode = chosen(cls.name, cls.options, options)["mode"]
        return cls(_DELTAS) if mode == "delta" else cls()

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session for one query, refused here if rdflib cannot parse it."""
        with _told("take the query"):
            from rdflib.plugins.sparql import prepareQuery

            session = RdflibSession(rho, prepareQuery(rho.text))
        with _told("load the static data"):
            session.hold(static)
        return session


class RdflibSession:
    """One dataset: static triples stay in it, window triples are replaced or changed."""

    def __init__(self, rho: Rho, prepared: Any) -> None:
        from rdflib import Dataset

        self._rho, self._prepared = rho, prepared
        self._labels = _Labels()
        self._static: dict[str | None, list[_Triple]] = {}
        self._dataset = Dataset()

    def hold(self, static: StaticData) -> None:
        """Parse static data once; every new dataset is given it."""
        self._static = {graph: self._parsed(lines) for graph, lines in static.graphs.items()}
        self._dataset = self._fresh()

    def _fresh(self) -> Dataset:
        from rdflib import Dataset

        dataset = Dataset()
        for graph, triples in self._static.items():
            self._add(dataset, graph, triples)
        return dataset

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:  # noqa: ARG002  # run in a process that can be ended
        """A new dataset with each graph's triples."""
        with _told("load the window"):
            self._dataset = self._fresh()
            for graph in snapshot.graphs:
                self._add(self._dataset, graph, self._parsed(snapshot.data(graph)))

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:  # noqa: ARG002  # as load
        """Add and remove what changed."""
        with _told("apply the change"):
            for graph, net in delta.net().items():
                context = _context(self._dataset, graph)
                for triple in self._parsed(b"\n".join(net.removed)):
                    context.remove(triple)
                self._add(self._dataset, graph, self._parsed(b"\n".join(net.added)))

    def evaluate(self, /, *, deadline: float | None = None) -> Result:  # noqa: ARG002  # as load
        """The whole answer as rdflib's terms, turned into ours when looked at."""
        with _told("answer"):
            answer = self._dataset.query(self._prepared)
            if self._rho.form is QueryForm.ASK:
                return Boolean(bool(answer.askAnswer))
            if self._rho.form is QueryForm.SELECT:
                columns = list(answer.vars or ())
                # Iterating over the answer itself would leave out solutions without any binding.
                rows: list[Any] = [tuple(binding.get(v) for v in columns) for binding in answer.bindings]
                _check(rows)
                return _Rows(tuple(str(v) for v in columns), rows)
            return Triples((answer.graph.serialize(format="nt", encoding="utf-8")) if answer.graph is not None else b"")

    def close(self) -> None:
        """Drop the dataset."""
        from rdflib import Dataset

        self._dataset = Dataset()

    def _parsed(self, lines: bytes) -> list[_Triple]:
        from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

        found: list[_Triple] = []
        W3CNTriplesParser(_Collector(found), bnode_context=self._labels).parsestring(lines)  # type: ignore[arg-type]  # a sink by shape
        return found

    @staticmethod
    def _add(dataset: Dataset, graph: str | None, triples: list[_Triple]) -> None:
        context = _context(dataset, graph)
        context.addN((s, p, o, context) for s, p, o in triples)


_Triple = tuple[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class _Collector:
    """A sink of rdflib's N-Triples parser that keeps triples in a list."""

    found: list[_Triple]

    def triple(self, s: Any, p: Any, o: Any) -> None:
        """Called by the parser."""
        self.found.append((s, p, o))


class _Labels(dict[str, Any]):
    """Blank nodes by label for rdflib's parser: the stream's own label is kept."""

    def get(self, label: str, _default: object = None) -> Any:
        """The blank node of a label."""
        from rdflib import BNode

        return BNode(label)


@dataclass(frozen=True, slots=True)
class _Rows(RowSolutions):
    """rdflib's rows, made ours when looked at."""

    def rows(self) -> list[tuple[Term | None, ...]]:
        """The solutions as terms."""
        return [tuple(None if term is None else _term(term) for term in row) for row in self.solutions]


def _check(rows: list[Any]) -> None:
    from rdflib.term import Identifier

    for row in rows:
        for node in row:
            if node is not None and not isinstance(node, Identifier):
                raise EngineError(f"rdflib gave {node!r}, which is not a term")


def _term(node: Any) -> Term:
    from rdflib import BNode, URIRef

    if isinstance(node, URIRef):
        return IRI(str(node))
    if isinstance(node, BNode):
        return BlankNode(str(node))
    if node.language is not None:
        return Literal(str(node), RDF + "langString", str(node.language))
    return Literal(str(node), XSD + "string" if node.datatype is None else str(node.datatype))


def _context(dataset: Dataset, graph: str | None) -> Any:
    from rdflib import URIRef

    return dataset.default_graph if graph is None else dataset.graph(URIRef(graph))


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except PrspError:
        raise
    except Exception as error:  # rdflib raises whatever its parts raise
        raise EngineError(f"rdflib could not {what}: {type(error).__name__}: {error}") from error
