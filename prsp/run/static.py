"""The static data of a run: files read once, graphs of the engine by name."""

from __future__ import annotations

from collections.abc import Mapping

from prsp.model.query import ContinuousQuery
from prsp.model.static import StaticData
from prsp.plan import Dataset
from prsp.source.static import read_static


def static_data(query: ContinuousQuery, dataset: Dataset, files: Mapping[str, str]) -> StaticData:
    """What the query sees beside its windows; blank nodes of each graph are kept apart."""
    order = list(dict.fromkeys((*query.static.default, *query.static.named)))
    read = {graph: read_static(files[graph], graph, f"g{number}_") for number, graph in enumerate(order) if graph in files}
    graphs: dict[str | None, bytes] = {graph: read[graph] for graph in dataset.named}
    if dataset.default:
        lines = {line for graph in dataset.default for line in read[graph].splitlines(keepends=True)}
        graphs[None] = b"".join(sorted(lines))
    return StaticData(graphs, dataset.held_default, dataset.held_named)
