"""Reads a part of a file as batches of elements: plain text by byte ranges, compressed text and other formats whole."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, cast

from prsp.errors import InputError
from prsp.source.batch import Batch, Reject, from_elements
from prsp.source.files import SourceFile, StreamFormat, StreamSource
from prsp.source.graphs import LARGEST_FILE, read_graphs
from prsp.source.lines import read_lines
from prsp.source.table import read_table

SPLIT_BYTES = 16 * 2**20
FILE_SHIFT = 38
"""Arrival numbers are the file's number in the upper bits and the byte where the element begins in the lower ones."""


@dataclass(frozen=True, slots=True)
class Split:
    """A piece of one file for one reader; ``number`` is the file's place in the order of arrival."""

    file: SourceFile
    number: int
    start: int
    end: int


def splits_of(files: list[SourceFile], first_number: int = 0, split_bytes: int = SPLIT_BYTES) -> list[Split]:
    """The pieces of some files in the order of arrival; only plain text is cut into several."""
    splits: list[Split] = []
    for number, file in enumerate(files, first_number):
        if file.format is StreamFormat.NTS and not file.compressed:
            cuts = [*range(0, file.size, split_bytes), file.size]
            splits += [Split(file, number, start, end) for start, end in pairwise(cuts)]
        elif file.size:
            splits.append(Split(file, number, 0, file.size))
    return splits


def read_split(split: Split, source: StreamSource) -> Iterator[Batch]:
    """The elements that begin in a split, in batches; InputError for a file that cannot be read."""
    path = split.file.path
    base = split.number << FILE_SHIFT
    try:
        if split.file.format is StreamFormat.NTS:
            yield from _text(split, base, source.line_limit)
        elif split.file.format is StreamFormat.CSV:
            with _open(split.file) as stream:
                yield from read_table(stream, offset=base, line_limit=source.line_limit)
        else:
            yield _whole(split, base, source)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"stream {source.iri}: {path}: {getattr(error, 'strerror', None) or error}") from error


def _text(split: Split, base: int, line_limit: int) -> Iterator[Batch]:
    with _open(split.file) as stream:
        position = _first_line(stream, split.start)
        for at, lines in _whole_lines(stream, position, None if split.file.compressed else split.end, line_limit):
            if lines is None:
                yield from_elements([], 1, [Reject(1, f"longer than {line_limit} bytes", "")])
            else:
                yield read_lines(lines, offset=base + at, line_limit=line_limit)


def _whole_lines(stream: BinaryIO, position: int, end: int | None, line_limit: int) -> Iterator[tuple[int, bytes | None]]:
    """Blocks of whole lines that begin before ``end``, each with its position; None for a line that is too long to hold."""
    tail = b""
    while True:
        wanted = SPLIT_BYTES if end is None else min(SPLIT_BYTES, end - position - len(tail))
        block = stream.read(wanted) if wanted > 0 else b""
        data = tail + block
        if not block:
            data += stream.readline(line_limit + 1) if data else b""
            if len(data) > line_limit + 1:
                yield position, None
            elif data:
                yield position, data if data.endswith(b"\n") else data + b"\n"
            return
        if end is not None and position + len(data) >= end and not data.endswith(b"\n"):
            data += stream.readline(line_limit + 1)
        cut = data.rfind(b"\n") + 1
        if cut:
            yield position, data[:cut]
        position, tail = position + cut, data[cut:]
        if len(tail) > line_limit:
            yield position, None
            position, tail = position + len(tail) + _skip_line(stream), b""


def _skip_line(stream: BinaryIO) -> int:
    skipped = 0
    while True:
        piece = stream.readline(1 << 20)
        skipped += len(piece)
        if not piece or piece.endswith(b"\n"):
            return skipped


def _open(file: SourceFile) -> BinaryIO:
    return cast(BinaryIO, gzip.open(file.path, "rb")) if file.compressed else Path(file.path).open("rb")


def _first_line(stream: BinaryIO, start: int) -> int:
    """Go to the first line that begins at or after ``start``."""
    if start == 0:
        return 0
    stream.seek(start - 1)
    position = start - 1
    while True:
        block = stream.read(1 << 20)
        found = block.find(b"\n")
        if found >= 0 or not block:
            position += found + 1 if block else 0
            stream.seek(position)
            return position
        position += len(block)


def _whole(split: Split, base: int, source: StreamSource) -> Batch:
    file = split.file
    if file.size > LARGEST_FILE:
        raise InputError(
            f"stream {source.iri}: {file.path} has {file.size} bytes; {file.format} files are read whole, at most {LARGEST_FILE}"
        )
    with _open(file) as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InputError(f"stream {source.iri}: {file.path} holds more than {LARGEST_FILE} bytes; {file.format} files are read whole")
    return read_graphs(data, trig=file.format is StreamFormat.TRIG, offset=base, time_predicate=source.time_predicate)
