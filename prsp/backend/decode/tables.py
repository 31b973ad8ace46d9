"""SPARQL 1.1 Query Results TSV and CSV.

CSV loses datatypes, language tags and the difference between an IRI and a string: a value that begins with a scheme and ``//``, or
with ``urn:``, is read as an IRI, ``_:`` as a blank node, the rest as plain strings, and an empty value as unbound.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from prsp.backend.decode.malformed import Malformed, shown, text_of
from prsp.backend.decode.terms import TERM_TEXT, term_of
from prsp.model.result import Row, RowSolutions
from prsp.model.term import IRI, XSD, BlankNode, Literal, Term

_TERM = re.compile(TERM_TEXT)
_SHORT = (
    (re.compile(r"[+-]?[0-9]+"), "integer"),
    (re.compile(r"[+-]?[0-9]*\.[0-9]+"), "decimal"),
    (re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"), "double"),
    (re.compile(r"true|false"), "boolean"),
)
_FIELD = re.compile(r'(?:"((?:[^"]|"")*+)"|([^",\r\n]*+))(,|\r?\n|\Z)')
_LOOKS_LIKE_IRI = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|urn:)[^\s<>\"{}|\\^`]*")


def decode_tsv(payload: bytes) -> RowSolutions:
    """The solutions, every term in full."""
    text = _whole_lines(payload)
    header, *lines = (line.removesuffix("\r").split("\t") for line in text[:-1].split("\n"))
    if header != [""] and not all(name.startswith(("?", "$")) for name in header):
        raise Malformed(f"the first line names no variables: {shown(chr(9).join(header))}")
    names = tuple(name[1:] for name in header if name)
    return RowSolutions(names, [_row(cells, names, _tsv_term, number) for number, cells in enumerate(lines, 1)])


def decode_csv(payload: bytes) -> RowSolutions:
    """The solutions as far as CSV tells them."""
    header, *records = _records(_whole_lines(payload))
    names = tuple(name for name in header if name)
    return RowSolutions(names, [_row(cells, names, _csv_term, number) for number, cells in enumerate(records, 1)])


def _whole_lines(payload: bytes) -> str:
    # One empty line is the header of no variables, so blank is not empty here.
    text = text_of(payload) if payload.strip() else payload.decode()
    if not text.endswith("\n"):
        raise Malformed(f"its last line is cut short: {shown(text.rpartition(chr(10))[2])}" if text else "it is empty")
    return text


def _row(cells: list[str], names: tuple[str, ...], read: Callable[[str], Term | None], number: int) -> Row:
    if len(cells) != max(len(names), 1):
        raise Malformed(f"solution {number} has {len(cells)} values for {len(names)} variables")
    try:
        return tuple(read(cell) for cell in cells[: len(names)])
    except Malformed as error:
        raise Malformed(f"solution {number}: {error}") from error


def _tsv_term(cell: str) -> Term | None:
    if not cell:
        return None
    if _TERM.fullmatch(cell):
        return term_of(cell)
    for pattern, datatype in _SHORT:
        if pattern.fullmatch(cell):
            return Literal(cell, XSD + datatype)
    raise Malformed(f"{shown(cell)} is no RDF 1.1 term")


def _csv_term(cell: str) -> Term | None:
    if not cell:
        return None
    if cell.startswith("_:"):
        return BlankNode(cell[2:])
    return IRI(cell) if _LOOKS_LIKE_IRI.fullmatch(cell) else Literal(cell)


def _records(text: str) -> list[list[str]]:
    records: list[list[str]] = [[]]
    at = 0
    while at < len(text):
        match = _FIELD.match(text, at)
        if match is None:
            raise Malformed(f"line {text.count(chr(10), 0, at) + 1} is no CSV: {shown(text[at:])}")
        records[-1].append(match[2] if match[1] is None else match[1].replace('""', '"'))
        at = match.end()
        if match[3] != ",":
            records.append([])
    return records[:-1]
