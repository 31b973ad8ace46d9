"""Memory of SPECTRA per triple in the window, and over many windows of ever-new terms, in a process of its own."""

from __future__ import annotations

import gc
import json
import sys
from itertools import islice
from pathlib import Path

from prsp.bench.spectra_contender import answer, prepared
from prsp.bench.spectra_windows import SlidingWindow, Source
from prsp.bench.spectra_workloads import MAKERS, SHAPES, Workload


def resident() -> int:
    """Bytes this process has in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def per_triple(workload: Workload, size: int) -> float:
    """Bytes the engine takes for each triple of a window, the panes' own text not counted."""
    window = SlidingWindow(_endless(workload), size, size, steps=0)
    session = prepared(workload, "inc")
    gc.collect()
    before = resident()
    session.load(window.snapshot)
    answer(session)
    gc.collect()
    return (resident() - before) / size


def turnover(workload: Workload, size: int, windows: int) -> list[float]:
    """MiB of the process after each tenth of so many windows, each slid through by tenths, with terms that never come again."""
    window = SlidingWindow(_endless(workload), size, size // 10, steps=10)
    session = prepared(workload, "inc")
    session.load(window.snapshot)
    answer(session)
    found: list[float] = []
    for number in range(windows * 10):
        session.apply(window.advance(size // 10))
        answer(session)
        if (number + 1) % windows == 0:
            gc.collect()
            found.append(round(resident() / 2**20, 1))
    return found


def _endless(workload: Workload) -> Source:
    stream = MAKERS[workload.stream]()
    return lambda count: list(islice(stream, count))


def main(what: str, name: str, size: int, windows: int) -> None:
    """Print what was measured as JSON."""
    workload = next(shape for shape in SHAPES if shape.name == name)
    print(json.dumps(per_triple(workload, size) if what == "triple" else turnover(workload, size, windows)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
