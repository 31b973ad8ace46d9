"""Progress of a run: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from prsp.run.options import Status


class Progress:
    """Shows how far a run has come, with elements, windows and rate."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar: Bar | None = None
        if sys.stderr.isatty() and not quiet:
            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("starting Spark …", total=None)
        self._started = time.monotonic()
        self._fraction = 0.0

    def show(self, status: Status) -> None:
        """Tell how far it is."""
        if self._bar is not None:
            fraction = status.fraction
            if fraction is not None and fraction < self._fraction:
                self._bar.reset(self._task)  # cutting is done, now the windows
            self._fraction = fraction or 0.0
            self._bar.update(
                self._task, description=self._words(status), total=None if fraction is None else 1.0, completed=fraction or 0.0
            )

    def _words(self, status: Status) -> str:
        if not status.elements:
            return "cutting"
        rate = status.elements / max(time.monotonic() - self._started, 0.001)
        words = [f"{status.elements:,} elements", f"{status.windows:,} windows", f"{rate:,.0f} elements/s"]
        if status.watermark is not None:
            words.append(f"watermark {status.watermark}")
        if status.lag is not None:
            words.append(f"lag {status.lag / 1000:,.1f} s")
        if status.waiting is not None:
            words.append(f"waiting for {status.waiting}")
        return ", ".join(words)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
