"""SPARQL 1.1 Query Results JSON, checked to the last term."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from prsp.backend.decode.malformed import Malformed, shown, text_of
from prsp.model.result import Boolean, JsonSolutions

_KINDS = frozenset({"uri", "bnode", "literal", "typed-literal"})
_LITERALS = frozenset({"literal", "typed-literal"})


@dataclass(frozen=True)
class CheckedSolutions(JsonSolutions):
    """Solutions whose JSON was read to check it; it is not read again."""

    document: dict[str, Any] = field(repr=False, compare=False)

    @property
    def _document(self) -> dict[str, Any]:
        return self.document

    def __reduce__(self) -> tuple[type[JsonSolutions], tuple[object, ...]]:
        # What was read is not sent along: the bytes hold it all.
        return JsonSolutions, (self.payload,)


def decode_json(payload: bytes) -> CheckedSolutions | Boolean:
    """The solutions or the truth value."""
    text = text_of(payload)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON, or cut short: {error}; it begins {shown(text)}") from error
    if not isinstance(document, dict) or not isinstance(document.get("head"), dict):
        raise Malformed(f"there is no 'head'; it begins {shown(text)}")
    if "boolean" in document and "results" not in document:
        if not isinstance(document["boolean"], bool):
            raise Malformed(f"'boolean' is {document['boolean']!r}")
        return Boolean(document["boolean"])
    names = document["head"].get("vars", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        raise Malformed(f"'vars' is {names!r}")
    results = document.get("results")
    rows = results.get("bindings") if isinstance(results, dict) else None
    if not isinstance(rows, list):
        raise Malformed("there are no 'results' with 'bindings'")
    _check(rows, frozenset(names))
    return CheckedSolutions(payload.removeprefix(b"\xef\xbb\xbf"), document)


def _check(rows: list[Any], names: frozenset[str]) -> None:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise Malformed(f"solution {number} is {row!r}")
        for name, term in row.items():
            if name not in names:
                raise Malformed(f"solution {number} binds ?{name}, which is not among 'vars'")
            if not _is_term(term):
                raise Malformed(f"solution {number} binds ?{name} to {shown(json.dumps(term))}, which is no RDF 1.1 term")


def _is_term(term: Any) -> bool:
    if not isinstance(term, dict) or term.get("type") not in _KINDS or not isinstance(term.get("value"), str):
        return False
    extra = [term[key] for key in ("datatype", "xml:lang") if key in term]
    return not extra or (term["type"] in _LITERALS and all(isinstance(value, str) for value in extra))
