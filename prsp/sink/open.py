"""Opens the sink an output's name asks for."""

from __future__ import annotations

import sys
from pathlib import Path

from prsp.model.query import ContinuousQuery
from prsp.sink.file import FileSink, StandardSink
from prsp.sink.folder import FolderSink
from prsp.sink.formats import Format, encoder_of
from prsp.sink.sink import Sink


def is_folder(output: str) -> bool:
    """Whether an output is one file per evaluation: its name ends in a slash, or it is a folder."""
    return output.endswith("/") or Path(output).is_dir()


def open_sink(output: str, form: Format, query: ContinuousQuery, *, overwrite: bool = False, resume_at: int | None = None) -> Sink:
    """``-`` is standard output, ``DIR/`` a folder, everything else a file; what exists is refused unless it may be replaced or resumed."""
    terminal = output == "-" and sys.stdout.isatty()
    encoder = encoder_of(form, query.form, query.variables, terminal=terminal)
    if output == "-":
        return StandardSink(encoder, terminal=terminal)
    if is_folder(output):
        return FolderSink(output, query.registration.name, encoder, overwrite=overwrite, resume_at=resume_at)
    return FileSink(output, encoder, overwrite=overwrite, resume_at=resume_at)
