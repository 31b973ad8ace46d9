"""Terms as N-Triples, TSV and their relatives write them."""

from __future__ import annotations

import re

from prsp.backend.decode.malformed import Malformed, shown
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

IRI_TEXT = r"<[^\x00-\x20<>\"{}|^`]*>"
BLANK_TEXT = r"_:[^\s<>\"]*[^\s<>\".]"
LITERAL_TEXT = rf'"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{IRI_TEXT})?'
TERM_TEXT = f"{IRI_TEXT}|{BLANK_TEXT}|{LITERAL_TEXT}"

_LITERAL = re.compile(r'"(?P<lexical>.*)"(?:@(?P<language>[^"]+)|\^\^<(?P<datatype>[^">]*)>)?', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.)|\Z)", re.DOTALL)
_CHARACTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def term_of(text: str) -> Term:
    """The term a text of one of the patterns above is; Malformed for an escape that means nothing."""
    if text.startswith("<"):
        return IRI(unescaped(text[1:-1]))
    if text.startswith("_:"):
        return BlankNode(text[2:])
    match = _LITERAL.fullmatch(text)
    if match is None:
        raise Malformed(f"{shown(text)} is no RDF 1.1 term")
    lexical = unescaped(match["lexical"])
    if match["language"] is not None:
        return Literal(lexical, RDF + "langString", match["language"])
    return Literal(lexical, XSD + "string" if match["datatype"] is None else unescaped(match["datatype"]))


def unescaped(text: str) -> str:
    """The text with its escapes replaced."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        if match[3] not in _CHARACTERS:
            raise Malformed(f"there is no escape {shown(match[0])}")
        return _CHARACTERS[match[3]]
    number = int(code, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise Malformed(f"{match[0]} is no character")
    return chr(number)
