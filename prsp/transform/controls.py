"""What Spark does with the same input when it does next to nothing: the controls of the benchmarks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prsp.source.read import SPLIT_BYTES

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


def pass_through(spark: SparkSession, path: str) -> None:
    """Every line of some text through an identity ``mapInArrow``, written nowhere."""
    spark.conf.set("spark.sql.files.maxPartitionBytes", SPLIT_BYTES)
    spark.read.text(path).mapInArrow(_identity, "value string").write.format("noop").mode("overwrite").save()


def count_batches(spark: SparkSession, folder: str, checkpoint: str, *, files_per_batch: int) -> None:
    """A directory of text as a stream whose ``foreachBatch`` only counts the lines."""
    lines = spark.readStream.option("maxFilesPerTrigger", files_per_batch).text(folder)
    query = lines.writeStream.foreachBatch(_count).option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
    query.awaitTermination()


def _identity(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return batches


def _count(batch: DataFrame, _number: int) -> None:
    batch.count()
