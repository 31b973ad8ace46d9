"""SPARQL 1.1 Protocol and Graph Store Protocol: one function per request we send."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
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
        self.hangs = False
        """Whether the last request had no reply."""
        self.unsure = False
        """Whether that was an update, which the endpoint may still be at work on."""

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask_raw(self, form: bytes, accept: str, what: str, deadline: float | None = None) -> Reply:
        """The reply to a query that was made a form before (``query_form``)."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": accept}
        url = self._settings.query
        return self._good(self._send("POST", url, what, form, headers, deadline), url, what)

    def select(self, text: str, what: str, dataset: Dataset = OWN, deadline: float | None = None) -> list[dict[str, str]]:
        """The solutions of a query of ours, as plain values by variable."""
        solutions = read_solutions(self.ask_raw(query_form(text, dataset), JSON, what, deadline), what)
        return [{name: cell["value"] for name, cell in row.items()} for row in solutions.frame()["results"]["bindings"]]

    def ask(self, text: str, what: str, dataset: Dataset = OWN, deadline: float | None = None) -> bool:
        """The answer to an ASK of ours."""
        return read_boolean(self.ask_raw(query_form(text, dataset), JSON, what, deadline), what).value

    def holds(self, graph: str, what: str, deadline: float | None = None) -> bool:
        """Whether there is a triple in a named graph."""
        return self.ask(f"ASK {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}", what, deadline=deadline)

    def put(self, graph: str | None, lines: bytes, what: str, deadline: float | None = None) -> None:
        """Make a graph hold exactly these N-Triples; None is the unnamed graph."""
        if self._settings.store is None:
            self.put_together({graph: lines}, what, deadline)
            return
        url = self._in_store(graph)
        reply = self._send("PUT", url, what, lines, {"Content-Type": N_TRIPLES}, deadline)
        _count(self._good(reply, url, what), lines, what)

    def put_together(self, graphs: Mapping[str | None, bytes], what: str, deadline: float | None = None) -> None:
        """Make graphs hold exactly these N-Triples by one update: a blank node that is in several of them stays one."""
        if self._settings.update is None:
            raise EngineError(
                f"http could not {what}: a blank node is in several of its graphs, and a graph store takes one graph at a time; "
                "give --option update=URL"
            )
        self.update([*map(_clear, graphs), insert_together(graphs)], what, deadline)

    def drop(self, graph: str | None, what: str, deadline: float | None = None) -> None:
        """Remove a graph, whether it is there or not."""
        if self._settings.store is None:
            self.update([b"DROP SILENT DEFAULT" if graph is None else f"DROP SILENT GRAPH <{graph}>".encode()], what, deadline)
            return
        url = self._in_store(graph)
        reply = self._send("DELETE", url, what, deadline=deadline)
        if reply.status != 404:
            self._good(reply, url, what)

    def update(self, operations: Iterable[bytes], what: str, deadline: float | None = None) -> None:
        """Run update operations in one request."""
        url = self._settings.update
        assert url is not None
        self.unsure = True
        reply = self._send("POST", url, what, b" ;\n".join(operations), {"Content-Type": "application/sparql-update"}, deadline)
        self.unsure = False
        self._good(reply, url, what)

    def _send(
        self, method: str, url: str, what: str, body: bytes = b"", headers: Mapping[str, str] | None = None, deadline: float | None = None
    ) -> Reply:
        self.hangs = True
        reply = self._client.send(method, url, what, body=body, headers=headers, deadline=deadline)
        self.hangs = False
        return reply

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
    return _data(b"INSERT", [_block(graph, lines)])


def insert_together(graphs: Mapping[str | None, bytes]) -> bytes:
    """One INSERT DATA into several graphs, the same blank nodes in all of them."""
    return _data(b"INSERT", [_block(graph, [lines]) for graph, lines in graphs.items()])


def delete(graph: str | None, lines: Iterable[bytes]) -> bytes:
    """DELETE DATA of N-Triples lines, which hold no blank node."""
    return _data(b"DELETE", [_block(graph, lines)])


def _clear(graph: str | None) -> bytes:
    return b"CLEAR SILENT DEFAULT" if graph is None else f"CLEAR SILENT GRAPH <{graph}>".encode()


def _data(verb: bytes, blocks: Iterable[bytes]) -> bytes:
    return b"%s DATA {\n%s\n}" % (verb, b"\n".join(blocks))


def _block(graph: str | None, lines: Iterable[bytes]) -> bytes:
    text = b"\n".join(lines)
    if b"\\\\u" in text or b"\\\\U" in text:
        text = _SLASHED_U.sub(_escape_u, text)
    return text if graph is None else b"GRAPH <%s> {\n%s\n}" % (graph.encode(), text)


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
