"""Blank nodes as IRIs and back: neither a delta nor a second graph can address a blank node, so it gets a name where nobody can tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from prsp.model.result import Boolean, JsonSolutions, Result, Triples

PREFIX = "urn:prsp:bnode:"
_MARK = PREFIX.encode()
_SUBJECT = re.compile(rb"^_:(\S+) ", re.MULTILINE)
_OBJECT = re.compile(rb" _:(\S+) \.$", re.MULTILINE)
_NAMED_SUBJECT = re.compile(rb"^<urn:prsp:bnode:([^>]*)>", re.MULTILINE)
_NAMED_OBJECT = re.compile(rb" <urn:prsp:bnode:([^>]*)> \.$", re.MULTILINE)


def named(lines: bytes) -> bytes:
    """Canonical N-Triples lines with an IRI for every blank node."""
    if b"_:" not in lines:
        return lines
    return _OBJECT.sub(rb" <urn:prsp:bnode:\1> .", _SUBJECT.sub(rb"<urn:prsp:bnode:\1> ", lines))


def share(graphs: Iterable[bytes]) -> bool:
    """Whether a blank node is in more than one of several graphs."""
    seen: set[bytes] = set()
    for lines in graphs:
        labels = {*_SUBJECT.findall(lines), *_OBJECT.findall(lines)} if b"_:" in lines else set()
        if not seen.isdisjoint(labels):
            return True
        seen |= labels
    return False


def unnamed(result: Result) -> Result:
    """An answer with its blank nodes back."""
    match result:
        case Triples(payload) if _MARK in payload:
            return Triples(_NAMED_OBJECT.sub(rb" _:\1 .", _NAMED_SUBJECT.sub(rb"_:\1", payload)))
        case JsonSolutions(payload) if _MARK in payload:
            return JsonSolutions(json.dumps(_blank(result.frame()), ensure_ascii=False, separators=(",", ":")).encode())
        case Triples() | JsonSolutions() | Boolean():
            return result
        case _:
            raise TypeError(f"no such result: {type(result).__name__}")


def _blank(document: dict[str, Any]) -> dict[str, Any]:
    rows = [{name: _cell(cell) for name, cell in row.items()} for row in document["results"]["bindings"]]
    return {"head": document["head"], "results": {"bindings": rows}}


def _cell(cell: dict[str, str]) -> dict[str, str]:
    if cell["type"] == "uri" and cell["value"].startswith(PREFIX):
        return {"type": "bnode", "value": cell["value"].removeprefix(PREFIX)}
    return cell
