"""One run of the matrix, bounded or live, and whether its answers are the oracle's."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from prsp.backend import Backend
from prsp.model.equality import Literals, compare_booleans, compare_graphs, compare_solutions
from prsp.model.evaluation import Evaluation
from prsp.model.result import Boolean, Solutions, Triples
from prsp.oracle import Solutions as OracleSolutions
from prsp.oracle import read_ntriples
from prsp.oracle.continuous import Evaluation as Expected
from prsp.run import BoundedRun, RunOptions, Where, register
from prsp.run.live_state import LiveRun
from prsp.source import StreamSource
from tests.run.matrix.covering import Planned
from tests.run.matrix.expected import GRAPHS, expected, lines, pieces, profile
from tests.run.matrix.queries import QUERIES, Asked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def go(planned: Planned, backend: Backend, spark: SparkSession, folder: Path, report: str = "window-close") -> dict[str, str]:
    """What is wrong with the answers of a run, by query; empty when nothing is."""
    got = _got(planned, backend, spark, folder, report)
    wrong: dict[str, str] = {}
    for name in planned.queries:
        own = [evaluation for evaluation in got if evaluation.query == name]
        told = _difference(QUERIES[name], expected(name, planned.setting[1], report), own, whole=planned.setting[3] == "bounded")
        if told is not None:
            wrong[name] = told
    order = [(e.at, e.seq, planned.queries.index(e.query)) for e in got]
    assert order == sorted(order), "the evaluations are not in order"
    return wrong


def _got(planned: Planned, backend: Backend, spark: SparkSession, folder: Path, report: str) -> list[Evaluation]:
    _, operator, where, feed = planned.setting
    queries = [QUERIES[name].query for name in planned.queries]
    named = {graph for query in queries for graph in (*query.static.default, *query.static.named)}
    for number, text in enumerate(GRAPHS.values()):
        (folder / f"{number}.nt").write_text(text, encoding="utf-8")
    files = {graph: str(folder / f"{number}.nt") for number, graph in enumerate(GRAPHS) if graph in named}
    registered = register(queries, backend, profile(operator, report), files=files)
    streams = list(dict.fromkeys(s.iri for query in queries for s in query.streams))
    taken: list[Evaluation] = []
    for number, iri in enumerate(streams):
        (folder / f"{number}.nts").write_text("".join(lines(iri)), encoding="utf-8")
    sources = {iri: StreamSource(iri, str(folder / f"{number}.nts")) for number, iri in enumerate(streams)}
    if feed == "bounded":
        with closing(BoundedRun(RunOptions(registered, sources, where=Where(where)))) as run:
            return list(run)
    options = RunOptions(registered, sources, where=Where(where), checkpoint=str(folder / "checkpoint"), on_result=taken.append)
    with closing(LiveRun(options, str(folder / "checkpoint"))) as live:
        for batch, parts in enumerate(zip(*map(pieces, streams), strict=True)):
            new = {}
            for number, (iri, part) in enumerate(zip(streams, parts, strict=True)):
                path = folder / f"{number}-{batch}.nts"
                path.write_text(part, encoding="utf-8")
                new[iri] = [(str(path), path.stat().st_size)]
            live.on_batch(spark, batch, new)
        assert all(s.read == s.in_windows + s.in_no_window + s.late + s.rejected for s in live.account().streams)
    return taken


def _difference(asked: Asked, every: Sequence[Expected], got: Sequence[Evaluation], *, whole: bool) -> str | None:
    if not whole:
        # A live run reports what has passed: everything before the last instant of the stream that is behind.
        largest = min(int(lines(s.iri)[-1].rpartition("\t")[2]) for s in asked.query.streams)
        if len(got) < sum(e.at < largest - _HELD_BACK for e in every):
            return f"only {len(got)} evaluations"
        every = every[: len(got)]
    instants = [(e.at, e.seq) for e in got]
    if instants != [(e.at, e.seq) for e in every]:
        return f"evaluated at {instants}, expected {[(e.at, e.seq) for e in every]}"
    for mine, theirs in zip(got, every, strict=True):
        bounds = [(w.open, w.close, w.elements) for w in mine.windows]
        if bounds != [(c.open, c.close, len(c.elements)) for c in theirs.windows]:
            return f"at {mine.at} over {bounds}, expected {[(c.open, c.close, len(c.elements)) for c in theirs.windows]}"
        if told := _unlike(asked, theirs, mine, ordered=asked.is_ordered):
            return f"at {mine.at}: {told}"
    return None


_HELD_BACK = 10
"""Queries of one run wait for each other's streams; the last elements of two streams are not of one time."""


def _unlike(asked: Asked, theirs: Expected, mine: Evaluation, *, ordered: bool) -> str | None:
    match theirs.answer, mine.result:
        case bool() as right, Boolean(value):
            told = compare_booleans(right, value)
        case frozenset() as right, Triples(payload):
            told = compare_graphs(list(right), list(read_ntriples(payload)), literals=Literals.BY_VALUE)
        case OracleSolutions(names, rows), Solutions() as answer:
            own = answer.rows()
            if asked.may_leave_out:
                rows, own = list(dict.fromkeys(rows)), list(dict.fromkeys(own))
            told = compare_solutions((names, rows), (answer.variables, own), ordered=ordered, literals=Literals.BY_VALUE)
        case right, _:
            return f"expected {type(right).__name__}, got {mine.failure or type(mine.result).__name__}"
    return None if told is None else str(told)
