"""The ledger: every graph prsp makes in an endpoint is written down there first, so that what a crashed run leaves can be found.

A run writes into one graph of its own (``urn:prsp:run:…``) who it is and which graphs are its. It is alive as long as its
process is; a process of another machine, container or boot cannot be looked at, so it is never taken for dead.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from uuid import uuid4

from prsp_backends.http.wire import Wire

RUN = "urn:prsp:run:"
_READ = """SELECT ?run ?place ?pid ?born ?started ?graph { GRAPH ?run {
  ?run <urn:prsp:place> ?place ; <urn:prsp:pid> ?pid ; <urn:prsp:born> ?born ; <urn:prsp:started> ?started ; <urn:prsp:graph> ?graph } }"""


class Fate(Enum):
    """What is known about the process of a run."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "on another machine, or before a restart of this one"


@dataclass(frozen=True, slots=True)
class Run:
    """One session as the ledger knows it."""

    graph: str
    """The graph this entry is in."""
    place: str
    """Host, boot and process namespace: only within one place does a process number mean anything."""
    pid: int
    born: str
    """When the process started, by its kernel's clock: numbers are used again."""
    started: str
    graphs: tuple[str, ...]

    @property
    def fate(self) -> Fate:
        """Whether the run's process still runs."""
        if self.place != _place():
            return Fate.UNKNOWN
        return Fate.ALIVE if _born(self.pid) == self.born else Fate.DEAD

    def __str__(self) -> str:
        host = self.place.partition("/")[0]
        return f"run {self.graph.removeprefix(RUN)} of {self.started}, process {self.pid} on {host}: {', '.join(self.graphs)}"


def new_run() -> Run:
    """A run of this process, without graphs yet."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(f"{RUN}{uuid4()}", _place(), os.getpid(), _born(os.getpid()), started, ())


def enter(wire: Wire, run: Run, graphs: Sequence[str], deadline: float | None = None) -> Run:
    """The run with these graphs more, written down before any of them is made."""
    run = replace(run, graphs=(*run.graphs, *graphs))
    facts = {"place": run.place, "pid": str(run.pid), "born": run.born, "started": run.started}
    lines = [f'<{run.graph}> <urn:prsp:{key}> "{value}" .\n' for key, value in facts.items()]
    lines += [f"<{run.graph}> <urn:prsp:graph> <{graph}> .\n" for graph in run.graphs]
    wire.put(run.graph, "".join(lines).encode(), "write the ledger", deadline)
    return run


def runs(wire: Wire, deadline: float | None = None) -> list[Run]:
    """Every run in the ledger."""
    found: dict[str, Run] = {}
    for row in wire.select(_READ, "read the ledger", deadline=deadline):
        if row["run"].startswith(RUN) and row["pid"].isdigit():
            run = found.get(row["run"]) or Run(row["run"], row["place"], int(row["pid"]), row["born"], row["started"], ())
            found[run.graph] = replace(run, graphs=(*run.graphs, row["graph"]))
    return list(found.values())


def remove(wire: Wire, run: Run, spared: Container[str] = (), deadline: float | None = None) -> None:
    """Drop a run's graphs, but for those that are another's too, then its entry: a failure in between leaves it in the ledger."""
    empty(wire, run, spared, deadline)
    wire.drop(run.graph, "remove the entry of a run", deadline)


def empty(wire: Wire, run: Run, spared: Container[str] = (), deadline: float | None = None) -> None:
    """Drop a run's graphs and keep its entry."""
    for graph in run.graphs:
        if graph not in spared:
            wire.drop(graph, "remove a graph of a run", deadline)


def graphs_of(those: Iterable[Run]) -> frozenset[str]:
    """The graphs of some runs."""
    return frozenset(graph for run in those for graph in run.graphs)


def _place() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        boot = space = "?"
    return re.sub(r"[^A-Za-z0-9./:\[\]-]", "_", f"{socket.gethostname()}/{boot}/{space}")


def _born(pid: int) -> str:
    try:
        # After the name, which may hold spaces and parentheses itself: the state, and 19 fields on the start time.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return "gone" if fields[0] in {"Z", "X"} else fields[19]
    except OSError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except OSError:
        pass
    return "?"
