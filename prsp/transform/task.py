"""What one Spark task does: read a split, cut it into panes, write them, and say what it found."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq

from prsp.errors import InputError
from prsp.model.pane import BEFORE_ALL, Part
from prsp.source import Reject, Split, StreamSource, read_split
from prsp.transform.cut import SCHEMA, cut
from prsp.transform.jumps import without_jumps
from prsp.transform.storage import Storage

ROW_GROUP_BYTES = 1 << 20
_PACKED = {f"{name}.list.element": "DELTA_BINARY_PACKED" for name in ("ends", "times", "arrivals", "overtaken", "seen")}


@dataclass(slots=True)
class SplitReport:
    """What became of a split. ``seen`` is its largest time; rejects are numbered by line within the split."""

    file: str
    number: int
    lines: int = 0
    accepted: int = 0
    triples: int = 0
    rejected: int = 0
    seen: int = BEFORE_ALL
    parts: list[Part] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: {"read": 0.0, "cut": 0.0, "write": 0.0})
    error: str | None = None
    jumped: bool = False
    """Whether an element was rejected for its distance to what this task knows to have arrived before."""

    def lap(self, stage: str, since: float) -> float:
        """Add the time since then to a stage; gives the time it is now."""
        now = time.perf_counter()
        self.seconds[stage] += now - since
        return now

    def to_json(self) -> str:
        """For the way from a worker to the driver."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> SplitReport:
        """The report again."""
        document = json.loads(text)
        return SplitReport(**{**document, "parts": [Part(**part) for part in document["parts"]]})


class PaneWriter:
    """Writes pane rows to one Parquet file, small ones together in a row group."""

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage, self._name = storage, name
        self._temporary = storage.begin(name)
        self._writer: pq.ParquetWriter | None = None
        self._row_group = 0

    def write(self, rows: pa.Table) -> list[Part]:
        """Append rows and say where each went."""
        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self._temporary,
                SCHEMA,
                filesystem=self._storage.filesystem,
                compression="lz4",
                use_dictionary=False,
                write_statistics=False,
                column_encoding=_PACKED,
            )
        parts: list[Part] = []
        for start, stop in _row_groups(rows):
            group = rows.slice(start, stop - start)
            self._writer.write_table(group, row_group_size=stop - start)
            columns = [group.column(name).to_pylist() for name in ("pane", "elements", "triples", "first", "last")]
            for row, (pane, elements, triples, first, last) in enumerate(zip(*columns, strict=True)):
                parts.append(Part(pane, self._name, self._row_group, row, elements, triples, first, last))
            self._row_group += 1
        return parts

    def close(self) -> None:
        """Put the file in place, if anything was written."""
        if self._writer is not None:
            self._writer.close()
            self._storage.finish(self._temporary, self._name)


def _row_groups(rows: pa.Table) -> Iterator[tuple[int, int]]:
    start = size = 0
    for row, length in enumerate(pa.compute.binary_length(rows.column("data")).to_pylist()):
        size += length
        if size >= ROW_GROUP_BYTES:
            yield start, row + 1
            start, size = row + 1, 0
    if start < rows.num_rows:
        yield start, rows.num_rows


def run_split(
    split: Split, name: str, source: StreamSource, storage: Storage, pane: int, *, before: int = BEFORE_ALL, jump: int | None = None
) -> SplitReport:
    """Cut one split into ``panes/<name>.parquet`` and ``rejected/<name>.ndjson``.

    ``before`` is the largest time known to have arrived earlier, for finding jumps.
    """
    report = SplitReport(split.file.path, split.number)
    writer = PaneWriter(storage, f"panes/{name}.parquet")
    rejects: list[Reject] = []
    try:
        clock = time.perf_counter()
        for batch in read_split(split, source):
            clock = report.lap("read", clock)
            if jump is not None:
                batch, jumps = without_jumps(batch, max(before, report.seen), jump)
                report.jumped |= bool(jumps)
                rejects += [Reject(report.lines + r.line, r.reason, r.text) for r in jumps]
            done = cut(batch, pane=pane, seen=report.seen)
            clock = report.lap("cut", clock)
            if done.rows.num_rows:
                report.parts += writer.write(done.rows)
            clock = report.lap("write", clock)
            report.accepted += len(batch.times)
            report.triples += len(batch.times) if batch.triples is None else int(batch.triples.sum())
            rejects += [Reject(report.lines + r.line, r.reason, r.text) for r in batch.rejects]
            report.lines += batch.lines
            report.seen = done.seen
    except InputError as error:
        report.error = str(error)
        return report
    writer.close()
    report.rejected = len(rejects)
    if rejects:
        lines = (json.dumps({"line": r.line, "reason": r.reason, "text": r.text}, ensure_ascii=False) for r in rejects)
        storage.write(f"rejected/{name}.ndjson", ("\n".join(lines) + "\n").encode("utf-8", "replace"))
    return report
