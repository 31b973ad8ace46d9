"""Cuts and slices a stream of a given length in a process of its own and prints how large the driver became."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path

from prsp.bench.stream import write_stream
from prsp.model.pane import pane_length
from prsp.model.profile import Bounds, Strategy
from prsp.source import StreamSource, resolve
from prsp.transform import spark_session
from prsp.transform.evaluations import Evaluations, let_go
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from prsp.transform.streams import TimeStream
from prsp.trigger import Grid, policy_of


def main(elements: int) -> None:
    """Print the peak of this process in MiB."""
    with tempfile.TemporaryDirectory(prefix="prsp-bench-") as name:
        write_stream(Path(name), elements, per_second=5_000)
        source = StreamSource("s", f"{name}/*.nts")
        log = PaneLog.create(Storage(f"{name}/log"), "s", pane_length(5_000))
        spark = spark_session()
        cutting = Cutting(source, resolve(source), log.storage, log.pane)
        log.commit(0, cut_files(spark, [cutting])[0], 1)
        spark.stop()
        stream = TimeStream("s", None, log, Grid(5_000, 4_000, log.smallest or 0, Bounds.CLOSED), None)
        evaluations = Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), log.smallest or 0)
        for snapshot in evaluations.flush():
            snapshot.data()
            let_go([evaluations])
    print(json.dumps({"mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
