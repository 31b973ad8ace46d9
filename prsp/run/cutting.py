"""Whole streams, cut into logs that are still empty: one job for all of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from prsp.run.summary import Summary
from prsp.source import SourceFile, StreamSource, resolve
from prsp.transform.job import Cutting, Progress, cut_files, work_of
from prsp.transform.log import PaneLog

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def cut_into(
    spark: SparkSession,
    new: Mapping[str, tuple[StreamSource, PaneLog]],
    files: Mapping[str, list[SourceFile]],
    summary: Summary,
    *,
    split_bytes: int,
    progress: Progress | None = None,
) -> None:
    """Cut each source into its log; ``files`` are those found already. Reading and cutting share the time, as they do the workers'."""
    cuttings = []
    for iri, (source, log) in new.items():
        found = files[iri] if iri in files else resolve(source)
        cuttings.append(Cutting(source, found, log.storage, log.pane, split_bytes=split_bytes))
    began = time.perf_counter()
    reports = cut_files(spark, cuttings, progress)
    for (_, log), cutting, done in zip(new.values(), cuttings, reports, strict=True):
        log.commit(0, done, len(cutting.files))
    summary.share(time.perf_counter() - began, work_of(reports))
