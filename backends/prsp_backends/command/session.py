"""One query on one command-line engine: a private directory with the query, the window and the engine's database."""

from __future__ import annotations

import re
import secrets
import shutil
import signal
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from prsp.backend.decode import decode
from prsp.errors import EngineError, PrspError
from prsp.model.query import Rho
from prsp.model.result import Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp_backends.command.data import NoNamedGraphs, write_dataset
from prsp_backends.command.description import Description, Directory
from prsp_backends.command.placeholders import filled, mentions
from prsp_backends.command.process import Finished, run, too_large
from prsp_backends.command.programs import environment

BASE = "http://base.invalid/"
"""What relative names are relative to; the domain is reserved, so it can be nobody's."""
_LINES_SHOWN = 8


class CommandSession:
    """Files in a directory only this user can enter; it goes away with the session."""

    def __init__(
        self, description: Description, rho: Rho, static: StaticData, *, program: Path | None, args: Sequence[str], limit: int
    ) -> None:
        self._description, self._rho, self._static, self._args, self._limit = description, rho, static, args, limit
        self._answer = description.results.get(rho.form)
        if self._answer is None:
            raise EngineError(f"{description.name}: its description names no result format for {rho.form.upper()} queries")
        with self._told("prepare"):
            self._private = Path(tempfile.mkdtemp(prefix="prsp-"))
            self._remove = weakref.finalize(self, shutil.rmtree, self._private, ignore_errors=True)
            (self._private / "query.rq").write_text(rho.text, encoding="utf-8")
        self._directory = program if program is not None and description.directory is Directory.PROGRAM else self._private
        self._database = ""

    def load(self, snapshot: Snapshot, /, *, deadline: float | None = None) -> None:
        """Write the window; where the engine builds a database, build a new one."""
        with self._told("load the window"):
            self._drop(deadline)
            (self._private / "store").mkdir()
            write_dataset(self._data, self._description.data, snapshot, self._static)
            self._database = f"prsp_{secrets.token_hex(8)}"
        if self._description.load:
            self._check(self._run(self._description.load, deadline), (0,), "load the window", chatter=True)

    def evaluate(self, /, *, deadline: float | None = None) -> Result:
        """Run the query and read its answer."""
        assert self._answer is not None
        to_file = mentions(self._description.query, "output")
        with self._told("answer"):
            self._output.unlink(missing_ok=True)
        finished = self._run(self._description.query, deadline, args=self._args)
        self._check(finished, self._answer.exit, "answer", chatter=to_file)
        payload = self._written() if to_file else finished.output
        try:
            return decode(payload, self._answer.format, self._rho, engine=self._description.name)
        except EngineError as error:
            said = _first_lines(finished.messages)
            raise EngineError(f"{error}\n{said}" if said else str(error)) from error

    def close(self) -> None:
        """Drop the engine's database and remove the directory."""
        with suppress(PrspError, OSError):
            self._drop(None)
        self._remove()

    @property
    def _data(self) -> Path:
        return self._private / f"data.{self._description.data}"

    @property
    def _output(self) -> Path:
        return self._private / "answer"

    def _drop(self, deadline: float | None) -> None:
        if self._database and self._description.clean:
            self._check(self._run(self._description.clean, deadline), (0,), "drop its database", chatter=True)
        self._database = ""
        if (self._private / "store").exists():
            shutil.rmtree(self._private / "store")

    def _written(self) -> bytes:
        with self._told("answer"):
            if not self._output.is_file():
                raise EngineError(f"{self._description.name} wrote no answer")
            if self._output.stat().st_size > self._limit:
                raise too_large(self._description.name, self._limit)
            return self._output.read_bytes()

    def _run(self, command: Sequence[str], deadline: float | None, args: Sequence[str] = ()) -> Finished:
        assert self._answer is not None
        values = {
            "data": str(self._data),
            "query": str(self._private / "query.rq"),
            "text": self._rho.text,
            "output": str(self._output),
            "database": str(self._private / "store" / "database"),
            "name": self._database,
            "results": self._answer.word,
            "base": BASE,
        }
        return run(
            filled(command, values, args),
            engine=self._description.name,
            directory=self._directory,
            environment=environment(self._description, self._private),
            stdin=self._private / "query.rq" if self._description.stdin == "query" and command is self._description.query else None,
            deadline=deadline,
            limit=self._limit,
        )

    def _check(self, finished: Finished, codes: tuple[int, ...], what: str, *, chatter: bool) -> None:
        """EngineError in the engine's own words. With ``chatter`` its standard output is messages too, not the answer."""
        said = finished.messages + (b"\n" + finished.output if chatter else b"")
        how = None if finished.code in codes else _ending(finished.code)
        complaint = next((m for e in self._description.errors if (m := re.search(e, said.decode("utf-8", "replace"), re.MULTILINE))), None)
        if how is None and complaint is None:
            return
        # The words of a failure may be on standard output, where otherwise the answer is.
        words = _first_lines(said) or _first_lines(finished.output)
        ending = f" ({how})" if how else ""
        raise EngineError(f"{self._description.name} could not {what}{ending}" + (f":\n{words}" if words else ", and said nothing"))

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except (OSError, NoNamedGraphs) as error:
            raise EngineError(f"{self._description.name} could not {what}: {error}") from error


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    return f"ended by {signal.Signals(-code).name}" if -code in {*signal.Signals} else f"ended by signal {-code}"


def _first_lines(messages: bytes) -> str:
    lines = [line.rstrip() for line in messages.decode("utf-8", "replace").splitlines() if line.strip()]
    return "\n".join(f"  {line[:300]}" for line in lines[:_LINES_SHOWN]) + ("\n  …" if len(lines) > _LINES_SHOWN else "")
