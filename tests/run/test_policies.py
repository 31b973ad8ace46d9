"""Every report policy, on engines that take snapshots and on one that takes the change, gives the oracle's evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.run.matrix.covering import Planned
from tests.run.matrix.engines import engine
from tests.run.matrix.expected import expected
from tests.run.matrix.going import go
from tests.run.matrix.queries import A, B

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ONE = ("join", "group", "optional", "tumbling", "gaps", "batches", "static")
TWO = ("two-streams", "named-stream")
RUNS = [
    ("arrival", "spectra", "istream", "driver", "bounded", ONE + TWO),
    ("arrival", "oxigraph", "rstream", "executors", "bounded", ONE + TWO),
    ("arrival", "oxigraph", "istream", "driver", "live", ONE),
    ("content-change", "spectra", "rstream", "driver", "bounded", ONE + TWO),
    ("content-change", "spectra", "dstream", "driver", "live", ONE),
    ("content-change", "oxigraph", "istream", "driver", "bounded", ONE + TWO),
    ("content-change+non-empty", "spectra", "istream", "driver", "live", ("join", "gaps")),
    ("window-close+content-change", "oxigraph", "rstream", "driver", "bounded", ONE + TWO),
    ("window-close+arrival+non-empty", "spectra", "rstream", "driver", "live", ONE),
    (f"content-change@{B}", "spectra", "rstream", "driver", "bounded", TWO),
    (f"arrival@{A}+non-empty@{A}", "oxigraph", "rstream", "driver", "live", TWO),
]


@pytest.mark.spark
@pytest.mark.parametrize(("report", "name", "operator", "where", "feed", "queries"), RUNS, ids=lambda value: str(value)[:30])
def test_a_policy_is_evaluated_when_the_oracle_says(
    report: str,
    name: str,
    operator: str,
    where: str,
    feed: str,
    queries: tuple[str, ...],
    request: pytest.FixtureRequest,
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    planned = Planned((name, operator, where, feed), queries)
    assert go(planned, engine(name, request), spark, tmp_path, report) == {}
    assert any(len(expected(query, operator, report)) > 2 for query in queries)
