"""Work spread over the executors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from prsp.errors import EnvironmentProblem
from prsp.transform.failure import spark_reason

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession


def parallelism(spark: SparkSession) -> int:
    """How many tasks run side by side."""
    return spark.sparkContext.defaultParallelism


def spread(spark: SparkSession, blocks: Sequence[bytes], work: Callable[[bytes], bytes]) -> list[bytes]:
    """What the work makes of each block, in their order; ``work`` is found by its name in the workers."""

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for numbers in batches:
            for number in numbers.column(0).to_pylist():
                outcome = pa.array([work(blocks[number])], pa.binary())
                yield pa.RecordBatch.from_arrays([pa.array([number], pa.int64()), outcome], ["block", "outcome"])

    rows = spark.range(0, len(blocks), 1, numPartitions=len(blocks)).mapInArrow(task, "block long, outcome binary")
    try:
        done = {row.block: bytes(row.outcome) for row in rows.collect()}
    except Exception as error:  # whatever Spark or a worker throws
        raise EnvironmentProblem(spark_reason(error, "evaluating")) from error
    return [done[number] for number in range(len(blocks))]
