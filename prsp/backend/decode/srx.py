"""SPARQL Query Results XML. A document type declaration is refused: no entity is ever expanded."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from prsp.backend.decode.malformed import Malformed, shown, text_of
from prsp.model.result import Boolean, RowSolutions
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

_NAMESPACE = "{http://www.w3.org/2005/sparql-results#}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
# The prolog as the XML recommendation has it: a declaration, comments and instructions, then perhaps a document type.
_DOCTYPE = re.compile(r"\s*+(?:(?><\?.*?\?>|<!--.*?-->)\s*+)*+<!DOCTYPE", re.DOTALL)


def decode_xml(payload: bytes) -> RowSolutions | Boolean:
    """The solutions or the truth value."""
    text = text_of(payload)
    if _DOCTYPE.match(text):
        raise Malformed("it has a document type declaration, which no result needs")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise Malformed(f"not XML, or cut short: {error}; it begins {shown(text)}") from error
    head = root.find(f"{_NAMESPACE}head")
    if root.tag != f"{_NAMESPACE}sparql" or head is None:
        raise Malformed(f"the root is {root.tag}, not SPARQL results with a 'head'")
    boolean, results = root.find(f"{_NAMESPACE}boolean"), root.find(f"{_NAMESPACE}results")
    if boolean is not None and results is None:
        return _boolean(boolean.text or "")
    if results is None:
        raise Malformed("there are neither 'results' nor a 'boolean'")
    names = tuple(variable.get("name", "") for variable in head.findall(f"{_NAMESPACE}variable"))
    return RowSolutions(names, [_row(result, names, number) for number, result in enumerate(results, 1)])


def _boolean(text: str) -> Boolean:
    if text.strip() not in {"true", "false"}:
        raise Malformed(f"'boolean' is {text!r}")
    return Boolean(text.strip() == "true")


def _row(result: ET.Element, names: tuple[str, ...], number: int) -> tuple[Term | None, ...]:
    terms: dict[str, Term] = {}
    for binding in result:
        name = binding.get("name", "")
        if name not in names or name in terms or len(binding) != 1:
            raise Malformed(f"solution {number} binds ?{name}, which is not among the variables, twice, or to nothing")
        # Not in the recommendation; rasqal says so in place of leaving the binding out.
        if binding[0].tag != f"{_NAMESPACE}unbound":
            terms[name] = _term(binding[0], f"solution {number}, ?{name}")
    return tuple(terms.get(name) for name in names)


def _term(element: ET.Element, place: str) -> Term:
    text = element.text or ""
    match element.tag.removeprefix(_NAMESPACE):
        case "uri":
            return IRI(text)
        case "bnode":
            return BlankNode(text)
        case "literal":
            language = element.get(_LANGUAGE)
            if language is not None:
                return Literal(text, RDF + "langString", language)
            return Literal(text, element.get("datatype", XSD + "string"))
        case tag:
            raise Malformed(f"{place}: '{tag}' is no RDF 1.1 term")
