"""A Spark DataFrame as a stream: its rows are written as text, which is then cut like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prsp.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

_TERMS = ("subject", "predicate", "object")


def is_frame(value: object) -> bool:
    """Whether a value is a Spark DataFrame, told without importing Spark for values that are none."""
    return type(value).__module__.partition(".")[0] == "pyspark" and type(value).__name__ == "DataFrame"


def is_streaming(frame: DataFrame) -> bool:
    """Whether the frame has no end."""
    return bool(frame.isStreaming)


def write_frame(frame: DataFrame, folder: str) -> None:
    """Write a bounded frame's rows as the stream text format."""
    _lines(frame).write.text(folder)


def pour_frame(frame: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Write a streaming frame's rows to files of a folder as they come, each once, also after a restart; stop it by what is returned."""
    return _lines(frame).writeStream.format("text").option("checkpointLocation", checkpoint).start(folder)


def _lines(frame: DataFrame) -> DataFrame:
    from pyspark.sql import functions as f

    columns = set(frame.columns)
    if "timestamp" not in columns or not ("triple" in columns or columns.issuperset(_TERMS)):
        raise InputError(
            f"a DataFrame as a stream has the columns triple, timestamp, or subject, predicate, object, timestamp (N-Triples text); "
            f"this one has {', '.join(frame.columns)}"
        )
    triple = f.col("triple") if "triple" in columns else f.concat(f.concat_ws(" ", *(f.col(name) for name in _TERMS)), f.lit(" ."))
    # A null is written as a word, so that the element is rejected and counted, not lost.
    parts = [f.coalesce(part, f.lit("null")) for part in (triple, _milliseconds(frame))]
    return frame.select(f.concat_ws("\t", *parts).alias("value"))


def _milliseconds(frame: DataFrame) -> Column:
    from pyspark.sql import functions as f

    kind = frame.schema["timestamp"].dataType.typeName()
    column = f.unix_millis(f.col("timestamp")) if kind == "timestamp" else f.col("timestamp").cast("long")
    return column.cast("string")
