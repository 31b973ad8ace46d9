"""Bulk work without the cycle collector: it would trace every live row again and again, and rows form no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 10_000
"""Objects from which on tracing them costs more than sorting the young ones beforehand."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """The block runs with the cycle collector off, if it was on."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Bulk:
    """Blocks that make very many objects that stay: they are put among the old ones at once, instead of being traced as young."""

    def __init__(self) -> None:
        # Putting objects among the old ones would thaw what others froze.
        self._free = gc.get_freeze_count() == 0

    @contextmanager
    def made(self, objects: int) -> Iterator[None]:
        """The block makes about so many; few are left to the collector, which is only paused."""
        if objects < _MANY or not self._free or not gc.isenabled():
            with collector_paused():
                yield
            return
        # Before, so that no garbage of others grows old by it.
        gc.collect(1)
        with collector_paused():
            try:
                yield
            finally:
                gc.freeze()
                gc.unfreeze()
