"""Where a server listens, and starting and stopping one by its own process handle."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

_PATIENCE = 120.0  # a Java server on a busy machine takes tens of seconds


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The three URLs of a SPARQL 1.1 server; ``unnamed`` is its name for the unnamed graph, where it has one."""

    name: str
    query: str
    update: str
    store: str
    unnamed: str | None = None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(command: Callable[[int], list[str]], endpoint: Callable[[int], Endpoint], directory: Path) -> Iterator[Endpoint]:
    """The endpoint of a new server that answers; it is stopped at the end. Its output is in ``directory``."""
    for attempt in range(3):
        port = free_port()
        there, log = endpoint(port), directory / f"server-{attempt}.log"
        with log.open("wb") as output:
            server = subprocess.Popen(command(port), cwd=directory, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        try:
            if _answers(there, server):
                yield there
                return
        finally:
            _stop(server)
    raise AssertionError(f"{there.name} did not start in three attempts:\n{log.read_text(errors='replace')[-2000:]}")


def _answers(endpoint: Endpoint, server: subprocess.Popen[bytes]) -> bool:
    until = time.monotonic() + _PATIENCE
    with requests.Session() as session:
        session.trust_env = False
        while time.monotonic() < until and server.poll() is None:
            try:
                answer = session.post(endpoint.query, data={"query": "ASK {}"}, timeout=5)
            except requests.RequestException:
                time.sleep(0.1)
                continue
            # Another process may have taken the port in the meantime: only ours counts.
            return answer.ok and server.poll() is None
    return False


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
