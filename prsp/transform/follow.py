"""Directories that grow, as a Structured Streaming query that hands over the names of new files, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

# Executors read the files themselves: of a file Spark is asked only for what its listing says, never for its content.
_SCHEMA = "path string, modificationTime timestamp, length long, content binary"
_NEVER_TOO_OLD = "36500d"

NewFiles = dict[str, list[tuple[str, int]]]
"""Per stream the new files with their sizes, by (modification time, name)."""


def local_path(path: str) -> str:
    """A path as Spark prints it, as the machine knows it: Spark puts ``file:`` before it and escapes nothing."""
    return "/" + path.removeprefix("file:").lstrip("/") if path.startswith("file:") else path


def follow(
    spark: SparkSession,
    folders: Mapping[str, str],
    checkpoint: str,
    on_batch: Callable[[SparkSession, int, NewFiles], None],
    *,
    files_per_batch: int = 1_000,
    until_now: bool = False,
) -> StreamingQuery:
    """Start following; ``on_batch`` is called once per batch, and again with the same batch after a crash.

    With ``until_now`` it ends when the files there are have been dealt with.
    """
    from pyspark.sql import functions as f

    frames = [
        spark.readStream.format("binaryFile")
        .schema(_SCHEMA)
        .option("maxFileAge", _NEVER_TOO_OLD)
        .option("maxFilesPerTrigger", files_per_batch)
        .load(folder)
        .select(f.lit(stream).alias("stream"), "path", f.unix_micros("modificationTime").alias("modified"), "length")
        for stream, folder in folders.items()
    ]

    def handle(batch: DataFrame, number: int) -> None:
        rows = sorted(batch.collect(), key=lambda row: (row.modified, row.path))
        files: NewFiles = {}
        for row in rows:
            files.setdefault(row.stream, []).append((local_path(row.path), row.length))
        on_batch(batch.sparkSession, number, files)

    writer = reduce(lambda a, b: a.union(b), frames).writeStream.foreachBatch(handle).option("checkpointLocation", checkpoint)
    return (writer.trigger(availableNow=True) if until_now else writer).start()
