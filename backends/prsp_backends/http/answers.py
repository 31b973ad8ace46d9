"""Results from replies: whole and well formed, or an error; never an empty result for a lost one."""

from __future__ import annotations

import json
import re
from typing import Any

from prsp.errors import EngineError
from prsp.model.query import QueryForm
from prsp.model.result import Boolean, JsonSolutions, Result, Triples
from prsp_backends.http.connection import Reply

_JSON_KINDS = {"application/sparql-results+json", "application/json"}
_TRIPLES_KINDS = {"application/n-triples", "text/plain"}  # text/plain is what N-Triples were before they had a name
_TERMS = {"uri", "bnode", "literal", "typed-literal"}
_NODE = rb"(?:<[^<>\s]*>|_:[^\s<>\"]+)"
_LITERAL = rb"\"(?:[^\"\\\r\n]|\\.)*\"(?:@[A-Za-z0-9-]+|\^\^<[^<>\s]*>)?"
_TRIPLE = re.compile(rb"[ \t]*" + _NODE + rb"[ \t]*<[^<>\s]*>[ \t]*(?:" + _NODE + rb"|" + _LITERAL + rb")[ \t]*\.[ \t]*(?:#.*)?\r?")


def accepted(form: QueryForm) -> str:
    """The media type a query of that form asks for."""
    return "application/sparql-results+json" if form in {QueryForm.SELECT, QueryForm.ASK} else "application/n-triples"


def read(reply: Reply, form: QueryForm, what: str) -> Result:
    """The result of a query of that form."""
    if form is QueryForm.ASK:
        return read_boolean(reply, what)
    return read_solutions(reply, what) if form is QueryForm.SELECT else read_triples(reply, what)


def read_solutions(reply: Reply, what: str) -> JsonSolutions:
    """Solutions that were read to their end, so that looking at them later cannot fail."""
    _check(reply, _JSON_KINDS, what)
    solutions = JsonSolutions(reply.body)
    try:
        document = solutions.frame()
        names, rows = frozenset(document["head"]["vars"]), document["results"]["bindings"]
        fine = isinstance(rows, list) and all(names.issuperset(row) and all(map(_is_term, row.values())) for row in rows)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _nonsense(reply, what, f"not SPARQL JSON results ({type(error).__name__}: {reply.scrub(str(error))})") from error
    if not fine:
        raise _nonsense(reply, what, "SPARQL JSON results with a cell that is no RDF 1.1 term of a declared variable")
    return solutions


def read_boolean(reply: Reply, what: str) -> Boolean:
    """The answer of an ASK."""
    _check(reply, _JSON_KINDS, what)
    try:
        value = json.loads(reply.body)["boolean"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _nonsense(reply, what, f"not a SPARQL JSON boolean ({type(error).__name__}: {reply.scrub(str(error))})") from error
    if not isinstance(value, bool):
        raise _nonsense(reply, what, "not a SPARQL JSON boolean")
    return Boolean(value)


def read_triples(reply: Reply, what: str) -> Triples:
    """Triples, every line of which is one."""
    if reply.body or not reply.framed or reply.status != 200:
        _check(reply, _TRIPLES_KINDS, what)
    elif reply.kind != "application/n-triples":
        raise _nonsense(reply, what, f"empty and of type '{reply.scrub(reply.kind)}', not application/n-triples")
    lines = [line for line in reply.body.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    if reply.body and not reply.body.endswith(b"\n") and not reply.framed:
        raise _nonsense(reply, what, "N-Triples that end within a line")
    for line in lines:
        if not _TRIPLE.fullmatch(line):
            raise _nonsense(reply, what, f"not N-Triples: {reply.scrub(line.decode('utf-8', 'replace'))[:80]}")
    return Triples(b"".join(line.rstrip() + b"\n" for line in lines))


def _is_term(cell: Any) -> bool:
    return cell["type"] in _TERMS and type(cell["value"]) is str


def _check(reply: Reply, kinds: set[str], what: str) -> None:
    if reply.status != 200:
        raise EngineError(f"http could not {what}: the endpoint answered {reply.status}, which carries no result")
    if not reply.body:
        raise EngineError(f"http could not {what}: the endpoint's answer is empty")
    if reply.kind not in kinds:
        raise _nonsense(reply, what, f"of type '{reply.scrub(reply.kind)}', not {sorted(kinds)[0]}")


def _nonsense(reply: Reply, what: str, why: str) -> EngineError:
    said = reply.said()
    return EngineError(f"http could not {what}: the endpoint's answer is {why}{f': {said}' if said else ''}")
