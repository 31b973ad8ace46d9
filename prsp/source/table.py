"""CSV: ``subject,predicate,object,timestamp``, the terms as in N-Triples."""

from __future__ import annotations

import csv
import io

from prsp.source.batch import Batch, Reject, from_elements
from prsp.source.lines import canonical, timestamp

HEADER = ["subject", "predicate", "object", "timestamp"]


def read_table(data: bytes, *, offset: int, line_limit: int) -> Batch:
    """The elements of a whole CSV file."""
    elements: list[tuple[bytes, int, int, int]] = []
    rejects: list[Reject] = []
    reader = csv.reader(io.StringIO(data.decode("utf-8-sig", "surrogateescape"), newline=""), strict=True)
    csv.field_size_limit(max(line_limit, csv.field_size_limit()))
    lines = 0
    while True:
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            lines = reader.line_num
            rejects.append(Reject(lines, f"not CSV: {error}", ""))
            continue
        first, lines = lines + 1, reader.line_num
        if not row or (first == 1 and row == HEADER):
            continue
        outcome = _element(row, line_limit, first=first == 1)
        if isinstance(outcome, str):
            rejects.append(Reject(first, outcome, ",".join(row)[:500].encode("utf-8", "replace").decode()))
        else:
            elements.append((*outcome, offset + first, 1))
    return from_elements(elements, lines, rejects)


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
