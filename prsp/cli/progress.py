"""Progress of a run: one line on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

_EVERY_SECONDS = 0.2


class Progress:
    """Shows elements and windows while a run goes on."""

    def __init__(self, *, quiet: bool) -> None:
        self._on = sys.stderr.isatty() and not quiet
        self._shown = 0.0
        self._started = time.monotonic()

    def show(self, elements: int, windows: int) -> None:
        """Tell how far it is."""
        now = time.monotonic()
        if self._on and now - self._shown >= _EVERY_SECONDS:
            self._shown = now
            rate = elements / max(now - self._started, 0.001)
            print(f"\r{elements:,} elements, {windows:,} windows, {rate:,.0f} elements/s ", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        if self._on:
            print("starting Spark …", end="", file=sys.stderr, flush=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._on:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
