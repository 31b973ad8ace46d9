"""One session at a time in a dataset that is replaced: a lock on this machine, which the kernel takes back when its holder dies."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from pathlib import Path

from prsp.errors import EngineError


class Lock:
    """The right to replace what an endpoint holds."""

    def __init__(self, url: str) -> None:
        self._url = url.partition("?")[0]
        self._file: int | None = None

    def take(self) -> None:
        """EngineError when another session, of this process or another, has it."""
        key = hashlib.sha256(self._url.encode()).hexdigest()[:16]
        path = Path(tempfile.gettempdir()) / f"prsp-replace-{os.getuid()}-{key}.lock"
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise EngineError(f"mode=replace needs the lock file {path}: {error}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise EngineError(
                f"mode=replace has the dataset for itself, and another session is using {self._url}: two would replace each other's "
                "windows; --option mode=graph has room for several"
            ) from None
        self._file = file

    def release(self) -> None:
        """Let others have it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
