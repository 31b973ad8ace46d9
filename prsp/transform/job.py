"""The Spark job: every split of some sources to an executor, one pass, reports back to the driver."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prsp.errors import EnvironmentProblem, InputError
from prsp.model.pane import BEFORE_ALL
from prsp.source import SourceFile, Split, StreamSource, splits_of
from prsp.source.read import SPLIT_BYTES
from prsp.transform.failure import spark_reason
from prsp.transform.storage import Storage
from prsp.transform.task import SplitReport, run_split

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_TASKS_PER_CORE = 4

Progress = Callable[[float], None]
"""Told how much of the work is done."""
_POLL_SECONDS = 0.2


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
        if len(items) > 1 and _may_jump(cuttings[number], [report for _, report in done[number]]):
            # What arrived before an element may lie in another split: whether it jumps can only be told one after another.
            again = _run(spark, items, None, in_order=True)
            done[number] = [(name, report) for (_, name, _), report in zip(items, again, strict=True)]
    return done


def work_of(reports: Iterable[list[tuple[str, SplitReport]]]) -> dict[str, float]:
    """Seconds the workers spent reading, and cutting and writing."""
    every = [report.seconds for done in reports for _, report in done]
    return {"read": sum(s["read"] for s in every), "cut": sum(s["cut"] + s["write"] for s in every)}


def _may_jump(cutting: Cutting, reports: list[SplitReport]) -> bool:
    """Whether an element may be too far ahead of one in another split."""
    if cutting.jump is None:
        return False
    firsts = [part.first for report in reports for part in report.parts]
    spread = max((report.seen for report in reports), default=0) - min(firsts, default=0)
    return any(report.jumped for report in reports) or (cutting.seen == BEFORE_ALL and spread > cutting.jump)


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
    try:
        with _watched(spark, progress):
            collected = rows.collect()
    except Exception as error:  # whatever Spark or a worker throws
        raise EnvironmentProblem(spark_reason(error, "cutting")) from error
    for row in collected:
        report = SplitReport.from_json(row.report)
        if report.error is not None:
            raise InputError(report.error)
        reports[row.split] = report
    return [reports[number] for number in range(len(work))]


@contextmanager
def _watched(spark: SparkSession, progress: Progress | None) -> Iterator[None]:
    """While inside, tell how many of the running job's tasks have finished."""
    over = threading.Event()

    def watch(report: Progress) -> None:
        tracker = spark.sparkContext.statusTracker()
        while not over.wait(_POLL_SECONDS):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            tasks = sum(stage.numTasks for stage in stages if stage)
            if tasks:
                report(sum(stage.numCompletedTasks for stage in stages if stage) / tasks)

    if progress is None:
        yield
        return
    watcher = threading.Thread(target=watch, args=(progress,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


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
