"""The process an isolated engine runs in: reads calls from standard input, answers on standard output."""

from __future__ import annotations

import os
import pickle
import resource
import sys
from typing import BinaryIO

from prsp.backend.interface import Backend, DrivesPrograms, Session
from prsp.backend.isolate import LENGTH
from prsp.errors import EngineError, PrspError
from prsp.model.query import Rho
from prsp.model.static import StaticData


def main() -> None:
    """Serve until the other side is gone."""
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What an engine prints must not get between our messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.path[:] = pickle.loads(_read(incoming))
    session: Session | None = None
    programs = False
    while True:
        try:
            what, values = pickle.loads(_read(incoming))
        except EOFError:
            break
        try:
            if what == "prepare":
                session = _prepared(*values)
                programs = isinstance(values[0], DrivesPrograms)
                _write(outgoing, ("ok", None))
            elif what == "memory":
                _write(outgoing, ("ok", _memory(programs=programs)))
            else:
                _write(outgoing, ("ok", getattr(session, what)(*values)))
        except PrspError as error:
            _write(outgoing, ("error", error))
        except Exception as error:  # a backend that lets one through is at fault, and the run is told so
            _write(outgoing, ("error", EngineError(f"{type(error).__name__}: {error}")))
    if session is not None:
        session.close()


def _prepared(backend: Backend, rho: Rho, static: StaticData) -> Session:
    return backend.prepare(rho, static)


def _memory(*, programs: bool) -> int:
    import psutil

    if programs:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return int(psutil.Process().memory_info().rss)


def _read(stream: BinaryIO) -> bytes:
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        raise EOFError
    return stream.read(LENGTH.unpack(header)[0])


def _write(stream: BinaryIO, message: object) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


if __name__ == "__main__":
    main()
