"""Streams and static graphs from files, as the oracle takes them."""

from __future__ import annotations

from collections.abc import Mapping

from prsp.errors import InputError
from prsp.model.query import ContinuousQuery
from prsp.oracle import Dataset, read_ntriples
from prsp.oracle.stream import Element
from prsp.source import StreamSource, read_split, resolve, splits_of
from prsp.source.static import read_static


def oracle_streams(sources: Mapping[str, StreamSource]) -> dict[str, list[Element]]:
    """The accepted elements of each stream, in the order they arrived."""
    found: dict[str, list[Element]] = {}
    for iri, source in sources.items():
        found[iri] = []
        for split in splits_of(resolve(source)):
            for batch in read_split(split, source):
                pieces = zip(batch.starts.tolist(), batch.lengths.tolist(), batch.times.tolist(), strict=True)
                found[iri] += [Element(read_ntriples(batch.data[start : start + length]), time) for start, length, time in pieces]
    return found


def oracle_static(query: ContinuousQuery, files: Mapping[str, str]) -> Dataset:
    """The static graphs of the query; every one has to be given."""
    order = list(dict.fromkeys((*query.static.default, *query.static.named)))
    for graph in order:
        if graph not in files:
            raise InputError(f"no --graph for {graph}: say --graph {graph}=FILE")
    read = {graph: read_ntriples(read_static(files[graph], graph, f"g{number}_")) for number, graph in enumerate(order)}
    default = frozenset(triple for graph in query.static.default for triple in read[graph])
    return Dataset(default, {graph: read[graph] for graph in query.static.named})
