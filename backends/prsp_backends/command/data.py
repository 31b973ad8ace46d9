"""Writes a window for a command: static data and every graph in one file, each triple once."""

from __future__ import annotations

from pathlib import Path

from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp_backends.command.description import Data


class NoNamedGraphs(ValueError):
    """A named graph for an engine that is given N-Triples."""


def write_dataset(path: Path, data: Data, snapshot: Snapshot, static: StaticData) -> None:
    """Write the dataset as N-Triples or N-Quads. Not every engine keeps a set, so a triple is written once per graph."""
    if data is Data.NT and any(graph is not None for graph in snapshot.graphs):
        raise NoNamedGraphs("it is given N-Triples, which hold one graph, and a window is a named graph")
    # Static named graphs are not seen by a query that may name no graph.
    graphs = (None,) if data is Data.NT else dict.fromkeys([*static.graphs, *snapshot.graphs])
    with path.open("wb") as file:
        for graph in graphs:
            lines = dict.fromkeys((static.graphs.get(graph, b"") + snapshot.data(graph)).split(b"\n"))
            lines.pop(b"", None)
            end = b" .\n" if graph is None else f" <{graph}> .\n".encode()
            file.writelines(line.removesuffix(b".").rstrip(b" ") + end for line in lines)
