"""Cuts a stream on a given Spark master and prints a digest of its windows: python -m tests.transform.cluster MASTER INPUT LOG."""

import hashlib
import sys

from prsp.model.profile import Bounds
from prsp.model.window import TimeWindow
from prsp.source import StreamSource, resolve
from prsp.transform import spark_session
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from tests.transform.build import content, evaluations_of, stream_of


def main(master: str, location: str, folder: str) -> None:
    source = StreamSource("s", location)
    log = PaneLog.create(Storage(folder), "s", 500)
    spark = spark_session(master)
    cutting = Cutting(source, resolve(source), log.storage, log.pane, split_bytes=400_000)
    log.commit(0, cut_files(spark, [cutting])[0], 1)
    spark.stop()
    assert log.smallest is not None
    stream = stream_of(log, TimeWindow(5_000, 4_000), log.smallest, Bounds.CLOSED)
    digest = hashlib.sha256()
    windows = 0
    for snapshot in evaluations_of(stream, log.smallest).flush():
        digest.update(repr((snapshot.at, content(snapshot))).encode())
        windows += 1
    print(windows, log.accepted, digest.hexdigest())


if __name__ == "__main__":
    main(*sys.argv[1:])
