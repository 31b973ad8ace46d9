"""The Spark job: every split of some sources to an executor, one pass, reports back to the driver."""

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

Progress = Callable[[int, float], None]
"""Told how many elements have been cut, and how much of the work is done."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """Files of one stream to be cut into one log's folder.

    With ``jump``, an element more than so many milliseconds after everything that arrived before it is rejected; ``seen`` is the
    largest time of the log.
    """

    source: StreamSource
    files: list[SourceFile]
    storage: Storage
    pane: int
    batch: int = 0
    first_number: int = 0
    split_bytes: int = SPLIT_BYTES
    seen: int = BEFORE_ALL
    jump: int | None = None


Work = list[tuple[Cutting, str, Split]]
"""Splits with what they belong to and their names, in the order of arrival."""


def cut_files(spark: SparkSession, cuttings: list[Cutting], progress: Progress | None = None) -> list[list[tuple[str, SplitReport]]]:
    """Cut everything in one job; for each cutting the names and reports of its splits, in the order of arrival."""
    done: list[list[tuple[str, SplitReport]]] = [[] for _ in cuttings]
    work = [_work(cutting) for cutting in cuttings]
    everything = [item for items in work for item in items]
    reports = iter(_run(spark, everything, progress, in_order=False))
    for number, items in enumerate(work):
        done[number] = [(name, next(reports)) for _, name, _ in items]
        if len(items) > 1 and any(report.jumped for _, report in done[number]):
            # What arrived before an element may lie in another split: whether it jumps can only be told one after another.
            again = _run(spark, items, None, in_order=True)
            done[number] = [(name, report) for (_, name, _), report in zip(items, again, strict=True)]
    return done


def _work(cutting: Cutting) -> Work:
    splits = splits_of(cutting.files, cutting.first_number, cutting.split_bytes)
    # The same name when the batch is cut again, so a replay overwrites itself.
    return [(cutting, f"{cutting.batch:012d}-{number:06d}", split) for number, split in enumerate(splits)]


def _run(spark: SparkSession, work: Work, progress: Progress | None, *, in_order: bool) -> list[SplitReport]:
    if not work:
        return []
    tasks = 1 if in_order else min(len(work), spark.sparkContext.defaultParallelism * _TASKS_PER_CORE)
    rows = spark.range(0, len(work), 1, numPartitions=tasks).mapInArrow(_task(work, in_order=in_order), "split long, report string")
    reports: dict[int, SplitReport] = {}
    for row in rows.toLocalIterator(prefetchPartitions=True) if progress else rows.collect():
        report = SplitReport.from_json(row.report)
        if report.error is not None:
            raise InputError(report.error)
        reports[row.split] = report
        if progress:
            progress(sum(r.accepted for r in reports.values()), len(reports) / len(work))
    return [reports[number] for number in range(len(work))]


def _task(work: Work, *, in_order: bool) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        seen = BEFORE_ALL
        for numbers in batches:
            for number in numbers.column(0).to_pylist():
                cutting, name, split = work[number]
                before = max(cutting.seen, seen)
                report = run_split(split, name, cutting.source, cutting.storage, cutting.pane, before=before, jump=cutting.jump)
                if in_order:
                    seen = max(seen, report.seen)
                yield pa.RecordBatch.from_pydict({"split": [number], "report": [report.to_json()]})

    return task
