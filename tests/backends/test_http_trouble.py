"""The http backend on a server that misbehaves: an error that helps, never an empty result, never a secret, never too late."""

import base64
import json
import pickle
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from prsp.backend import Session, open_backend
from prsp.errors import DeadlineExceeded, EngineError, EnvironmentProblem, InputError
from prsp.model.result import JsonSolutions, Triples
from prsp.model.static import NO_STATIC_DATA
from prsp.parse import parse_rho
from prsp.testing.windows import snapshot_of
from tests.backends.bad_server import EMPTY, JSON, BadServer, Behaviour, answer, bad_server, raw

WINDOW = snapshot_of({None: b'<urn:s> <urn:p> "o" .\n'})
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n"
NT = "application/n-triples"


@pytest.fixture
def server() -> Iterator[BadServer]:
    with bad_server() as there:
        yield there


def ready(server: BadServer, query: str = "SELECT ?g { ?g ?p ?o }", **options: str) -> Session:
    """A session with its window loaded; from now on the server may misbehave."""
    session = open_backend("http", server.options | {"retries": "1"} | options).prepare(parse_rho(query), NO_STATIC_DATA)
    session.load(WINDOW)
    return session


def rows(*cells: object) -> bytes:
    return json.dumps({"head": {"vars": ["g"]}, "results": {"bindings": [{"g": cell} for cell in cells]}}).encode()


SELECT_TROUBLE: dict[str, tuple[Behaviour, str]] = {
    "truncated": (raw(OK + b"Content-Length: 500\r\n\r\n" + EMPTY[:20]), "cut short"),
    "truncated chunks": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n20\r\n" + EMPTY[:20]), "cut short"),
    "chunks without an end": (raw(OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(EMPTY), EMPTY)), "cut short"),
    "truncated, no length": (raw(OK + b"Connection: close\r\n\r\n" + EMPTY[:20]), "not SPARQL JSON results"),
    "html": (answer(200, "text/html", b"<html>log in</html>"), "'text/html'.*log in"),
    "html error": (answer(500, "text/html", b"<html>out of   memory</html>"), "answered 500: <html>out of memory"),
    "empty": (answer(200, JSON, b""), "is empty"),
    "no content": (answer(204, None, b""), "answered 204"),
    "no type": (answer(200, None, EMPTY), "of type ''"),
    "another type": (answer(200, "text/csv", b"g\r\n"), "'text/csv'"),
    "a list": (answer(200, JSON, b"[]"), "not SPARQL JSON results"),
    "no head": (answer(200, JSON, b'{"results":{"bindings":[]}}'), "not SPARQL JSON results"),
    "no results": (answer(200, JSON, b'{"head":{"vars":["g"]}}'), "not SPARQL JSON results"),
    "a boolean": (answer(200, JSON, b'{"head":{},"boolean":true}'), "not SPARQL JSON results"),
    "rows that are no list": (answer(200, JSON, b'{"head":{"vars":["g"]},"results":{"bindings":{}}}'), "no RDF 1.1 term"),
    "a cell of text": (answer(200, JSON, rows("x")), "not SPARQL JSON results"),
    "a cell without value": (answer(200, JSON, rows({"type": "uri"})), "not SPARQL JSON results"),
    "a number as value": (answer(200, JSON, rows({"type": "literal", "value": 1})), "no RDF 1.1 term"),
    "a quoted triple": (answer(200, JSON, rows({"type": "triple", "value": {}})), "no RDF 1.1 term"),
    "a strange variable": (
        answer(200, JSON, b'{"head":{"vars":[]},"results":{"bindings":[{"x":{"type":"uri","value":"u"}}]}}'),
        "no RDF 1.1",
    ),
    "bad utf-8": (answer(200, JSON, EMPTY.replace(b"g", b"\xff")), "not SPARQL JSON results"),
    "deep": (answer(200, JSON, b"[" * 200_000), "not SPARQL JSON results"),
    "redirect": (answer(302, None, b"", Location="http://127.0.0.1:9/"), "redirects to http://127.0.0.1:9/"),
    "redirect nowhere": (answer(301, None, b""), "redirects"),
    "not http": (raw(b"SSH-2.0-OpenSSH\r\n"), "away"),
    "hangs up": (raw(), "away"),
    "away": (answer(503, "text/plain", b"later"), "answered 503: later"),
}


