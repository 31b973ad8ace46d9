"""A server between prsp and an endpoint: it passes everything on, writes it down, and is late when told to."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.servers import Endpoint

_OURS = {"connection", "content-length", "transfer-encoding", "date", "server", "host"}


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    body: bytes


@dataclass
class Recorder:
    """``endpoint`` is the way through it; ``gate`` is what a request to a path in ``late`` waits for before it is passed on."""

    endpoint: Endpoint
    requests: list[Request] = field(default_factory=list)
    late: set[str] = field(default_factory=set)
    gate: threading.Event = field(default_factory=threading.Event)
    passed: threading.Event = field(default_factory=threading.Event)
    """Set when a late request has been answered by the endpoint."""

    def since(self, start: int) -> list[Request]:
        return self.requests[start:]


@contextmanager
def recording(endpoint: Endpoint) -> Iterator[Recorder]:
    there = urlsplit(endpoint.query)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            path = urlsplit(self.path).path
            recorder.requests.append(Request(self.command, self.path, body))
            is_late = path in recorder.late
            if is_late:
                recorder.late.discard(path)  # one at a time: whatever comes next is on time
                recorder.gate.wait(60)
            self._pass_on(body)
            if is_late:
                recorder.passed.set()

        do_PUT = do_DELETE = do_GET = do_POST  # noqa: N815  # the handler's own names

        def _pass_on(self, body: bytes) -> None:
            link = http.client.HTTPConnection(there.netloc, timeout=60)
            try:
                link.request(self.command, self.path, body, {k: v for k, v in self.headers.items() if k.lower() not in _OURS})
                reply = link.getresponse()
                content = reply.read()
                self.send_response(reply.status)
                for name, value in reply.getheaders():
                    if name.lower() not in _OURS:
                        self.send_header(name, value)
                if reply.status != 204:
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # nobody waits for it any more
            finally:
                link.close()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    base, here = f"{there.scheme}://{there.netloc}", f"http://127.0.0.1:{server.server_address[1]}"
    through = replace(endpoint, **{name: getattr(endpoint, name).replace(base, here) for name in ("query", "update", "store")})
    recorder = Recorder(through)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield recorder
    finally:
        recorder.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]
