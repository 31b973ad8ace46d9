"""Side outputs: what was rejected and what came late."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from prsp.errors import InputError
from prsp.model.pane import Part
from prsp.source.batch import Integers
from prsp.transform.log import PaneLog


def write_rejected(name: str, logs: dict[str, PaneLog], *, overwrite: bool) -> None:
    """One JSON object a line: stream, file, line, reason and the text."""
    with create(name, overwrite=overwrite) as output:
        for placed in _rejected(logs):
            output.write(json.dumps(placed, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def first_rejected(logs: Mapping[str, PaneLog]) -> str | None:
    """The place of the first line that was rejected, and why."""
    return next((f"{placed['file']}, line {placed['line']}: {placed['reason']}" for placed in _rejected(logs)), None)


def _rejected(logs: Mapping[str, PaneLog]) -> Iterator[dict[str, object]]:
    for iri, log in logs.items():
        lines_before: dict[str, int] = {}
        for split in log.splits:
            base = lines_before.get(split.file, 0)
            lines_before[split.file] = base + split.lines
            if split.rejected:
                for record in (log.storage.read(f"rejected/{split.name}.ndjson") or b"").splitlines():
                    entry = json.loads(record)
                    yield {
                        "stream": iri,
                        "file": split.file,
                        "line": base + entry["line"],
                        "reason": entry["reason"],
                        "text": entry["text"],
                    }


def union(late: Iterable[Iterable[tuple[Part, Integers]]]) -> Iterator[tuple[Part, Integers]]:
    """The elements that are late for some window of some query, each once, by part and position."""
    found: dict[Part, list[Integers]] = {}
    for one in late:
        for part, positions in one:
            found.setdefault(part, []).append(positions)
    for part, lists in found.items():
        yield part, np.unique(np.concatenate(lists))


LateSink = Callable[[PaneLog, Part, Integers], None]


@contextmanager
def write_late(name: str | None, *, overwrite: bool) -> Iterator[LateSink]:
    """Takes late elements and writes them in the stream text format, to be fed again; a graph is several lines of one time."""
    if name is None:
        yield lambda _log, _part, _positions: None
        return
    with create(name, overwrite=overwrite) as output:
        yield lambda log, part, positions: _ignore(output.write(late_lines(log, part, positions)))


def _ignore(_written: int) -> None:
    return


def late_lines(log: PaneLog, part: Part, positions: Integers) -> bytes:
    """Some elements of a part with their timestamps."""
    view, ends, times = log.data(part), [0, *log.integers(part, "ends").tolist()], log.integers(part, "times").tolist()
    return b"".join(
        line + b"\t%d\n" % times[i] for i in positions.tolist() for line in bytes(view[ends[i] : ends[i + 1]]).splitlines() if line
    )


def refuse_existing(*names: str | None, overwrite: bool) -> None:
    """Say before anything runs that an output is in the way, or has no place."""
    for name in names:
        if name is None:
            continue
        if Path(name).is_dir():
            raise InputError(f"{name} is a directory: name a file")
        if Path(name).exists() and not overwrite:
            raise InputError(f"{name} exists; --overwrite replaces it")
        if not Path(name).absolute().parent.is_dir():
            raise InputError(f"{name}: there is no directory {Path(name).parent}")


def create(name: str, *, overwrite: bool) -> BinaryIO:
    """A new file; one that exists is refused unless it may be replaced."""
    try:
        return Path(name).open("wb" if overwrite else "xb")
    except FileExistsError:
        raise InputError(f"{name} exists; --overwrite replaces it") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
