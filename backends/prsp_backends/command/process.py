"""Runs one command to its end: in a process group of its own, all output read, nothing left running."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from prsp.errors import DeadlineExceeded, EngineError

_CHUNK = 1 << 18
_MESSAGES = 1 << 16
_WAIT = 0.05


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended by itself: its exit code (negative: the signal), its output, and the beginning of its messages."""

    code: int
    output: bytes
    messages: bytes


def run(
    command: Sequence[str],
    *,
    engine: str,
    directory: Path,
    environment: Mapping[str, str],
    stdin: Path | None,
    deadline: float | None,
    limit: int,
) -> Finished:
    """How the command ended. When it passes its deadline or writes more than ``limit`` bytes, its whole group is ended instead."""
    try:
        with (stdin or Path(os.devnull)).open("rb") as given:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=dict(environment),
                start_new_session=True,
                bufsize=0,
            )
    except (OSError, ValueError) as error:
        raise EngineError(f"{engine}: {command[0]} cannot be started: {error}") from error
    try:
        output, messages = _Reading(process, engine, deadline, limit).to_the_end()
    finally:
        _end(process)
    return Finished(process.returncode, output, messages)


class _Reading:
    """Both outputs of a running command, read side by side so that neither can block it."""

    def __init__(self, process: subprocess.Popen[bytes], engine: str, deadline: float | None, limit: int) -> None:
        self._process, self._engine, self._deadline, self._limit = process, engine, deadline, limit
        self._output, self._messages = bytearray(), bytearray()

    def to_the_end(self) -> tuple[bytes, bytes]:
        """Everything it wrote until it exited. What its children still hold open is not waited for."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ, self._output)
            selector.register(self._process.stderr, selectors.EVENT_READ, self._messages)
            while selector.get_map():
                over = _has_exited(self._process.pid)
                events = selector.select(0 if over else self._wait(_WAIT))
                if over and not events:
                    break
                for key, _ in events:
                    if not self._take(key.fd, key.data):
                        selector.unregister(key.fileobj)
        pause = 0.0005
        while not _has_exited(self._process.pid):
            time.sleep(self._wait(pause))
            pause = min(pause * 2, _WAIT)
        return bytes(self._output), bytes(self._messages)

    def _take(self, descriptor: int, into: bytearray) -> bool:
        chunk = os.read(descriptor, _CHUNK)
        if into is self._messages:
            # Read on, so that the command is not blocked; keep what a person would read.
            into += chunk[: max(0, _MESSAGES - len(into))]
        else:
            into += chunk
            if len(into) > self._limit:
                raise too_large(self._engine, self._limit)
        self._wait(0)
        return bool(chunk)

    def _wait(self, longest: float) -> float:
        if self._deadline is None:
            return longest
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise DeadlineExceeded(f"{self._engine} did not finish before its deadline; its processes were ended")
        return min(longest, left)


def too_large(engine: str, limit: int) -> EngineError:
    """The error for an answer that is larger than allowed."""
    return EngineError(f"{engine}'s answer is larger than {limit >> 20} MiB; --option limit=MIB allows more")


def _has_exited(pid: int) -> bool:
    # Not reaped: as long as its number is taken, the group's is too, and no stranger can be killed.
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
