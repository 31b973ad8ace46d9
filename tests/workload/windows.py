"""A workload's stream in memory, and a query's answers on windows cut here in plain Python."""

from collections.abc import Iterator

import pyoxigraph

from prsp.model import TimeWindow
from prsp.parse import parse_query
from prsp.workload import Query, Workload


def elements(workload: Workload) -> list[tuple[str, int]]:
    """Every line as triple and time."""
    lines = (line for batch in workload.batches() for _, text in batch for line in text.splitlines())
    return [(line.rpartition("\t")[0], int(line.rpartition("\t")[2])) for line in lines]


def answers(query: Query, stream: list[tuple[str, int]], start: int = 0) -> Iterator[list[tuple[str, ...]]]:
    """The rows of each closed window from the start on, by pyoxigraph."""
    parsed = parse_query(query.text)
    window = parsed.streams[0].window
    assert isinstance(window, TimeWindow)
    opened, last = start, stream[-1][1]
    while opened <= last:
        store = pyoxigraph.Store()
        inside = "\n".join(triple for triple, at in stream if opened <= at <= opened + window.range)
        store.load(inside.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
        found = store.query(parsed.sparql)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        yield [tuple(str(value) for value in row) for row in found]
        opened += window.step
