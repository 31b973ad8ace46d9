"""One session at a time in a dataset that is replaced: a lock on this machine, which the kernel takes back when its holder dies."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from pathlib import Path

from prsp.errors import EngineError


class Lock:
    """The right to replace what an endpoint holds: a locked file in the temporary folder, gone when nobody has it."""

    def __init__(self, url: str) -> None:
        self._url = url.partition("?")[0]
        key = hashlib.sha256(self._url.encode()).hexdigest()[:16]
        self.path = Path(tempfile.gettempdir()) / f"prsp-replace-{os.getuid()}-{key}.lock"
        self._file: int | None = None

    def take(self) -> None:
        """EngineError when another session, of this process or another, has it."""
        while self._file is None:
            file = self._locked()
            if self._is_there(file):
                self._file = file
            else:
                os.close(file)  # its holder took the file away between our opening and our locking it

    def release(self) -> None:
        """Let others have it."""
        if self._file is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def _locked(self) -> int:
        try:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise EngineError(f"mode=replace needs the lock file {self.path}: {error}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise EngineError(
                f"mode=replace has the dataset for itself, and another session is using {self._url}: two would replace each other's "
                "windows; --option mode=graph has room for several"
            ) from None
        return file

    def _is_there(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False
