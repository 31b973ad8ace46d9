"""Spark and the reference agree, element by element, on random streams and windows."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from prsp.source import StreamSource, resolve
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from tests.transform.cases import random_case

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PER_JOB = 50


def agree(spark: "SparkSession", folder: Path, first: int, count: int) -> int:
    """Cut ``count`` cases in one Spark job and check them all; gives the number of windows compared."""
    folder.mkdir()
    cases = [random_case(number) for number in range(first, first + count)]
    logs: list[PaneLog] = []
    cuttings: list[Cutting] = []
    for case in cases:
        place = folder / str(case.number)
        case.write(place)
        source = StreamSource("s", str(place / "*.nts"))
        logs.append(PaneLog.create(Storage(str(place / "log")), "s", case.pane))
        cuttings.append(Cutting(source, resolve(source), logs[-1].storage, case.pane, split_bytes=case.split_bytes))
    windows = 0
    for case, log, cutting, reports in zip(cases, logs, cuttings, cut_files(spark, cuttings), strict=True):
        log.commit(0, reports, len(cutting.files))
        windows += case.check(log)
    return windows


@pytest.mark.spark
@pytest.mark.parametrize("half", [0, 1])
def test_spark_agrees_with_the_reference_on_two_thousand_cases(spark: "SparkSession", tmp_path: Path, half: int) -> None:
    first = half * 1_000
    windows = sum(agree(spark, tmp_path / str(n), n, PER_JOB) for n in range(first, first + 1_000, PER_JOB))
    assert windows > 10_000


@pytest.mark.long
@pytest.mark.spark
def test_spark_agrees_with_the_reference_on_fifty_thousand_cases(spark: "SparkSession", tmp_path: Path) -> None:
    windows = sum(agree(spark, tmp_path / str(n), n, 500) for n in range(100_000, 150_000, 500))
    print(f"{windows} windows of 50,000 cases compared")
    assert windows > 500_000
