"""Requests on kept connections, each within a total time; nothing is followed, guessed or taken from the environment."""

from __future__ import annotations

import base64
import http.client
import io
import select
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from prsp.errors import DeadlineExceeded, EngineError
from prsp_backends.http.settings import Settings

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 1 << 16
_AWAY = {502, 503, 504}
_AT_WORK = 1.0  # who takes longer to say so was there, and gave up on the request: Fuseki's word for a query over its time is 503
_FIRST_PAUSE = 0.1
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. ``framed``: its end was marked, so an empty body is an empty answer and not a lost one."""

    status: int
    kind: str
    body: bytes = field(repr=False)
    framed: bool
    scrub: Callable[[str], str] = field(repr=False)
    location: str | None = None

    def said(self) -> str:
        """The beginning of the body for people, on one line, without credentials."""
        return " ".join(self.scrub(self.body[:_CHUNK].decode("utf-8", "replace")).split())[:_SHOWN]


class Client:
    """One connection per server. Every request it is given can be sent twice without harm, so it is when the server was away."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._secrets = settings.credentials.secrets()
        self._authorization = _authorization(self._secrets)
        self._connections: dict[tuple[str, str], _Connection] = {}

    def send(
        self,
        method: str,
        url: str,
        what: str,
        *,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Reply:
        """The reply, whatever its status, after retries; EngineError or DeadlineExceeded when there is none."""
        limit = time.monotonic() + self._settings.total
        until = limit if deadline is None else min(deadline, limit)
        pause, left = _FIRST_PAUSE, self._settings.retries
        while True:
            started = time.monotonic()
            try:
                reply = self._once(method, url, what, body, {**self._authorization, **(headers or {})}, until)
                if reply.status not in _AWAY or not left or time.monotonic() - started > _AT_WORK:
                    return reply
            except _Away as away:
                if not left:
                    raise EngineError(f"http could not {what}: {self.shown(url)} is away: {away}") from away
            left -= 1
            if time.monotonic() + pause >= until:
                raise DeadlineExceeded(f"http could not {what} in time: {self.shown(url)} is away")
            time.sleep(pause)
            pause *= 2

    def _once(self, method: str, url: str, what: str, body: bytes, headers: Mapping[str, str], until: float) -> Reply:
        parts = urlsplit(url)
        connection = self._connections.setdefault(
            (parts.scheme, parts.netloc), _Connection(parts.scheme, parts.netloc, self._settings, self.scrubbed)
        )
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            return connection.exchange(method, target, body, headers, until, self._settings.max_bytes)
        except TimeoutError as error:
            connection.drop()
            if time.monotonic() >= until:
                raise DeadlineExceeded(f"http could not {what} in time: {self.shown(url)} did not finish") from error
            raise EngineError(f"http could not {what}: {self.shown(url)} gave no sign for too long (options connect, read)") from error
        except _TooLarge as error:
            connection.drop()
            size = self._settings.max_bytes
            raise EngineError(f"http could not {what}: the answer of {self.shown(url)} is over {size} bytes (option max-bytes)") from error
        except _Away:
            connection.drop()
            raise
        except (OSError, http.client.HTTPException, ValueError) as error:
            connection.drop()
            raise EngineError(f"http could not {what}: {self.shown(url)}: {self.scrubbed(_words(error))}") from error
        except BaseException:
            connection.drop()  # interrupted: what is under way on it is nobody's answer
            raise

    def shown(self, url: str) -> str:
        """A URL for people: without its query part, where keys may be."""
        return self.scrubbed(url.partition("?")[0])

    def scrubbed(self, text: str) -> str:
        """A text in which no credential is left."""
        coded = self._authorization.get("Authorization", "").rpartition(" ")[2]
        for secret in (coded, *self._secrets.values()):
            if secret:
                text = text.replace(secret, "***")
        return text

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections.values():
            connection.drop()


class _Away(Exception):
    """The server was not there, or went away before it answered."""


class _TooLarge(Exception):
    """More bytes than are read."""


class _Connection:
    """A kept connection to one server, made when first needed and again when it is stale."""

    def __init__(self, scheme: str, netloc: str, settings: Settings, scrub: Callable[[str], str]) -> None:
        self._secure, self._netloc, self._settings, self._scrub = scheme == "https", netloc, settings, scrub
        self._http: http.client.HTTPConnection | None = None
        self._socket: _TimedSocket | None = None

    def exchange(self, method: str, target: str, body: bytes, headers: Mapping[str, str], until: float, limit: int) -> Reply:
        """One request and its whole reply."""
        kept = self._http is not None
        try:
            response = self._started(method, target, body, headers, until)
        except (ConnectionError, http.client.BadStatusLine) as error:
            self.drop()
            if not kept:
                raise _Away(_words(error)) from error
            # A kept connection the server closed in the meantime says nothing about the server.
            try:
                response = self._started(method, target, body, headers, until)
            except (ConnectionError, http.client.BadStatusLine) as again:
                raise _Away(_words(again)) from again
        return self._finished(response, limit)

    def _started(self, method: str, target: str, body: bytes, headers: Mapping[str, str], until: float) -> http.client.HTTPResponse:
        link, sock = self._open(until)
        sock.until = until
        try:
            link.request(method, target, body or None, {**headers, "Content-Length": str(len(body))})
        except (BrokenPipeError, ConnectionResetError):
            # A server may refuse before it has read everything: what it says is worth more than the broken pipe.
            return link.getresponse()
        return link.getresponse()

    def _finished(self, response: http.client.HTTPResponse, limit: int) -> Reply:
        length = response.length
        chunks, size = [], 0
        while chunk := response.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise _TooLarge
            chunks.append(chunk)
        if length is not None and size < length:
            raise http.client.IncompleteRead(b"", length - size)
        if response.will_close:
            self.drop()
        kind = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        framed = length is not None or response.chunked
        return Reply(response.status, kind, b"".join(chunks), framed, self._scrub, response.getheader("Location"))

    def _open(self, until: float) -> tuple[http.client.HTTPConnection, _TimedSocket]:
        if self._socket is not None and self._socket.has_news():
            self.drop()
        if self._http is not None and self._socket is not None:
            return self._http, self._socket
        link = http.client.HTTPConnection(self._netloc) if not self._secure else http.client.HTTPSConnection(self._netloc)
        patience = min(self._settings.connect, until - time.monotonic())
        if patience <= 0:
            raise TimeoutError
        plain = socket.create_connection((link.host, link.port), patience)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._secure:
            plain = ssl.create_default_context().wrap_socket(plain, server_hostname=link.host)
        self._socket = _TimedSocket(plain, self._settings.read)
        link.sock = self._socket
        self._http = link
        return link, self._socket

    def drop(self) -> None:
        """Close; the next request opens anew."""
        if self._http is not None and self._socket is not None:
            self._http.close()
            self._socket.end()
        self._http = self._socket = None


class _TimedSocket:
    """A socket whose every wait ends at an instant, however slowly the other side drips."""

    def __init__(self, plain: socket.socket, read: float) -> None:
        self._plain, self._read = plain, read
        self.until = 0.0

    def wait(self) -> socket.socket:
        """The socket, with the time left as its patience."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._plain.settimeout(min(self._read, left))
        return self._plain

    def has_news(self) -> bool:
        """Whether there is something to read that nobody asked for: the other side has closed, or said (Oxigraph: 500) that it will."""
        return bool(select.select([self._plain], [], [], 0)[0])

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        view = memoryview(data)
        while view:
            view = view[self.wait().send(view) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        """A reader of what comes in."""
        assert mode == "rb"
        return io.BufferedReader(_Incoming(self), _CHUNK)

    def close(self) -> None:
        """Nothing yet: http.client lets go of the socket of a last answer before that answer is read."""

    def end(self) -> None:
        """Close the socket."""
        self._plain.close()


class _Incoming(io.RawIOBase):
    def __init__(self, sock: _TimedSocket) -> None:
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        return self._sock.wait().recv_into(buffer)


def _authorization(secrets: Mapping[str, str]) -> dict[str, str]:
    if "token" in secrets:
        return {"Authorization": f"Bearer {secrets['token']}"}
    if "user" in secrets:
        pair = f"{secrets['user']}:{secrets['password']}".encode()
        return {"Authorization": "Basic " + base64.b64encode(pair).decode()}
    return {}


def _words(error: BaseException) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "the answer was cut short"
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
