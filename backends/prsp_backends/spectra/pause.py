"""Bulk work without the cycle collector: it would trace every live row again and again, and rows form no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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


@contextmanager
def bulk_made() -> Iterator[None]:
    """The block makes very many objects that stay: they are put among the old ones at once, instead of being traced as young.

    Young objects from before are collected first, so that no garbage of others grows old by it.
    """
    if not gc.isenabled() or gc.get_freeze_count():
        with collector_paused():
            yield
        return
    gc.collect(1)
    with collector_paused():
        try:
            yield
        finally:
            gc.freeze()
            gc.unfreeze()
