"""TriG and N-Quads: each named graph is one element, and its time is a triple about it in the default graph."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pyoxigraph as ox

from prsp.source.batch import Batch, Reject, from_elements

LARGEST_FILE = 256 * 2**20
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?[0-9]+")


def read_graphs(data: bytes, *, trig: bool, offset: int, time_predicate: str) -> Batch:
    """The graph events of a whole file, in the order their graphs first appear."""
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    graphs: dict[ox.NamedNode | ox.BlankNode, list[str]] = {}
    times: dict[ox.NamedNode | ox.BlankNode, dict[int | str, None]] = {}
    quads, rejects = _trig(data) if trig else _n_quads(data)
    for quad in quads:
        if not isinstance(quad.graph_name, ox.DefaultGraph):
            graphs.setdefault(quad.graph_name, []).append(f"{quad.triple} .\n")
        elif quad.predicate.value == time_predicate and isinstance(quad.subject, ox.NamedNode | ox.BlankNode):
            times.setdefault(quad.subject, {})[_time(quad.object)] = None
    elements: list[tuple[bytes, int, int, int]] = []
    for number, (name, triples) in enumerate(graphs.items()):
        found = list(times.get(name, ()))
        if len(found) != 1 or isinstance(found[0], str):
            reason = found[0] if len(found) == 1 else f"{len(found)} times, not one"
            rejects.append(Reject(1, f"graph {name}: {reason}", ""))
            continue
        unique = dict.fromkeys(triples)
        elements.append(("".join(unique).encode(), found[0], offset + number, len(unique)))
    return from_elements(elements, lines, rejects)


def _trig(data: bytes) -> tuple[list[ox.Quad], list[Reject]]:
    """A whole file or nothing: after an error nobody can tell where a graph begins or whether one is complete."""
    try:
        return list(ox.parse(data, ox.RdfFormat.TRIG)), []
    except SyntaxError as error:
        return [], [Reject(error.lineno or 1, f"the file is not TriG, and none of it is read: {error.msg}", "")]


def _n_quads(data: bytes) -> tuple[list[ox.Quad], list[Reject]]:
    """Line by line where the file as a whole does not parse."""
    try:
        return list(ox.parse(data, ox.RdfFormat.N_QUADS)), []
    except SyntaxError:
        quads: list[ox.Quad] = []
        rejects: list[Reject] = []
        for number, line in enumerate(data.split(b"\n"), 1):
            try:
                quads += ox.parse(line, ox.RdfFormat.N_QUADS)
            except SyntaxError as error:
                rejects.append(Reject(number, f"not N-Quads: {error.msg}", line[:500].decode("utf-8", "replace")))
        return quads, rejects


def _time(term: object) -> int | str:
    """Milliseconds of an integer or an xsd:dateTime."""
    if not isinstance(term, ox.Literal):
        return f"its time {term} is not a literal"
    if term.datatype.value == _XSD + "dateTime":
        try:
            moment = datetime.fromisoformat(term.value) if _DATE_TIME.fullmatch(term.value) else None
        except ValueError:
            moment = None
        if moment is None:
            return f"its time {term.value!r} is not an xsd:dateTime"
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return round((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
    if _INTEGER.fullmatch(term.value) and -(2**63) <= int(term.value) < 2**63:
        return int(term.value)
    return f"its time {term.value!r} is neither integer milliseconds nor an xsd:dateTime"
