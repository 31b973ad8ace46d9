"""CSV: ``subject,predicate,object,timestamp``, the terms as in N-Triples."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from prsp.source.batch import Batch, Reject, from_elements
from prsp.source.lines import canonical, timestamp

if TYPE_CHECKING:
    from _csv import Reader as CsvReader

HEADER = ["subject", "predicate", "object", "timestamp"]
_ROWS_AT_ONCE = 100_000


def read_table(stream: BinaryIO, *, offset: int, line_limit: int) -> Iterator[Batch]:
    """The elements of a CSV file, in batches."""
    csv.field_size_limit(max(line_limit, csv.field_size_limit()))
    with io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="") as text:
        yield from _batches(csv.reader(text, strict=True), offset, line_limit)


def _batches(reader: CsvReader, offset: int, line_limit: int) -> Iterator[Batch]:
    elements: list[tuple[bytes, int, int, int]] = []
    rejects: list[Reject] = []
    begun = lines = 0  # lines before this batch, and up to the last row
    while True:
        first = lines + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            lines = reader.line_num
            rejects.append(Reject(lines - begun, f"not CSV: {error}", ""))
            continue
        lines = reader.line_num
        if row is None or first - begun > _ROWS_AT_ONCE:
            yield from_elements(elements, first - 1 - begun, rejects)
            elements, rejects, begun = [], [], first - 1
        if row is None:
            return
        if not row or (first == 1 and row == HEADER):
            continue
        outcome = _element(row, line_limit, first=first == 1)
        if isinstance(outcome, str):
            rejects.append(Reject(first - begun, outcome, ",".join(row)[:500].encode("utf-8", "replace").decode()))
        else:
            elements.append((*outcome, offset + first, 1))


def _element(row: list[str], line_limit: int, *, first: bool) -> tuple[bytes, int] | str:
    if first:
        return f"the header must be {','.join(HEADER)}"
    if len(row) != len(HEADER):
        return f"{len(row)} columns, not {len(HEADER)}"
    if not all(column.strip() for column in row):
        return "an empty column"
    triple = " ".join(row[:3]).encode("utf-8", "surrogateescape") + b" ."
    if len(triple) > line_limit:
        return f"longer than {line_limit} bytes"
    time = timestamp(row[3].strip().encode("utf-8", "surrogateescape"))
    if isinstance(time, str):
        return time
    text = canonical(triple)
    return text if isinstance(text, str) else (text, time)
