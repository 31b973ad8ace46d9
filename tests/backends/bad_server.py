"""An HTTP server that answers as a SPARQL endpoint with nothing in it, until it is told to misbehave."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EMPTY = b'{"head":{"vars":["g"]},"results":{"bindings":[]}}'
JSON = "application/sparql-results+json"

Behaviour = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class BadServer:
    """Behaviours are used up one per request, the last one for ever."""

    url: str
    behaviours: list[Behaviour] = field(default_factory=list)
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    """Method, path and authorization of each request."""

    @property
    def options(self) -> dict[str, str]:
        return {"query": f"{self.url}/query", "store": f"{self.url}/store", "mode": "replace"}

    def misbehave(self, *behaviours: Behaviour) -> None:
        self.behaviours[:] = behaviours
        self.requests.clear()


def answer(status: int, kind: str | None, body: bytes, **headers: str) -> Behaviour:
    """A complete answer with its length."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        if kind is not None:
            handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def raw(*pieces: bytes, pause: Callable[[], None] = lambda: None) -> Behaviour:
    """Bytes as they are, with a pause before each piece, then the connection is closed."""

    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        for piece in pieces:
            pause()
            handler.wfile.write(piece)
            handler.wfile.flush()

    return behave


@contextmanager
def bad_server() -> Iterator[BadServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self._reply(answer(200, JSON, EMPTY))

        def do_PUT(self) -> None:
            self._reply(answer(204, None, b""))

        do_DELETE = do_PUT  # noqa: N815  # the name is the server's

        def _reply(self, usual: Behaviour) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            there.requests.append((self.command, self.path, self.headers["Authorization"]))
            behave = usual
            if there.behaviours:
                behave = there.behaviours[0] if len(there.behaviours) == 1 else there.behaviours.pop(0)
            try:
                behave(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client had enough, as it should

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    there = BadServer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield there
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
