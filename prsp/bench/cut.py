"""How fast streams are cut: text to durable panes with checking and accounting, against Spark passing the same text through."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prsp.bench.registry import Measured
from prsp.bench.stream import write_stream
from prsp.model.pane import pane_length
from prsp.model.profile import Bounds, Strategy
from prsp.source import StreamSource, resolve
from prsp.source.files import describe
from prsp.transform import spark_session
from prsp.transform.controls import count_batches, pass_through
from prsp.transform.evaluations import Evaluations, let_go
from prsp.transform.follow import NewFiles, follow
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from prsp.transform.streams import TimeStream
from prsp.trigger import Grid, policy_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PER_SECOND = 20_000
_START = 1_483_850_232_556
_SETTINGS = {"bounded_5s_4s": (5_000, 4_000), "bounded_60s_1s": (60_000, 1_000)}


def measure(*, quick: bool = False) -> Measured:
    """Medians over rounds in which every contestant runs once, the order turning."""
    elements, rounds, files = (400_000, 3, 4) if quick else (2_000_000, 5, 20)
    seconds: dict[str, list[float]] = {}
    stages: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="prsp-bench-") as name:
        folder = Path(name)
        (folder / "bounded").mkdir()
        (folder / "live").mkdir()
        write_stream(folder / "bounded", elements, per_second=_PER_SECOND)
        write_stream(folder / "live", elements, per_second=_PER_SECOND, files=files)
        spark = spark_session()
        contestants: dict[str, Callable[[], object]] = {
            "identity": lambda: pass_through(spark, str(folder / "bounded")),
            **{key: partial(_bounded, spark, folder, window, stages) for key, window in _SETTINGS.items()},
            "counting": lambda: count_batches(spark, str(folder / "live"), str(folder / "work" / "counting"), files_per_batch=2),
            "live": lambda: _live(spark, folder),
        }
        for number in range(rounds + 1):
            names = list(contestants)
            for key in names[number % len(names) :] + names[: number % len(names)]:
                shutil.rmtree(folder / "work", ignore_errors=True)
                started = time.perf_counter()
                contestants[key]()
                if number:  # the first round warms up
                    seconds.setdefault(key, []).append(time.perf_counter() - started)
        spark.stop()
    middle = {key: statistics.median(values) for key, values in seconds.items()}
    ratios = {key: middle["identity"] / middle[key] for key in _SETTINGS} | {"live": middle["counting"] / middle["live"]}
    memory = {n: _driver_memory(n) for n in ((100_000, 400_000) if quick else (500_000, 4_000_000))}
    least, most = memory.values()
    return Measured(
        {**ratios, "driver_memory_growth": most / least},
        {
            "elements": elements,
            "seconds": {key: round(value, 2) for key, value in middle.items()},
            "elements_per_second": {key: round(elements / value) for key, value in middle.items()},
            "seconds_by_stage_60s_1s": {key: round(value, 2) for key, value in stages.items()},
            "driver_memory_mib": memory,
        },
    )


def _bounded(spark: SparkSession, folder: Path, window: tuple[int, int], stages: dict[str, float]) -> None:
    window_range, step = window
    source = StreamSource("s", str(folder / "bounded"))
    log = PaneLog.create(Storage(str(folder / "work" / "log")), "s", pane_length(window_range))
    cutting = Cutting(source, resolve(source), log.storage, log.pane)
    started = time.perf_counter()
    (reports,) = cut_files(spark, [cutting])
    cut = time.perf_counter()
    parts = log.commit(0, reports, len(cutting.files))
    stream = TimeStream("s", None, log, Grid(window_range, step, log.smallest or 0, Bounds.CLOSED), None)
    list(stream.account(parts))
    assert stream.tally.in_windows == log.accepted, "every element of this stream is in some window"
    done = time.perf_counter()
    stages.clear()
    stages.update({"cut on executors": cut - started, "index and account": done - cut})
    stages.update({f"workers: {name}": sum(r.seconds[name] for _, r in reports) for name in ("read", "cut", "write")})


def _live(spark: SparkSession, folder: Path) -> None:
    source = StreamSource("s", str(folder / "live"))
    log = PaneLog.create(Storage(str(folder / "work" / "log")), "s", pane_length(5_000))
    stream = TimeStream("s", None, log, Grid(5_000, 4_000, _START, Bounds.CLOSED), 0)
    evaluations = Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), _START)

    def on_batch(session: SparkSession, batch: int, files: NewFiles) -> None:
        described = [describe(source, name) for name, _ in files["s"]]
        (reports,) = cut_files(session, [Cutting(source, described, log.storage, log.pane, batch, log.files, seen=log.largest)])
        list(stream.account(log.commit(batch, reports, len(described))))
        for _ in evaluations.due():
            let_go([evaluations])

    query = follow(spark, {"s": source.location}, str(folder / "work" / "spark"), on_batch, files_per_batch=2, until_now=True)
    query.awaitTermination()


def _driver_memory(elements: int) -> float:
    """The largest size of the driver's Python process, in MiB, while it cuts and slices so many elements."""
    done = subprocess.run([sys.executable, "-m", "prsp.bench.memory", str(elements)], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["mib"])
