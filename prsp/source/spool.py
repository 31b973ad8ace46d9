"""Standard input as a source: written to a file first, because executors cannot read it."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from pathlib import Path

from prsp.source.files import StreamFormat


def spooled(location: str, form: StreamFormat | None) -> tuple[str, StreamFormat | None]:
    """Where to read a source from, and its format: the place itself, or a copy of standard input for ``-``."""
    if location != "-":
        return location, form
    folder = tempfile.mkdtemp(prefix="prsp-stdin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    kind = form or StreamFormat.NTS
    path = Path(folder) / f"stdin.{kind}"
    with path.open("wb") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
    return str(path), kind
