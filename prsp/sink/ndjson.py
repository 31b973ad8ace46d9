"""One line of JSON per evaluation, to a file that can be cut back to a known length, or to standard output."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from prsp.errors import InputError


class NdjsonSink:
    """Writes result lines. ``length`` is how much has been written: a restarted run begins there again."""

    def __init__(self, output: str, *, overwrite: bool = False, resume_at: int | None = None) -> None:
        self._standard = output == "-"
        if self._standard:
            self._file: BinaryIO = sys.stdout.buffer
            self.length = 0
            return
        path = Path(output)
        if path.exists() and not overwrite and resume_at is None:
            raise InputError(f"{output} exists; --overwrite replaces it")
        if resume_at and (not path.exists() or path.stat().st_size < resume_at):
            raise InputError(f"{output} is gone or shorter than the {resume_at} bytes the checkpoint has written to it")
        try:
            self._file = path.open("r+b" if resume_at is not None and path.exists() else "wb")
        except OSError as error:
            raise InputError(f"{output}: {error.strerror}") from error
        self.length = self._file.truncate(resume_at or 0)
        self._file.seek(self.length)

    def write(self, line: dict[str, Any]) -> None:
        """Append one result."""
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"
        self._file.write(data)
        self.length += len(data)

    def flush(self) -> None:
        """Make what was written visible to others, and safe."""
        self._file.flush()
        if not self._standard:
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.flush()
        if not self._standard:
            self._file.close()
            if error is not None and not self.length:
                # A run that failed before its first result leaves no empty file in the way of the next try.
                Path(self._file.name).unlink(missing_ok=True)
