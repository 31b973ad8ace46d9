"""What the user names as a source, resolved to files with a format."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from prsp.errors import InputError

GENERATED_AT = "http://www.w3.org/ns/prov#generatedAtTime"
DEFAULT_LINE_LIMIT = 16 * 2**20


class StreamFormat(StrEnum):
    """How elements are written."""

    NTS = "nts"
    """One element a line: an N-Triples triple, a TAB, milliseconds."""
    CSV = "csv"
    """``subject,predicate,object,timestamp``, the terms as in N-Triples."""
    TRIG = "trig"
    """Each named graph is one element; its time stands in the default graph."""
    NQUADS = "nq"
    """As TriG, in N-Quads."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a stream."""

    path: str
    size: int
    format: StreamFormat
    compressed: bool


@dataclass(frozen=True, slots=True)
class StreamSource:
    """Where a stream comes from: a file, a glob or a directory, and how to read it."""

    iri: str
    location: str
    format: StreamFormat | None = None
    time_predicate: str = GENERATED_AT
    line_limit: int = DEFAULT_LINE_LIMIT


def resolve(source: StreamSource) -> list[SourceFile]:
    """The files of a bounded source, ordered by name."""
    path = Path(source.location)
    if path.is_dir():
        names = sorted(str(p) for p in path.iterdir() if is_input(p))
        if not names:
            raise InputError(f"stream {source.iri}: the directory {source.location} has no files to read")
    elif path.exists():
        names = [source.location]
    else:
        names = sorted(glob.glob(source.location, recursive=True))  # noqa: PTH207  # takes absolute and relative patterns alike
        if not names:
            raise InputError(f"stream {source.iri}: no such file: {source.location}")
    return [describe(source, name) for name in names]


def is_input(path: Path) -> bool:
    """Whether a directory's entry is meant to be read: hidden files and those that begin with _ are not."""
    return path.is_file() and path.name[0] not in "._"


def describe(source: StreamSource, name: str) -> SourceFile:
    """A file with its format, from what the user said or from its extension."""
    compressed = name.endswith(".gz")
    extension = name.removesuffix(".gz").rpartition(".")[2].lower()
    try:
        kind = source.format or StreamFormat(extension)
    except ValueError:
        known = ", ".join(f".{f}" for f in StreamFormat)
        raise InputError(
            f"stream {source.iri}: {name} has none of the extensions {known} (each also with .gz); say the format with --stream-format"
        ) from None
    return SourceFile(name, Path(name).stat().st_size, kind, compressed)
