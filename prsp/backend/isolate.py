"""An engine in a process of its own: it can hang, crash or eat memory without taking the run with it.

Messages are pickled values over the worker's standard input and output, each with its length before it.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

from prsp.backend.interface import Backend
from prsp.errors import DeadlineExceeded, EngineError
from prsp.model.delta import Delta
from prsp.model.query import Rho
from prsp.model.result import Changes, Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData

LENGTH = struct.Struct(">Q")
_START_SECONDS = 60.0
_CHUNK = 1 << 16


class IsolatedSession:
    """A session whose engine lives in a worker process. A deadline that passes ends the worker."""

    def __init__(self, backend: Backend, rho: Rho, static: StaticData) -> None:
        self._name = backend.name
        self._process = subprocess.Popen(
            [sys.executable, "-m", "prsp.backend.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        try:
            self._send(sys.path)
            self._ask(time.monotonic() + _START_SECONDS, "prepare", backend, rho, static)
        except BaseException:
            # Nobody else knows of the worker yet.
            self.close()
            raise

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Hand the window over and wait until it is loaded."""
        self._ask(deadline, "load", snapshot.in_memory())

    def apply(self, delta: Delta, /, *, deadline: float | None = None) -> None:
        """Hand the change over, net and raw, and wait until it is applied."""
        self._ask(deadline, "apply", delta.in_memory())

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """The whole answer, as the worker gave it."""
        return cast("Result", self._ask(deadline, "evaluate"))

    def changes(self, /, *, deadline: float | None = None) -> Changes:
        """The change of the answer, as the worker gave it."""
        return cast("Changes", self._ask(deadline, "changes"))

    def memory(self) -> int:
        """Bytes the worker holds now; for an engine that is a program of its own, the most that one of its runs held so far."""
        return cast("int", self._ask(None, "memory"))

    def close(self) -> None:
        """End the worker."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._end()

    def _end(self) -> None:
        # Its own session: what it started ends with it.
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _ask(self, deadline: float | None, what: str, *values: object) -> object:
        self._send((what, values), deadline)
        outcome, value = pickle.loads(self._receive(LENGTH.unpack(self._receive(LENGTH.size, deadline))[0], deadline))
        if outcome == "error":
            raise value
        return value

    def _send(self, message: object, deadline: float | None = None) -> None:
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        view = memoryview(LENGTH.pack(len(data)) + data)
        pipe = self._process.stdin
        assert pipe is not None

        def step() -> bool:
            nonlocal view
            view = view[os.write(pipe.fileno(), view[:_CHUNK]) :]
            return not view

        self._until(pipe.fileno(), selectors.EVENT_WRITE, step, deadline)

    def _receive(self, size: int, deadline: float | None) -> bytes:
        pipe = self._process.stdout
        assert pipe is not None
        data = bytearray()

        def step() -> bool:
            chunk = os.read(pipe.fileno(), min(size - len(data), 1 << 20))
            if not chunk:
                raise BrokenPipeError
            data.extend(chunk)
            return len(data) >= size

        self._until(pipe.fileno(), selectors.EVENT_READ, step, deadline)
        return bytes(data)

    def _until(self, descriptor: int, event: int, step: Callable[[], bool], deadline: float | None) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, event)
            while True:
                left = None if deadline is None else deadline - time.monotonic()
                if (left is not None and left <= 0) or not selector.select(left):
                    self._end()
                    raise DeadlineExceeded(f"{self._name} did not finish before its deadline; its process was ended")
                try:
                    if step():
                        return
                except (BrokenPipeError, ConnectionResetError):
                    self._end()
                    raise EngineError(f"{self._name}'s process ended by itself ({_how(self._process.returncode)})") from None


def _how(code: Any) -> str:
    return f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
