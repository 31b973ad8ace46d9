"""Results: an engine's whole answer as a value, decoded only when somebody looks."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

if TYPE_CHECKING:
    import pyarrow as pa

Row = tuple[Term | None, ...]
"""One solution: a term per variable, None where it is unbound."""


class Solutions(ABC):
    """A bag of solutions. ``rows`` decodes; the other forms are derived from it unless the engine has them cheaper."""

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The projected variables, in order."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """The solutions as terms, in the engine's order."""

    def json(self) -> bytes:
        """The answer as SPARQL 1.1 JSON results."""
        return json.dumps(self.frame(), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        names = self.variables
        bindings = [{name: encode_term(term) for name, term in zip(names, row, strict=True) if term is not None} for row in self.rows()]
        return {"head": {"vars": list(names)}, "results": {"bindings": bindings}}

    def arrow(self) -> pa.Table:
        """A column of N-Triples terms per variable, null where unbound."""
        import pyarrow as pa

        rows = self.rows()
        columns = [pa.array([None if row[i] is None else str(row[i]) for row in rows], pa.string()) for i in range(len(self.variables))]
        return pa.Table.from_arrays(columns, names=list(self.variables))

    def __len__(self) -> int:
        return len(self.rows())


@dataclass(frozen=True)
class JsonSolutions(Solutions):
    """Solutions an engine gave as SPARQL 1.1 JSON bytes; read when first looked at."""

    payload: bytes = field(repr=False)

    @cached_property
    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.payload)
        return document

    @property
    def variables(self) -> tuple[str, ...]:
        """The projected variables, in order."""
        return tuple(self._document["head"].get("vars", ()))

    def rows(self) -> list[Row]:
        """The solutions as terms."""
        names = self.variables
        return [tuple(decode_term(row[name]) if name in row else None for name in names) for row in self._document["results"]["bindings"]]

    def json(self) -> bytes:
        """The engine's own bytes."""
        return self.payload

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        return {"head": {"vars": list(self.variables)}, "results": {"bindings": self._document["results"]["bindings"]}}

    def __len__(self) -> int:
        return len(self._document["results"]["bindings"])


@dataclass(frozen=True, slots=True)
class RowSolutions(Solutions):
    """Solutions an engine gave as terms."""

    names: tuple[str, ...]
    solutions: list[Row] = field(repr=False)

    @property
    def variables(self) -> tuple[str, ...]:
        """The projected variables, in order."""
        return self.names

    def rows(self) -> list[Row]:
        """The solutions as terms."""
        return self.solutions


@dataclass(frozen=True, slots=True)
class Boolean:
    """The answer of an ASK."""

    value: bool

    def json(self) -> bytes:
        """The answer as SPARQL 1.1 JSON results."""
        return b'{"head":{},"boolean":%s}' % (b"true" if self.value else b"false")

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        return {"boolean": self.value}


@dataclass(frozen=True, slots=True)
class Triples:
    """The answer of a CONSTRUCT or DESCRIBE, as N-Triples."""

    payload: bytes = field(repr=False)

    def lines(self) -> list[str]:
        """Each triple once, as an N-Triples line, sorted."""
        return sorted({line for line in self.payload.decode().split("\n") if line})

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        return {"triples": self.lines()}

    def arrow(self) -> pa.Table:
        """One column of N-Triples lines."""
        import pyarrow as pa

        return pa.table({"triple": pa.array(self.lines(), pa.string())})


Result = Solutions | Boolean | Triples


@dataclass(frozen=True, slots=True)
class Changes:
    """How an answer changed since it was last looked at: the rows that came and the rows that went, both as bags."""

    added: Result
    removed: Result


def encode_term(term: Term) -> dict[str, str]:
    """A term as SPARQL 1.1 JSON."""
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(label):
            return {"type": "bnode", "value": label}
        case Literal(lexical, _, str(language)):
            return {"type": "literal", "value": lexical, "xml:lang": language}
        case Literal(lexical, datatype):
            return {"type": "literal", "value": lexical} | ({} if datatype == XSD + "string" else {"datatype": datatype})


def decode_term(binding: dict[str, str]) -> Term:
    """A term from SPARQL 1.1 JSON."""
    match binding["type"]:
        case "uri":
            return IRI(binding["value"])
        case "bnode":
            return BlankNode(binding["value"])
        case "literal" | "typed-literal":
            language = binding.get("xml:lang")
            if language is not None:
                return Literal(binding["value"], RDF + "langString", language)
            return Literal(binding["value"], binding.get("datatype", XSD + "string"))
        case kind:
            raise ValueError(f"a term of type '{kind}' is not RDF 1.1")


def solutions(names: Iterable[str], rows: Iterable[Row]) -> RowSolutions:
    """A bag of solutions from terms."""
    return RowSolutions(tuple(names), list(rows))
