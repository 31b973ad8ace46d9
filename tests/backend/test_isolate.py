"""An engine in a process of its own can hang, crash and print without harm."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import pytest

from prsp.backend import Backend, Session, open_backend, open_feed
from prsp.backend.isolate import IsolatedSession
from prsp.errors import DeadlineExceeded, EngineError
from prsp.model.ability import Ability, Capabilities
from prsp.model.query import Rho
from prsp.model.result import Boolean, Result
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.parse import parse_rho

ASK = parse_rho("ASK { ?s ?p ?o }")
EMPTY = Snapshot(1, 0, (Contribution("s", None, 0, 1, ()),))


@dataclass(frozen=True)
class Misbehaving(Backend):
    """Does on evaluate what it is told to."""

    name: ClassVar[str] = "misbehaving"
    about: ClassVar[str] = "for this test"
    how: str = ""
    capabilities: Capabilities = Capabilities({Ability.DEADLINE: "none"})  # noqa: RUF009  # a value

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        return cls(options["how"])

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        return MisbehavingSession(self.how)


class MisbehavingSession:
    def __init__(self, how: str) -> None:
        self.how = how

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        if self.how == "hangs loading":
            time.sleep(60)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        match self.how:
            case "hangs":
                time.sleep(60)
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "raises":
                raise KeyError("foreign")
            case "prints":
                print("noise on standard output", flush=True)
        return Boolean(True)

    def close(self) -> None: ...


def outcome(how: str, seconds: float | None = None) -> Result:
    feed = open_feed(Misbehaving(how), ASK, NO_STATIC_DATA, isolate=True)
    deadline = None if seconds is None else time.monotonic() + seconds
    try:
        feed.give(EMPTY, deadline=deadline)
        return feed.evaluate(deadline=deadline)
    finally:
        feed.close()


def test_what_it_prints_does_not_get_between() -> None:
    assert outcome("prints") == Boolean(True)


def test_a_foreign_exception_becomes_an_engine_error() -> None:
    with pytest.raises(EngineError, match="KeyError: 'foreign'"):
        outcome("raises")


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(EngineError, match="SIGKILL"):
        outcome("dies")


@pytest.mark.parametrize("how", ["hangs", "hangs loading"])
def test_a_deadline_ends_it(how: str) -> None:
    with pytest.raises(DeadlineExceeded):
        outcome(how, 1.0)


def test_a_window_larger_than_any_pipe_passes() -> None:
    lines = b"".join(b'<urn:s> <urn:p> "%d" .\n' % i for i in range(50_000))
    big = Snapshot(1, 0, (Contribution("s", None, 0, 1, (HeldSlice(((1, lines),)),)),))
    session = IsolatedSession(open_backend("oxigraph", {}), parse_rho("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"), NO_STATIC_DATA)
    session.load(big)
    assert b'"50000"' in session.evaluate().json()  # type: ignore[union-attr]  # a SELECT
    session.close()


def test_the_worker_is_gone_after_close() -> None:
    session = IsolatedSession(open_backend("oxigraph", {}), ASK, NO_STATIC_DATA)
    pid = session._process.pid
    session.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
