"""Results one after another in a file that can be cut back to a known length, or on standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prsp.errors import InputError
from prsp.model.evaluation import Evaluation
from prsp.sink.retry import persistently
from prsp.sink.sink import Encoder


class FileSink:
    """Appends. ``length`` is how many bytes have been written; ``resume_at`` says to begin again there."""

    def __init__(self, output: str, encoder: Encoder, *, overwrite: bool = False, resume_at: int | None = None) -> None:
        self._output, self._encoder, self._path = output, encoder, Path(output)
        if self._path.exists() and not overwrite and resume_at is None:
            raise InputError(f"{output} exists; --overwrite replaces it")
        if resume_at and (not self._path.exists() or self._path.stat().st_size < resume_at):
            raise InputError(f"{output} is gone or shorter than the {resume_at} bytes the checkpoint has written to it")
        try:
            # Not buffered: after a write that failed it is known how much is there.
            self._file = self._path.open("r+b" if resume_at is not None and self._path.exists() else "wb", buffering=0)
        except OSError as error:
            raise InputError(f"{output}: {error.strerror}") from error
        self.length = self._file.truncate(resume_at or 0)
        self._file.seek(self.length)

    def write(self, evaluation: Evaluation) -> None:
        """Append one result; what of it got through before a failure is not written twice."""
        left = memoryview((b"" if self.length else self._encoder.head()) + self._encoder.body(evaluation))
        size = len(left)

        def step() -> None:
            nonlocal left
            while left:
                left = left[self._file.write(left) :]

        persistently(step, self._output)
        self.length += size

    def flush(self) -> None:
        """Make what was written survive a crash."""
        persistently(lambda: os.fsync(self._file.fileno()), self._output)

    def close(self, *, failed: bool = False) -> None:
        """Close; nothing empty is left by a run that failed before its first result."""
        self._file.close()
        if failed and not self.length:
            self._path.unlink(missing_ok=True)


class StandardSink:
    """Writes to standard output: at once on a terminal, else when the buffer is full."""

    def __init__(self, encoder: Encoder, *, terminal: bool) -> None:
        self._encoder, self._terminal, self.length = encoder, terminal, 0

    def write(self, evaluation: Evaluation) -> None:
        """Print one result."""
        data = (b"" if self.length else self._encoder.head()) + self._encoder.body(evaluation)
        sys.stdout.buffer.write(data)
        self.length += len(data)
        if self._terminal:
            self.flush()

    def flush(self) -> None:
        """Hand over what is buffered."""
        sys.stdout.buffer.flush()

    def close(self, *, failed: bool = False) -> None:  # noqa: ARG002  # what is printed is printed
        """Hand over what is buffered."""
        self.flush()
