"""RDF terms, and the variables that stand for them in a query."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

_MUST_ESCAPE = re.compile(r'[\\"\n\r]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}


@dataclass(frozen=True, slots=True)
class IRI:
    """An IRI, absolute unless it came from a text without a base."""

    value: str

    def __str__(self) -> str:
        return f"<{self.value}>"


@dataclass(frozen=True, slots=True)
class BlankNode:
    """A blank node; its label means something only inside one document, stream or query."""

    label: str
    at: int = field(default=-1, compare=False, repr=False)
    """Where the query text mentions it, as a character offset; -1 elsewhere."""

    def __str__(self) -> str:
        return f"_:{self.label}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal: lexical form, datatype, and a language tag when the datatype is rdf:langString."""

    lexical: str
    datatype: str = XSD + "string"
    language: str | None = None

    def __str__(self) -> str:
        quoted = '"' + _MUST_ESCAPE.sub(lambda m: _ESCAPES[m.group()], self.lexical) + '"'
        if self.language is not None:
            return f"{quoted}@{self.language}"
        return quoted if self.datatype == XSD + "string" else f"{quoted}^^<{self.datatype}>"


@dataclass(frozen=True, slots=True)
class Variable:
    """A query variable, named without its ``?`` or ``$``."""

    name: str
    at: int = field(default=-1, compare=False, repr=False)
    """Where the query text mentions it, as a character offset; -1 elsewhere."""

    def __str__(self) -> str:
        return f"?{self.name}"


Term = IRI | BlankNode | Literal