@pytest.mark.parametrize("trouble", SELECT_TROUBLE)
def test_an_answer_that_is_none_is_an_error(server: BadServer, trouble: str) -> None:
    session = ready(server)
    behaviour, said = SELECT_TROUBLE[trouble]
    server.misbehave(behaviour)
    with pytest.raises(EngineError, match=f"(?s)http could not answer.*{said}") as caught:
        session.evaluate()
    assert not isinstance(caught.value, DeadlineExceeded)
    assert len(str(caught.value)) < 600
    session.close()


TRIPLES_TROUBLE: dict[str, tuple[Behaviour, str]] = {
    "html": (answer(200, "text/html", b"<html>"), "'text/html'"),
    "turtle": (answer(200, "text/turtle", b"<urn:s> <urn:p> 1 ."), "'text/turtle'"),
    "turtle in disguise": (answer(200, NT, b"<urn:s> <urn:p> 1 .\n"), "not N-Triples"),
    "half a line": (answer(200, NT, b"<urn:s> <urn:p> <urn:o> .\n<urn:s> <ur"), "not N-Triples"),
    "empty, no length": (raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/n-triples\r\n\r\n"), "is empty"),
    "empty text": (answer(200, "text/plain", b""), "empty and of type 'text/plain'"),
    "no content": (answer(204, None, b""), "answered 204"),
}


@pytest.mark.parametrize("trouble", TRIPLES_TROUBLE)
def test_triples_that_are_none_are_an_error(server: BadServer, trouble: str) -> None:
    session = ready(server, "CONSTRUCT WHERE { ?s ?p ?o }")
    behaviour, said = TRIPLES_TROUBLE[trouble]
    server.misbehave(behaviour)
    with pytest.raises(EngineError, match=said):
        session.evaluate()
    session.close()


def test_triples_are_read(server: BadServer) -> None:
    session = ready(server, "CONSTRUCT WHERE { ?s ?p ?o }")
    body = b'# a comment\n_:a <urn:p> "x \\" > ."@en .\r\n\n<urn:s> <urn:p> "1"^^<urn:t> .'
    server.misbehave(answer(200, NT, body))
    assert session.evaluate() == Triples(b'_:a <urn:p> "x \\" > ."@en .\n<urn:s> <urn:p> "1"^^<urn:t> .\n')
    server.misbehave(answer(200, NT, b""))
    assert session.evaluate() == Triples(b"")
    session.close()


@pytest.mark.parametrize("body", [b"", b"{}", b'{"head":{},"boolean":"true"}', EMPTY, b"true"])
def test_a_truth_value_that_is_none_is_an_error(server: BadServer, body: bytes) -> None:
    session = ready(server, "ASK { ?s ?p ?o }")
    server.misbehave(answer(200, JSON, body))
    with pytest.raises(EngineError):
        session.evaluate()
    session.close()


def test_a_load_that_fails_is_an_error(server: BadServer) -> None:
    for behaviour, said in (
        (answer(507, "text/plain", b"disk full"), "load the window.*answered 507: disk full"),
        (answer(200, "application/json", b'{"count": 0, "tripleCount": 0}'), "1 triples were sent and the endpoint read 0"),
        (answer(302, None, b"", Location="/elsewhere"), "redirects"),
    ):
        session = ready(server)
        server.misbehave(behaviour)
        with pytest.raises(EngineError, match=said):
            session.load(WINDOW)
        session.close()
        server.misbehave()


def test_what_is_away_for_a_while_is_asked_again(server: BadServer) -> None:
    session = ready(server, retries="3")
    good = answer(200, JSON, EMPTY)
    server.misbehave(answer(503, None, b""), answer(502, None, b""), raw(), good)
    assert isinstance(session.evaluate(), JsonSolutions)
    assert [method for method, _, _ in server.requests] == ["POST"] * len(server.requests)
    assert len(server.requests) in {4, 5}  # a kept connection that was closed is no attempt
    session.close()


def test_what_a_server_says_without_being_asked_is_no_answer(server: BadServer) -> None:
    session = ready(server)
    pieces = [OK + b"Content-Length: %d\r\n\r\n%s" % (len(EMPTY), EMPTY), b"HTTP/1.1 500 Idle\r\nContent-Length: 0\r\n\r\n"]
    server.misbehave(raw(*pieces, pause=drip), answer(200, JSON, EMPTY))
    session.evaluate()
    time.sleep(0.3)
    assert isinstance(session.evaluate(), JsonSolutions)
    session.close()


def test_who_takes_a_while_to_be_away_is_not_asked_again(server: BadServer) -> None:
    def slow(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(1.1)
        answer(503, "text/plain", b"out of time")(handler)

    session = ready(server, retries="3")
    server.misbehave(slow)
    with pytest.raises(EngineError, match="answered 503: out of time"):
        session.evaluate()
    assert len(server.requests) == 1
    server.misbehave()
    session.close()


def test_a_failure_of_the_query_is_not_asked_again(server: BadServer) -> None:
    session = ready(server, retries="3")
    server.misbehave(answer(500, None, b""))
    with pytest.raises(EngineError, match="answered 500"):
        session.evaluate()
    assert len(server.requests) == 1
    session.close()


def test_nobody_there_is_told() -> None:
    backend = open_backend("http", {"query": "http://127.0.0.1:9/q", "store": "http://127.0.0.1:9/s", "retries": "1"})
    with pytest.raises(EngineError, match=r"http://127.0.0.1:9/q is away: ConnectionRefusedError"):
        backend.prepare(parse_rho("ASK {}"), NO_STATIC_DATA)


def drip() -> None:
    time.sleep(0.05)


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(*(bytes([b]) for b in OK + b"Content-Length: 5000\r\n\r\n" + EMPTY * 50), pause=drip),
        raw(OK + b"Content-Length: 5000\r\n\r\n", *(b" " for _ in range(500)), pause=drip),
        raw(OK + b"Transfer-Encoding: chunked\r\n\r\n", *(b"1\r\n \r\n" for _ in range(500)), pause=drip),
        raw(OK + b"Connection: close\r\n\r\n", *(b" " for _ in range(500)), pause=drip),
        answer(503, None, b""),
    ],
    ids=["headers", "body", "chunks", "no length", "always away"],
)
def test_a_deadline_holds_however_slowly_the_server_drips(server: BadServer, behaviour: Behaviour) -> None:
    session = ready(server, retries="50")
    server.misbehave(behaviour)
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        session.evaluate(deadline=started + 0.5)
    assert time.monotonic() - started < 2
    server.misbehave()
    session.close()


