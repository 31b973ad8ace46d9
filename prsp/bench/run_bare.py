"""What a run is measured against: a script that cuts tumbling windows in plain Python and asks pyoxigraph, with the same output."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def bare_tumbling(stream: Path, output: Path, *, sparql: str, name: str, iri: str, size: int, start: int) -> int:
    """Write a line of NDJSON for every tumbling window, closed on both sides; gives the number of windows."""
    import pyoxigraph as ox

    written = 0
    with output.open("wb") as out:
        for opens, lines in _windows(stream, size, start):
            store = ox.Store()
            store.bulk_load(b"".join(lines), ox.RdfFormat.N_TRIPLES)
            answer: Any = store.query(sparql)
            payload = answer.serialize(format=ox.QueryResultsFormat.JSON)
            at = opens + size
            frame = {
                "id": hashlib.sha256(f"{name}\n{sparql}\n{at}\n0".encode()).hexdigest()[:32],
                "query": name,
                "at": at,
                "seq": 0,
                "windows": [{"stream": iri, "open": opens, "close": at, "elements": len(lines), "triples": len(lines)}],
                "profile": f"prsp;t0={start}",
                "operator": "rstream",
            }
            out.write(json.dumps(frame, separators=(",", ":")).encode()[:-1] + b"," + payload[1:] + b"\n")
            written += 1
    return written


def _windows(stream: Path, size: int, start: int) -> Iterator[tuple[int, list[bytes]]]:
    """The windows of a stream that is in order; an element on the edge of two is in both."""
    opens: int = start
    lines: list[bytes] = []
    edge: list[bytes] = []
    with stream.open("rb") as file:
        for line in file:
            triple, _, text = line.rpartition(b"\t")
            time = int(text)
            while time > opens + size:
                yield opens, lines
                opens, lines, edge = opens + size, edge, []
            if time == opens + size:
                edge.append(triple + b"\n")
            lines.append(triple + b"\n")
    yield opens, lines
    if edge:
        yield opens + size, edge
