"""What RDF-3X and gStore print for people: read strictly, so that what they leave ambiguous is an error and never a wrong term."""

from __future__ import annotations

import re

from prsp.backend.decode.malformed import Malformed, shown, text_of
from prsp.backend.decode.tables import decode_tsv
from prsp.backend.decode.terms import IRI_TEXT
from prsp.model.result import Row, RowSolutions
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

_RDF3X_NONE = "<empty result>"
_GSTORE_NONE = "[empty result]"
# rdf3xquery does not escape: a literal with a quotation mark or a line feed in it cannot be told from two values.
_RDF3X_TERM = rf'{IRI_TEXT}|"[^"\n]*"(?:@[A-Za-z0-9-]+|\^\^{IRI_TEXT})?|NULL'
_PARTS = re.compile(r'"(?P<lexical>[^"]*)"(?:@(?P<language>.+)|\^\^<(?P<datatype>.*)>)?')


def decode_rdf3x(payload: bytes, *, names: tuple[str, ...]) -> RowSolutions:
    """The solutions of rdf3xquery: a row a line, terms separated by one blank, ``<empty result>`` for none."""
    text = text_of(payload)
    if not text.endswith("\n"):
        raise Malformed("its last line is cut short")
    if text.strip() == _RDF3X_NONE:
        return RowSolutions(names, [])
    pattern = re.compile(" ".join([f"({_RDF3X_TERM})"] * len(names)))
    return RowSolutions(names, [_rdf3x_row(line, pattern, number) for number, line in enumerate(text[:-1].split("\n"), 1)])


def _rdf3x_row(line: str, pattern: re.Pattern[str], number: int) -> Row:
    match = pattern.fullmatch(line)
    if match is None:
        raise Malformed(f"line {number} is not {pattern.groups} terms: {shown(line)}")
    return tuple(_rdf3x_term(text) for text in match.groups())


def _rdf3x_term(text: str) -> Term | None:
    if text == "NULL":
        return None
    if text.startswith("<"):
        return BlankNode(text[3:-1]) if text.startswith("<_:") else IRI(text[1:-1])
    match = _PARTS.fullmatch(text)
    assert match is not None
    if match["language"] is not None:
        return Literal(match["lexical"], RDF + "langString", match["language"])
    return Literal(match["lexical"], match["datatype"] or XSD + "string")


def decode_gstore(payload: bytes, *, names: tuple[str, ...]) -> RowSolutions:
    """The solutions of gquery: variables and terms separated by tabulators, ``[empty result]`` for none."""
    if text_of(payload).strip() == _GSTORE_NONE:
        return RowSolutions(names, [])
    return decode_tsv(payload)
