"""RDF and result files of the W3C suite as our own terms; reading is set-up, so that a library may do it."""

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph

from prsp.model.equality import Row, TripleOfTerms
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

_RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
_SRX = "{http://www.w3.org/2005/sparql-results#}"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_FORMATS = {
    ".ttl": pyoxigraph.RdfFormat.TURTLE,
    ".nt": pyoxigraph.RdfFormat.N_TRIPLES,
    ".rdf": pyoxigraph.RdfFormat.RDF_XML,
}
_NUMBER = re.compile(r"[+-]?[0-9]+|(?P<decimal>[+-]?[0-9]*\.[0-9]+)|(?P<double>[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+)")
_TSV = re.compile(r'"(?P<text>.*)"(?:\^\^<(?P<datatype>[^>]*)>|@(?P<language>.*))?')


@dataclass(frozen=True)
class Table:
    """The expected rows of a SELECT; ``ordered`` when the test fixes their order, ``lossy`` when only their texts are known."""

    variables: tuple[str, ...]
    rows: tuple[Row, ...]
    ordered: bool = False
    lossy: bool = False


Expected = Table | bool | frozenset[TripleOfTerms]


def ntriples(path: Path, base: str) -> bytes:
    """A data file as N-Triples, with blank nodes that no other file has; language tags come in lower case."""
    parsed = pyoxigraph.parse(path.read_bytes(), format=_FORMATS[path.suffix], base_iri=base, rename_blank_nodes=True)
    return pyoxigraph.serialize((quad.triple for quad in parsed), format=pyoxigraph.RdfFormat.N_TRIPLES) or b""


def expected(path: Path, base: str) -> Expected:
    """What a result file says."""
    match path.suffix:
        case ".srx":
            return _xml(path)
        case ".srj":
            return _json(path)
        case ".csv":
            header, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline=""))
            return Table(tuple(header), tuple(tuple(map(_csv_cell, row)) for row in rows), lossy=True)
        case ".tsv":
            header, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
            return Table(tuple(name[1:] for name in header), tuple(tuple(map(_tsv_cell, row)) for row in rows))
    triples = _triples(path, base)
    if any(p.value == _RS + "boolean" for _, p, _ in triples if isinstance(p, IRI)):
        return next(str(o) for _, p, o in triples if p == IRI(_RS + "boolean")).startswith('"true"')
    if any(o == IRI(_RS + "ResultSet") for _, _, o in triples):
        return _result_set(triples)
    return frozenset(triples)


def _triples(path: Path, base: str) -> list[TripleOfTerms]:
    found = pyoxigraph.parse(path.read_bytes(), format=_FORMATS[path.suffix], base_iri=base)
    return [(_term(quad.subject), _term(quad.predicate), _term(quad.object)) for quad in found]


def _term(term: object) -> Term:
    if isinstance(term, pyoxigraph.NamedNode):
        return IRI(term.value)
    if isinstance(term, pyoxigraph.BlankNode):
        return BlankNode(term.value)
    assert isinstance(term, pyoxigraph.Literal)
    return Literal(term.value, term.datatype.value, term.language)


def _result_set(triples: Iterable[TripleOfTerms]) -> Table:
    """The vocabulary of SPARQL 1.0's tests: rs:ResultSet, rs:solution, rs:binding, and rs:index where order matters."""
    about: dict[Term, dict[str, list[Term]]] = {}
    for s, p, o in triples:
        assert isinstance(p, IRI)
        about.setdefault(s, {}).setdefault(p.value.removeprefix(_RS), []).append(o)
    (root,) = (facts for facts in about.values() if IRI(_RS + "ResultSet") in facts.get(RDF + "type", []))
    names = tuple(sorted(name.lexical for name in root.get("resultVariable", []) if isinstance(name, Literal)))
    rows: list[tuple[int, Row]] = []
    for solution in root.get("solution", []):
        bound: dict[str, Term] = {}
        for binding in about.get(solution, {}).get("binding", []):
            (name,) = about[binding]["variable"]
            assert isinstance(name, Literal)
            (bound[name.lexical],) = about[binding]["value"]
        index = about.get(solution, {}).get("index", [Literal("0")])[0]
        assert isinstance(index, Literal)
        rows.append((int(index.lexical), tuple(bound.get(name) for name in names)))
    ordered = any(number for number, _ in rows)
    return Table(names, tuple(row for _, row in sorted(rows, key=lambda pair: pair[0])), ordered)


def _xml(path: Path) -> Table | bool:
    root = ElementTree.fromstring(path.read_bytes())
    answer = root.find(f"{_SRX}boolean")
    if answer is not None:
        return (answer.text or "").strip() == "true"
    names = tuple(variable.attrib["name"] for variable in root.iter(f"{_SRX}variable"))
    rows: list[Row] = []
    for result in root.iter(f"{_SRX}result"):
        bound = {binding.attrib["name"]: _xml_term(binding[0]) for binding in result}
        rows.append(tuple(bound.get(name) for name in names))
    return Table(names, tuple(rows))


def _xml_term(element: ElementTree.Element) -> Term:
    text = element.text or ""
    if element.tag == f"{_SRX}uri":
        return IRI(text.strip())
    if element.tag == f"{_SRX}bnode":
        return BlankNode(text.strip())
    return _literal(text, element.get("datatype"), element.get(_LANG))


def _json(path: Path) -> Table | bool:
    document = json.loads(path.read_bytes())
    if "boolean" in document:
        return bool(document["boolean"])
    names = tuple(document["head"]["vars"])
    rows = [tuple(_json_term(row[name]) if name in row else None for name in names) for row in document["results"]["bindings"]]
    return Table(names, tuple(rows))


def _json_term(cell: dict[str, str]) -> Term:
    if cell["type"] == "uri":
        return IRI(cell["value"])
    if cell["type"] == "bnode":
        return BlankNode(cell["value"])
    return _literal(cell["value"], cell.get("datatype"), cell.get("xml:lang"))


def _csv_cell(text: str) -> Term:
    return BlankNode(text[2:]) if text.startswith("_:") else Literal(text)


def _tsv_cell(text: str) -> Term | None:
    if not text:
        return None
    if text.startswith("<"):
        return IRI(text[1:-1])
    if text.startswith("_:"):
        return BlankNode(text[2:])
    number = _NUMBER.fullmatch(text)
    if number:
        return Literal(text, XSD + ("double" if number["double"] else "decimal" if number["decimal"] else "integer"))
    match = _TSV.fullmatch(text)
    assert match is not None, f"not a TSV cell: {text}"
    return _literal(match["text"], match["datatype"], match["language"])


def _literal(text: str, datatype: str | None, language: str | None) -> Literal:
    return Literal(text, RDF + "langString", language) if language else Literal(text, datatype or XSD + "string")
