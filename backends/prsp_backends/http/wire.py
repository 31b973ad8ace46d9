"""SPARQL 1.1 Protocol and Graph Store Protocol: one function per request we send."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from prsp.errors import EngineError
from prsp_backends.http.answers import read_boolean, read_solutions
from prsp_backends.http.connection import Client, Reply
from prsp_backends.http.settings import Settings

JSON = "application/sparql-results+json"
N_TRIPLES = "application/n-triples"
# In SPARQL \\u0041 may be read as an escaped codepoint after a backslash; with the u itself escaped every reader agrees.
_SLASHED_U = re.compile(rb"\\(.)([uU])?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The dataset of a query by protocol parameters; with no default graph the endpoint's own dataset is asked."""

    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


OWN = Dataset()


class Wire:
    """The requests of one session."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._client = Client(settings)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask_raw(self, form: bytes, accept: str, what: str, deadline: float | None = None) -> Reply:
        """The reply to a query that was made a form before (``query_form``)."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": accept}
        url = self._settings.query
        return self._good(self._client.send("POST", url, what, body=form, headers=headers, deadline=deadline), url, what)

    def select(self, text: str, what: str, dataset: Dataset = OWN) -> list[dict[str, str]]:
        """The solutions of a query of ours, as plain values by variable."""
        solutions = read_solutions(self.ask_raw(query_form(text, dataset), JSON, what), what)
        return [{name: cell["value"] for name, cell in row.items()} for row in solutions.frame()["results"]["bindings"]]

    def ask(self, text: str, what: str, dataset: Dataset = OWN) -> bool:
        """The answer to an ASK of ours."""
        return read_boolean(self.ask_raw(query_form(text, dataset), JSON, what), what).value

    def put(self, graph: str | None, lines: bytes, what: str, deadline: float | None = None) -> None:
        """Make a graph hold exactly these N-Triples; None is the unnamed graph."""
        if self._settings.store is None:
            clear = "CLEAR SILENT DEFAULT" if graph is None else f"CLEAR SILENT GRAPH <{graph}>"
            self.update([clear.encode(), insert(graph, [lines])], what, deadline)
            return
        url = self._in_store(graph)
        reply = self._client.send("PUT", url, what, body=lines, headers={"Content-Type": N_TRIPLES}, deadline=deadline)
        _count(self._good(reply, url, what), lines, what)

    def drop(self, graph: str | None, what: str, deadline: float | None = None) -> None:
        """Remove a graph, whether it is there or not."""
        if self._settings.store is None:
            self.update([b"DROP SILENT DEFAULT" if graph is None else f"DROP SILENT GRAPH <{graph}>".encode()], what, deadline)
            return
        url = self._in_store(graph)
        reply = self._client.send("DELETE", url, what, deadline=deadline)
        if reply.status != 404:
            self._good(reply, url, what)

    def update(self, operations: Iterable[bytes], what: str, deadline: float | None = None) -> None:
        """Run update operations in one request."""
        url = self._settings.update
        assert url is not None
        headers = {"Content-Type": "application/sparql-update"}
        self._good(self._client.send("POST", url, what, body=b" ;\n".join(operations), headers=headers, deadline=deadline), url, what)

    def _in_store(self, graph: str | None) -> str:
        store = self._settings.store
        assert store is not None
        return store + ("&" if "?" in store else "?") + ("default" if graph is None else f"graph={quote(graph, safe='')}")

    def _good(self, reply: Reply, url: str, what: str) -> Reply:
        if 200 <= reply.status < 300:
            return reply
        where = self._client.shown(url)
        if 300 <= reply.status < 400:
            target = self._client.shown(reply.location or "?")
            raise EngineError(f"http could not {what}: {where} redirects to {target}; redirects are not followed: give the final URL")
        said = reply.said()
        hint = "; check the options user, password, token" if reply.status in {401, 403} else ""
        raise EngineError(f"http could not {what}: {where} answered {reply.status}{hint}{f': {said}' if said else ''}")


def query_form(text: str, dataset: Dataset) -> bytes:
    """A query and its dataset as the body of a POST."""
    fields = [("query", text), *(("default-graph-uri", g) for g in dataset.default), *(("named-graph-uri", g) for g in dataset.named)]
    return urlencode(fields).encode()


def insert(graph: str | None, lines: Iterable[bytes]) -> bytes:
    """INSERT DATA of N-Triples lines."""
    return _data(b"INSERT", graph, lines)


def delete(graph: str | None, lines: Iterable[bytes]) -> bytes:
    """DELETE DATA of N-Triples lines, which hold no blank node."""
    return _data(b"DELETE", graph, lines)


def _data(verb: bytes, graph: str | None, lines: Iterable[bytes]) -> bytes:
    text = b"\n".join(lines)
    if b"\\\\u" in text or b"\\\\U" in text:
        text = _SLASHED_U.sub(_escape_u, text)
    block = b"{\n%s\n}" % text
    return b"%s DATA %s" % (verb, block if graph is None else b"{ GRAPH <%s> %s }" % (graph.encode(), block))


def _escape_u(match: re.Match[bytes]) -> bytes:
    if match[1] != b"\\":
        return match[0]
    return rb"\\" + {b"u": rb"\u0075", b"U": rb"\u0055", None: b""}[match[2]]


def _count(reply: Reply, lines: bytes, what: str) -> None:
    # Some servers (Fuseki) say how many triples they read: the one check of a load that costs no request.
    if reply.kind != "application/json":
        return
    try:
        told = json.loads(reply.body).get("tripleCount")
    except (ValueError, AttributeError):
        return
    sent = lines.count(b"\n")
    if isinstance(told, int) and told != sent:
        raise EngineError(f"http could not {what}: {sent} triples were sent and the endpoint read {told}")
