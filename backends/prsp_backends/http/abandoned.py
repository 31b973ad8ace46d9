"""Runs of this process that are over and still in their endpoint's ledger: it was away, or may still write what was given up.

An endpoint may go on with an update that nobody waits for any more, and write after our graphs were dropped. Such a run stays in
the ledger until that has happened or can no longer be expected, so that nothing is left that nobody knows of.
"""

from __future__ import annotations

import time
from collections.abc import Container
from dataclasses import dataclass

from prsp.errors import DeadlineExceeded
from prsp_backends.http import ledger
from prsp_backends.http.wire import Wire

_SETTLES = 15.0  # seconds an endpoint may still be at work on an update that nobody waits for
_PAUSE = 0.1


@dataclass(frozen=True, slots=True)
class _Left:
    """Until when the endpoint may still write; when the graphs were emptied, a triple in one shows that it has."""

    until: float = 0.0
    emptied: bool = False


_runs: dict[str, _Left] = {}


def includes(run: ledger.Run) -> bool:
    """Whether a run is one of these."""
    return run.graph in _runs


def note(run: ledger.Run) -> None:
    """The endpoint is away: the run is to be removed when it is back."""
    _runs.setdefault(run.graph, _Left())


def leave(wire: Wire, run: ledger.Run, deadline: float) -> None:
    """Empty the graphs of a run whose last update may still be at work; its entry stays for now."""
    until = time.monotonic() + _SETTLES
    _runs[run.graph] = _Left(until)
    ledger.empty(wire, run, deadline=deadline)
    _runs[run.graph] = _Left(until, emptied=True)


def remove_settled(wire: Wire, deadline: float | None = None) -> None:
    """Remove the runs of this endpoint that it has come to its end with."""
    if _runs:
        for run in ledger.runs(wire, deadline):
            if includes(run) and _has_settled(wire, run, deadline):
                _remove(wire, run, (), deadline)


def wait_and_remove(wire: Wire, run: ledger.Run, spared: Container[str], deadline: float | None) -> None:
    """Remove a run whose named graph is wanted, but only when nothing can be written into that graph behind our back."""
    while not _has_settled(wire, run, deadline):
        if deadline is not None and time.monotonic() >= deadline:
            raise DeadlineExceeded("http could not load the window in time: the endpoint is still at work on one that was given up")
        time.sleep(_PAUSE)
    _remove(wire, run, spared, deadline)


def _has_settled(wire: Wire, run: ledger.Run, deadline: float | None) -> bool:
    left = _runs[run.graph]
    if time.monotonic() >= left.until:
        return True
    return left.emptied and any(wire.holds(graph, "look at a graph", deadline) for graph in run.graphs)


def _remove(wire: Wire, run: ledger.Run, spared: Container[str], deadline: float | None) -> None:
    ledger.remove(wire, run, spared, deadline)
    _runs.pop(run.graph, None)
