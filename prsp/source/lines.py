"""Timestamped N-Triples: checks and splits a block of whole lines, all at once.

Accepted is what pyoxigraph's N-Triples parser accepts. Most lines match a strict pattern for canonical N-Triples (one blank
between terms, no escapes, plain absolute IRIs); the others are parsed, one by one, and kept as pyoxigraph writes them, so
equal triples are equal bytes whichever way they came.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyoxigraph
from numpy.typing import NDArray

from prsp.source.batch import Batch, Integers, Reject

_PATH = r"[A-Za-z0-9._~!$&()*+,;=:@/-]*"
_QUERY = r"[A-Za-z0-9._~!$&()*+,;=:@/?-]*"
_IRI = rf"<[a-z][a-z0-9]*://[A-Za-z0-9.-]+(?::[0-9]{{1,5}})?(?:/{_PATH})?(?:\?{_QUERY})?(?:#{_QUERY})?>"
_BLANK = r"_:[A-Za-z0-9]+"
# xsd:string is left out on purpose: its canonical form has no datatype.
_XSD = "float|double|decimal|integer|int|long|short|byte|boolean|dateTime|dateTimeStamp|date|time|duration|nonNegativeInteger|anyURI"
# Nor the two code points that are written escaped.
_ESCAPED = "\ufffe\uffff"
_LITERAL = rf'"[^"\\\x00-\x1f\x7f{_ESCAPED}]*"(?:@[a-z]{{2,3}}|\^\^<http://www\.w3\.org/2001/XMLSchema#(?:{_XSD})>)?'
CANONICAL = rf"(?:{_IRI}|{_BLANK}) {_IRI} (?:{_IRI}|{_BLANK}|{_LITERAL}) \."
_LINE = rf"^{CANONICAL}\t-?[0-9]+\r?\n$"

_TIMESTAMP = re.compile(rb"-?[0-9]+\Z")
_MOST_DIGITS = 18
_SHOWN = 500
_TAB, _NEWLINE, _RETURN, _MINUS, _ZERO, _HASH = b"\t\n\r-0#"


def read_lines(block: bytes, *, offset: int, line_limit: int) -> Batch:
    """The elements of a block of whole lines, each ended by a line feed; ``offset`` numbers arrivals by position."""
    raw = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(raw == _NEWLINE)
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1)) if len(ends) else ends
    accepted, times, separators = _strict(block, raw, starts, ends)
    accepted &= ends - starts <= line_limit
    rejects: list[Reject] = []
    extra: list[bytes] = []
    rows, lengths, positions = np.flatnonzero(accepted), separators - starts + 1, starts.copy()
    loose: list[int] = []
    extra_at = len(block)
    for row in np.flatnonzero(~accepted).tolist():
        line = block[starts[row] : ends[row]]
        outcome = _parse(line, line_limit)
        if outcome is None:
            continue
        if isinstance(outcome, str):
            rejects.append(Reject(row + 1, outcome, line[:_SHOWN].decode("utf-8", "replace")))
            continue
        text, times[row] = outcome
        positions[row], lengths[row] = extra_at, len(text)
        extra_at += len(text)
        extra.append(text)
        loose.append(row)
    if loose:
        rows = np.sort(np.concatenate((rows, np.array(loose, np.int64))))
    return Batch(
        data=block + b"".join(extra) if extra else block,
        starts=positions[rows],
        lengths=lengths[rows],
        times=times[rows],
        arrivals=starts[rows] + offset,
        triples=None,
        lines=len(ends),
        rejects=rejects,
        text_offset=offset,
    )


def _strict(block: bytes, raw: NDArray[np.uint8], starts: Integers, ends: Integers) -> tuple[NDArray[np.bool_], Integers, Integers]:
    """Which lines are canonical with a short timestamp, their times, and where the last TAB of each line is."""
    if not len(ends):
        return np.zeros(0, np.bool_), starts, starts
    offsets = np.empty(len(ends) + 1, np.int32)
    offsets[0] = 0
    offsets[1:] = ends + 1
    lines = pa.Array.from_buffers(pa.string(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(block)])
    matched = pc.match_substring_regex(lines, _LINE).to_numpy(zero_copy_only=False)
    tabs = np.flatnonzero(raw == _TAB)
    if not len(tabs):
        return matched, np.zeros(len(ends), np.int64), starts
    tab = tabs[np.maximum(np.searchsorted(tabs, ends) - 1, 0)]
    last = ends - (raw[ends - 1] == _RETURN)
    digits = last - tab - 1
    negative = raw[np.minimum(tab + 1, len(raw) - 1)] == _MINUS
    digits = digits - negative
    times = np.zeros(len(ends), np.int64)
    matched &= digits <= _MOST_DIGITS
    for length in np.unique(digits[matched]).tolist():
        rows = np.flatnonzero(matched & (digits == length))
        figures = raw[(last[rows] - length)[:, None] + np.arange(length)].astype(np.int64) - _ZERO
        times[rows] = figures @ (10 ** np.arange(length - 1, -1, -1, dtype=np.int64))
    times[negative] *= -1
    return matched, times, tab


def _parse(line: bytes, line_limit: int) -> tuple[bytes, int] | str | None:
    """A canonical line and its time; or why it is rejected; or None for a comment or an empty line."""
    if line.startswith(b"#") or not line.strip():
        return None
    if len(line) > line_limit:
        return f"longer than {line_limit} bytes"
    triple, tab, stamp = line.rpartition(b"\t")
    time = timestamp(stamp.removesuffix(b"\r")) if tab else "no TAB and timestamp at the end"
    if isinstance(time, str):
        return time
    text = canonical(triple)
    return text if isinstance(text, str) else (text, time)


def timestamp(text: bytes) -> int | str:
    """Integer milliseconds within 64 bits, or what is wrong with them."""
    if not _TIMESTAMP.match(text):
        return f"timestamp is not an integer: {text[:40].decode('utf-8', 'replace')!r}"
    if len(text) > 4 * _MOST_DIGITS or not -(2**63) <= int(text) < 2**63:
        return "timestamp does not fit 64 bits"
    return int(text)


def canonical(triple: bytes) -> bytes | str:
    """One N-Triples triple as pyoxigraph writes it, with a line break; or why it is not one."""
    try:
        quads = list(pyoxigraph.parse(triple, pyoxigraph.RdfFormat.N_TRIPLES))
    except (SyntaxError, ValueError) as error:
        return f"not an N-Triples triple: {error}"
    if len(quads) != 1:
        return f"{len(quads)} triples on the line, not one"
    return f"{quads[0].triple} .\n".encode()
