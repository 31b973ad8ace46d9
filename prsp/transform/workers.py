"""Checks that Spark can start Python workers here and exchange Arrow batches with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prsp.errors import EnvironmentProblem
from prsp.transform.session import leased_session

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 8


def check_workers() -> str:
    """What the workers are; EnvironmentProblem when they do not answer rightly."""
    spark, release = leased_session()
    try:
        versions = {row[0] for row in spark.range(_ROWS, numPartitions=2).mapInArrow(_versions, "version string").collect()}
    except Exception as error:  # whatever the JVM throws
        raise EnvironmentProblem(f"Spark started, but its Python workers did not: {error}") from error
    finally:
        release()
    return f"Python {', '.join(sorted(versions))}, Arrow batches pass"


def _versions(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import platform

    import pyarrow as pa

    for batch in batches:
        yield pa.RecordBatch.from_pydict({"version": [platform.python_version()] * batch.num_rows})
