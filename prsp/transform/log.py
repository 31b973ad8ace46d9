"""The pane log: a stream, cut once and kept, for any window of any query to be sliced from.

Layout (see docs/pane-log.md): ``manifest.json``; ``panes/*.parquet``, a row a pane and split; ``index/*.json``, one per batch, whose
presence makes the batch part of the log; ``rejected/*.ndjson``.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from prsp.errors import InputError
from prsp.model.pane import BEFORE_ALL, Part
from prsp.model.snapshot import may_have_blank_nodes
from prsp.source.batch import Integers
from prsp.transform.storage import Storage
from prsp.transform.task import SplitReport

VERSION = 1
_MANIFEST = "manifest.json"
_MOST_OPEN_FILES = 64


@dataclass(frozen=True, slots=True)
class SplitRecord:
    """What the index keeps of a split: enough to number rejected lines and to count."""

    file: str
    name: str
    lines: int
    rejected: int


class PaneLog:
    """One stream's panes. ``pane`` is the grid in milliseconds, fixed when the log is made."""

    def __init__(self, storage: Storage, stream: str, pane: int) -> None:
        self.storage, self.stream, self.pane = storage, stream, pane
        self.smallest: int | None = None
        self.largest = BEFORE_ALL
        self.accepted = self.rejected = self.triples = 0
        self.files = 0
        """How many files have been cut: the next one's number in the order of arrival."""
        self.splits: list[SplitRecord] = []
        self._documents: dict[int, dict[str, Any]] = {}
        self._panes: list[int] = []
        self._parts: dict[int, list[Part]] = {}
        self._cache: dict[tuple[str, int, str], tuple[int, list[object]]] = {}
        self._open_files: dict[str, pq.ParquetFile] = {}

    def __reduce__(self) -> tuple[type[PaneLog], tuple[Storage, str, int]]:
        """Elsewhere it can read the parts it is asked for; what is in the log stays known here alone."""
        return PaneLog, (self.storage, self.stream, self.pane)

    # making and opening

    @staticmethod
    def create(storage: Storage, stream: str, pane: int) -> PaneLog:
        """A new, empty log."""
        storage.make("panes", "index", "rejected")
        storage.write(_MANIFEST, json.dumps({"version": VERSION, "stream": stream, "pane": pane}).encode())
        return PaneLog(storage, stream, pane)

    @staticmethod
    def open(storage: Storage, *, batches: int | None = None) -> PaneLog | None:
        """The log in a folder, None when there is none; only the batches before ``batches`` when that is given."""
        content = storage.read(_MANIFEST)
        if content is None:
            return None
        manifest = json.loads(content)
        if manifest.get("version") != VERSION:
            raise InputError(f"{storage.root} is a pane log of version {manifest.get('version')}; this prsp reads version {VERSION}")
        log = PaneLog(storage, manifest["stream"], manifest["pane"])
        upto = -1
        for name in storage.names("index"):
            document = json.loads(storage.read(f"index/{name}") or b"{}")
            if document["batch"] <= upto or (batches is not None and document["batch"] >= batches):
                # Superseded by a merge, or not finished when the run before this one ended: it will be cut again.
                storage.delete(f"index/{name}")
                continue
            upto = document["until"]
            log._take(document)
        log._sweep()
        storage.delete_unfinished("panes", "index", "rejected")
        return log

    def _sweep(self) -> None:
        """Remove what no index mentions: leftovers of a crash."""
        known = {part.file for part in self.parts()}
        for name in self.storage.names("panes"):
            if f"panes/{name}" not in known:
                self.storage.delete(f"panes/{name}")

    def commit(self, batch: int, reports: list[tuple[str, SplitReport]], files: int) -> list[Part]:
        """Make a cut batch part of the log, its splits by name; gives its parts. ``files`` is how many files it was cut from."""
        carry = self.largest
        parts: list[Part] = []
        for _, report in reports:
            parts += [replace(part, carry=carry) for part in report.parts]
            carry = max(carry, report.seen)
        document = {
            "batch": batch,
            "until": batch,
            "seen": carry,
            "files": files,
            "splits": [asdict(SplitRecord(report.file, name, report.lines, report.rejected)) for name, report in reports],
            "parts": [astuple(part) for part in parts],
        }
        self.storage.write(f"index/{batch:012d}.json", json.dumps(document).encode())
        self._take(document)
        return parts

    def _take(self, document: dict[str, Any]) -> None:
        self._documents[document["batch"]] = document
        self.files += document["files"]
        self.largest = max(self.largest, document["seen"])
        self.accepted += document.get("dropped", 0)
        for split in document["splits"]:
            record = SplitRecord(**split)
            self.splits.append(record)
            self.rejected += record.rejected
        for part in (Part(*values) for values in document["parts"]):
            self._place(part)
            self.smallest = part.first if self.smallest is None else min(self.smallest, part.first)
            self.largest = max(self.largest, part.last)
            self.accepted += part.elements
            self.triples += part.triples

    def _place(self, part: Part) -> None:
        if part.pane not in self._parts:
            insort(self._panes, part.pane)
        self._parts.setdefault(part.pane, []).append(part)

    # keeping it small

    def drop_before(self, time: int) -> None:
        """Forget parts that lie wholly before an instant, in the index first: a crash leaves no index without its panes."""
        for batch, document in self._documents.items():
            kept = [values for values in document["parts"] if Part(*values).last >= time]
            if len(kept) < len(document["parts"]):
                dropped = sum(Part(*values).elements for values in document["parts"]) - sum(Part(*values).elements for values in kept)
                document = {**document, "parts": kept, "dropped": document.get("dropped", 0) + dropped}
                self.storage.write(f"index/{batch:012d}.json", json.dumps(document).encode())
                self._documents[batch] = document
        for pane in [pane for pane in self._panes if any(part.last < time for part in self._parts[pane])]:
            self._parts[pane] = [part for part in self._parts[pane] if part.last >= time]
            if not self._parts[pane]:
                del self._parts[pane]
                self._panes.remove(pane)
        self.forget_before(time)
        self._sweep()

    def closed_batches(self, time: int) -> list[int]:
        """The batches, from the first on, whose parts all lie before an instant."""
        closed: list[int] = []
        for batch in sorted(self._documents):
            if any(Part(*values).last >= time for values in self._documents[batch]["parts"]):
                break
            closed.append(batch)
        return closed

    def supersede(self, batches: list[int], parts: list[Part]) -> None:
        """Put merged parts in the place of the parts of some consecutive batches."""
        documents = [self._documents[batch] for batch in batches]
        merged = {
            "batch": batches[0],
            "until": documents[-1]["until"],
            "seen": documents[-1]["seen"],
            "files": sum(d["files"] for d in documents),
            "dropped": sum(d.get("dropped", 0) for d in documents),
            "splits": [split for d in documents for split in _with_rejects(d["splits"])],
            "parts": [astuple(part) for part in parts],
        }
        # This one write is the moment of the merge: it takes the first batch's place and declares the others superseded.
        self.storage.write(f"index/{batches[0]:012d}.json", json.dumps(merged).encode())
        gone = {Part(*values) for d in documents for values in d["parts"]}
        for batch in batches:
            del self._documents[batch]
        self._documents = {batches[0]: merged, **self._documents}
        self.splits = [SplitRecord(**split) for batch in sorted(self._documents) for split in self._documents[batch]["splits"]]
        for pane in self._panes:
            self._parts[pane] = [part for part in self._parts[pane] if part not in gone]
        self._panes = [pane for pane in self._panes if self._parts[pane]]
        self._parts = {pane: self._parts[pane] for pane in self._panes}
        for part in parts:
            self._place(part)
        for batch in batches[1:]:
            self.storage.delete(f"index/{batch:012d}.json")
        self._sweep()

    # reading

    def parts(self) -> Iterator[Part]:
        """Every part, by pane, then in the order they were cut."""
        return (part for pane in self._panes for part in self._parts[pane])

    def parts_between(self, first: int, last: int) -> Iterator[Part]:
        """The parts with an element that may lie in [first, last]."""
        low, high = bisect_left(self._panes, first // self.pane), bisect_right(self._panes, last // self.pane)
        for pane in self._panes[low:high]:
            for part in self._parts[pane]:
                if part.first <= last and part.last >= first:
                    yield part

    def data(self, part: Part) -> memoryview:
        """The elements of a part, as N-Triples lines."""
        value = self._row(part, "data")
        return memoryview(value.as_buffer())  # type: ignore[attr-defined]

    def blank_nodes(self, part: Part) -> bool:
        """Whether a blank node may be in a part: looked for once, however many windows it is in."""
        key = (part.file, part.row_group, "blank nodes")
        if key not in self._cache:
            self._row(part, "data")
            last, rows = self._cache[part.file, part.row_group, "data"]
            self._cache[key] = (last, [may_have_blank_nodes(row.as_buffer()) for row in rows])  # type: ignore[attr-defined]
        last, found = self._cache[key]
        self._cache[key] = (max(last, part.last), found)
        return bool(found[part.row])

    def integers(self, part: Part, column: str) -> Integers:
        """One of the part's lists: ends, times, arrivals, overtaken or seen."""
        values: Integers = np.asarray(self._row(part, column).values)  # type: ignore[attr-defined]
        return values

    def _row(self, part: Part, column: str) -> object:
        key = (part.file, part.row_group, column)
        cached = self._cache.get(key)
        if cached is None:
            file = self._open_files.get(part.file)
            if file is None:
                file = pq.ParquetFile(self.storage.path(part.file), filesystem=self.storage.filesystem)
                self._open_files[part.file] = file
                if len(self._open_files) > _MOST_OPEN_FILES:
                    self._open_files.pop(next(iter(self._open_files))).close()
            table = file.read_row_group(part.row_group, columns=[column])
            rows = list(table.column(0).combine_chunks())
            cached = (part.last, rows)
        self._cache[key] = (max(cached[0], part.last), cached[1])
        return cached[1][part.row]

    def forget_before(self, time: int) -> None:
        """Let go of what was read and lies wholly before an instant: windows only move on."""
        gone = [key for key, (last, _) in self._cache.items() if last < time]
        for key in gone:
            del self._cache[key]
        used = {key[0] for key in self._cache}
        for name in [name for name in self._open_files if name not in used]:
            self._open_files.pop(name).close()


def _with_rejects(splits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The splits of files with rejected lines: the others' line counts are of no more use."""
    wanted = {split["file"] for split in splits if split["rejected"]}
    return [split for split in splits if split["file"] in wanted]
