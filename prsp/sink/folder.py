"""A folder with one file per evaluation, each put in place at once: whoever watches it never sees half a result."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from prsp.errors import InputError
from prsp.model.evaluation import Evaluation
from prsp.sink.retry import persistently
from prsp.sink.sink import Encoder

_OURS = re.compile(r"^[-0-9][0-9]{19}-[0-9]+\.[a-z]+$")


class FolderSink:
    """DIR/<query>/<at, 20 digits>-<seq>.<ext>.

    A negative instant is ``-`` and 19 digits, so every name is as long and sorts before those of other instants. A result's file is
    named by what its id is made from, so writing it again, after a crash, replaces the same file by the same content.
    """

    def __init__(self, output: str, query: str, encoder: Encoder, *, overwrite: bool = False, resume_at: int | None = None) -> None:
        self._encoder = encoder
        self._folder = Path(output) / quote(query, safe="")
        held = [path for path in self._folder.iterdir() if _OURS.match(path.name)] if self._folder.is_dir() else []
        if held and not overwrite and resume_at is None:
            raise InputError(f"{self._folder} has results already; --overwrite replaces them")
        if resume_at and len(held) < resume_at:
            raise InputError(f"{self._folder} holds {len(held)} results, fewer than the {resume_at} the checkpoint has written to it")
        self._made = [path for path in (self._folder, *self._folder.parents) if not path.exists()]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for path in (*(held if resume_at is None else ()), *self._folder.glob(".*.part")):
                path.unlink()
        except OSError as error:
            raise InputError(f"{self._folder}: {error.strerror}") from error
        self.length = resume_at or 0

    def write(self, evaluation: Evaluation) -> None:
        """Put one result in place."""
        name = f"{evaluation.at:020d}-{evaluation.seq}.{self._encoder.extension}"
        data = self._encoder.head() + self._encoder.body(evaluation)
        hidden = self._folder / f".{name}.part"

        def step() -> None:
            with hidden.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            hidden.replace(self._folder / name)

        persistently(step, str(self._folder / name))
        self.length += 1

    def flush(self) -> None:
        """Make the names survive a crash; the contents do already."""
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def close(self, *, failed: bool = False) -> None:
        """Remove the folders made for a run that failed before its first result."""
        if failed and not self.length:
            for path in (*self._folder.glob(".*.part"), *self._made):
                path.rmdir() if path.is_dir() else path.unlink()
