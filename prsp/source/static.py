"""Static graphs from local files, as canonical N-Triples lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyoxigraph as ox

from prsp.errors import InputError

_FORMATS = {
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".ttl": ox.RdfFormat.TURTLE,
    ".n3": ox.RdfFormat.TURTLE,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
}


def read_static(location: str, graph: str, scope: str) -> bytes:
    """The triples of a file, each once, with blank node labels prefixed by ``scope``; the graph's IRI is the base of relative ones."""
    path = Path(location)
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix not in _FORMATS:
        raise InputError(f"--graph {graph}={location}: the format is told by the extension: {', '.join(_FORMATS)}, each also with .gz")
    try:
        data = gzip.decompress(path.read_bytes()) if path.name.endswith(".gz") else path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"--graph {graph}={location}: no such file") from None
    except OSError as error:
        raise InputError(f"--graph {graph}={location}: {error.strerror or error}") from error
    try:
        triples = {f"{_scoped(q.triple, scope)} .\n" for q in ox.parse(data, _FORMATS[suffix], base_iri=graph)}
    except SyntaxError as error:
        raise InputError(f"{location}, line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{location}: {error}") from None
    return "".join(sorted(triples)).encode()


def _scoped(triple: ox.Triple, scope: str) -> ox.Triple:
    subject, target = triple.subject, triple.object
    if isinstance(subject, ox.BlankNode):
        subject = ox.BlankNode(scope + subject.value)
    if isinstance(target, ox.BlankNode):
        target = ox.BlankNode(scope + target.value)
    return ox.Triple(subject, triple.predicate, target)
