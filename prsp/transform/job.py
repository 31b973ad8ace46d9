"""The Spark job: every split of a source to an executor, one pass, reports back to the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prsp.errors import InputError
from prsp.model.pane import BEFORE_ALL
from prsp.source import SourceFile, Split, StreamSource, splits_of
from prsp.source.read import SPLIT_BYTES
from prsp.transform.storage import Storage
from prsp.transform.task import SplitReport, run_split

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_TASKS_PER_CORE = 4

Progress = Callable[[int], None]
"""Told how many elements a finished split had."""


def cut_files(
    spark: SparkSession,
    source: StreamSource,
    files: list[SourceFile],
    storage: Storage,
    *,
    pane: int,
    batch: int,
    first_number: int,
    split_bytes: int = SPLIT_BYTES,
    progress: Progress | None = None,
    seen: int = BEFORE_ALL,
    jump: int | None = None,
) -> list[SplitReport]:
    """Cut files into the log's folder; the reports come in the order of arrival.

    With ``jump``, an element more than so many milliseconds after everything that arrived before it is rejected; ``seen`` is the
    largest time of the log.
    """
    splits = splits_of(files, first_number, split_bytes)
    if not splits:
        return []
    reports = _run(spark, splits, _Work(source, storage, pane, batch, seen, jump, in_order=False), progress)
    if len(splits) > 1 and any(report.jumped for report in reports):
        # What arrived before an element may lie in another split: whether it jumps can only be told one after another.
        reports = _run(spark, splits, _Work(source, storage, pane, batch, seen, jump, in_order=True), progress)
    return reports


@dataclass(frozen=True, slots=True)
class _Work:
    """What every task of a cut has to know."""

    source: StreamSource
    storage: Storage
    pane: int
    batch: int
    seen: int
    jump: int | None
    in_order: bool


def _run(spark: SparkSession, splits: list[Split], work: _Work, progress: Progress | None) -> list[SplitReport]:
    tasks = 1 if work.in_order else min(len(splits), spark.sparkContext.defaultParallelism * _TASKS_PER_CORE)
    rows = spark.range(0, len(splits), 1, numPartitions=tasks).mapInArrow(_task(splits, work), "split long, report string")
    reports: dict[int, SplitReport] = {}
    for row in rows.toLocalIterator(prefetchPartitions=True) if progress else rows.collect():
        report = SplitReport.from_json(row.report)
        if report.error is not None:
            raise InputError(report.error)
        reports[row.split] = report
        if progress:
            progress(report.accepted)
    return [reports[number] for number in range(len(splits))]


def split_name(batch: int, split: int) -> str:
    """The name of what a split becomes: the same when the batch is cut again, so a replay overwrites itself."""
    return f"{batch:012d}-{split:06d}"


def _task(splits: list[Split], work: _Work) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        seen = work.seen
        for numbers in batches:
            for number in numbers.column(0).to_pylist():
                name = split_name(work.batch, number)
                report = run_split(splits[number], name, work.source, work.storage, work.pane, before=seen, jump=work.jump)
                if work.in_order:
                    seen = max(seen, report.seen)
                yield pa.RecordBatch.from_pydict({"split": [number], "report": [report.to_json()]})

    return task