def test_silence_and_the_total_time_end_a_request_without_a_deadline(server: BadServer) -> None:
    session = ready(server, read="0.3")
    server.misbehave(raw(OK, pause=lambda: time.sleep(1)))
    with pytest.raises(EngineError, match="no sign"):
        session.evaluate()
    session.close()
    server.misbehave()
    session = ready(server, total="0.4")
    server.misbehave(raw(OK, *(b"X: y\r\n" for _ in range(90)), pause=drip))
    with pytest.raises(DeadlineExceeded):
        session.evaluate()
    server.misbehave()
    session.close()


def test_an_answer_over_the_limit_is_refused(server: BadServer) -> None:
    session = ready(server, **{"max-bytes": "1000"})
    server.misbehave(answer(200, JSON, EMPTY + b" " * 2000))
    with pytest.raises(EngineError, match="over 1000 bytes"):
        session.evaluate()
    session.close()


def test_a_window_is_one_request_and_an_answer_another(server: BadServer) -> None:
    session = ready(server)
    server.requests.clear()
    session.load(WINDOW)
    session.evaluate()
    assert [method for method, _, _ in server.requests] == ["PUT", "POST"]
    session.close()


def test_credentials_are_sent_and_never_told(server: BadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_USER", "alice-the-user")
    monkeypatch.setenv("MY_PASSWORD", "s3cret-pass")
    monkeypatch.setenv("MY_TOKEN", "t0ken-of-mine")
    coded = base64.b64encode(b"alice-the-user:s3cret-pass").decode()
    for options, header in (
        ({"user": "MY_USER", "password": "MY_PASSWORD"}, f"Basic {coded}"),
        ({"token": "MY_TOKEN"}, "Bearer t0ken-of-mine"),
    ):
        server.misbehave()
        backend = open_backend("http", server.options | options)
        session = backend.prepare(parse_rho("SELECT ?g { ?g ?p ?o }"), NO_STATIC_DATA)
        assert {authorization for _, _, authorization in server.requests} == {header}
        told = [repr(backend), repr(session), repr(vars(session)), repr(pickle.dumps(backend)), str(backend)]
        echo = f"{header} alice-the-user s3cret-pass t0ken-of-mine".encode()
        for behaviour in (
            answer(401, None, echo),
            answer(200, "text/html", echo),
            answer(200, JSON, echo),
            answer(302, None, b"", Location=header),
        ):
            server.misbehave(behaviour)
            with pytest.raises(EngineError) as caught:
                session.evaluate()
            told += [str(caught.value), repr(caught.value)]
        server.misbehave()
        session.close()
        mine = ["t0ken-of-mine"] if "token" in options else ["alice-the-user", "s3cret-pass", coded]
        assert not [(secret, text) for secret in mine for text in told if secret in text]


def test_a_variable_that_is_not_set_is_named(server: BadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_THING", raising=False)
    backend = open_backend("http", server.options | {"token": "NO_SUCH_THING"})
    with pytest.raises(EnvironmentProblem, match="NO_SUCH_THING is not set"):
        backend.prepare(parse_rho("ASK {}"), NO_STATIC_DATA)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "needs --option query"),
        ({"query": "http://h/q"}, "store=URL"),
        ({"query": "http://h/q", "store": "http://h/s", "mode": "delta"}, "update=URL"),
        ({"query": "ftp://h/q", "store": "http://h/s"}, "http://host/path"),
        ({"query": "http://h:port/q", "store": "http://h/s"}, "not a URL"),
        ({"query": "http://me:hush@h/q", "store": "http://h/s"}, "no user or password in a URL"),
        ({"query": "http://h/q", "store": "http://h/s", "graphs": "knowledge"}, "not an absolute IRI"),
        ({"query": "http://h/q", "store": "http://h/s", "graphs": "default"}, "has no name for the unnamed graph"),
        ({"query": "http://h/q", "store": "http://h/s", "user": "U"}, "belong together"),
        ({"query": "http://h/q", "store": "http://h/s", "user": "U", "password": "P", "token": "T"}, "not both"),
        ({"query": "http://h/q", "store": "http://h/s", "total": "soon"}, "number of seconds"),
        ({"query": "http://h/q", "store": "http://h/s", "retries": "-1"}, "whole number"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        open_backend("http", options)
    assert "hush" not in str(caught.value)


def test_an_endpoint_that_ignores_the_dataset_is_refused(server: BadServer) -> None:
    backend = open_backend("http", server.options | {"mode": "graph"})
    counts = b'{"head":{"vars":["n","m"]},"results":{"bindings":[{"n":{"type":"literal","value":"7"},"m":{"type":"literal","value":"3"}}]}}'
    server.misbehave(answer(200, JSON, EMPTY), *[answer(204, None, b"")] * 3, answer(200, JSON, counts), answer(204, None, b""))
    with pytest.raises(EngineError, match="does not keep to default-graph-uri"):
        backend.prepare(parse_rho("SELECT ?g { ?g ?p ?o }"), NO_STATIC_DATA)
    assert [method for method, _, _ in server.requests] == ["POST", "PUT", "PUT", "PUT", "POST", "DELETE", "DELETE", "DELETE"]
