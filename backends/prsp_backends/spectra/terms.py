"""Terms of rdflib's algebra as our nodes and tokens."""

from __future__ import annotations

import pyoxigraph as ox
from rdflib import Literal as RdfLiteral
from rdflib import URIRef

from prsp_backends.spectra.node import LANG_STRING, LITERAL, STRING, Node, literal, read_node


def token_of(term: URIRef | RdfLiteral) -> bytes:
    """Canonical N-Triples of a constant in the query."""
    if isinstance(term, URIRef):
        return f"<{term}>".encode()
    return node_of(term).token()


def node_of(term: URIRef | RdfLiteral) -> Node:
    """The node of a constant in the query."""
    if isinstance(term, URIRef):
        return read_node(f"<{term}>".encode())
    if term.language:
        return Node(LITERAL, str(term), LANG_STRING, str(ox.Literal("", language=str(term.language)).language))
    return literal(str(term), str(term.datatype) if term.datatype else STRING)
