"""A query reaches nothing outside: neither a server nor a file that the user has not mapped is ever touched, on any engine."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from prsp.backend import backend_names
from tests.cli.run import prsp

OPTIONS = {
    "http": ["--option", "query=http://127.0.0.1:9/query", "--option", "store=http://127.0.0.1:9/store"],
    "command": ["--option", "engine=roqet"],
}
"""What an engine has to be told; nothing listens at that endpoint, and nothing has to."""


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    """A server's address, and the requests it has had."""
    touched: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            touched.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<urn:x> <urn:y> <urn:z> .\n")

        do_POST = do_HEAD = do_GET  # noqa: N815  # the handler's own names

        def log_message(self, *_arguments: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", touched
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("backend", backend_names())
def test_what_would_reach_outside_is_refused_before_anything_runs(backend: str, outside: tuple[str, list[str]], tmp_path: Path) -> None:
    server, touched = outside
    secret = tmp_path / "secret.nt"
    secret.write_text('<urn:s> <urn:p> "never read" .\n', encoding="utf-8")
    stream = tmp_path / "stream.nts"
    stream.write_text("<urn:a> <urn:b> <urn:c> .\t1\n", encoding="utf-8")
    texts = {
        f"SERVICE <{server}/sparql>": ("", f"SERVICE <{server}/sparql> {{ ?s ?p ?o }}"),
        "SERVICE SILENT in a subquery": ("", f"{{ SELECT * {{ SERVICE SILENT <{server}/x> {{ ?s ?p ?o }} }} }}"),
        f"FROM <{server}/g.nt>": (f"FROM <{server}/g.nt>", "?s ?p ?o"),
        "FROM NAMED": (f"FROM NAMED <{server}/g.nt>", f"GRAPH <{server}/g.nt> {{ ?s ?p ?o }}"),
        "FROM <file:>": (f"FROM <{secret.as_uri()}>", "?s ?p ?o"),
    }
    for number, (dataset, pattern) in enumerate(texts.values()):
        query = tmp_path / f"{number}.rq"
        query.write_text(f"REGISTER QUERY q AS SELECT * FROM STREAM <urn:s> [RANGE 1s] {dataset} WHERE {{ {pattern} }}", encoding="utf-8")
        done = prsp("run", str(query), "--stream", str(stream), "--backend", backend, *OPTIONS.get(backend, []))
        assert done.returncode == 2, done.stderr
        assert "nothing is fetched" in done.stderr or "SERVICE" in done.stderr
        assert "never read" not in done.stdout + done.stderr
    assert touched == []
