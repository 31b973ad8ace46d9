"""A live run: directories are followed until somebody says stop."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from prsp.errors import EngineError, InputError, OutputFailed, PrspError
from prsp.run.chain import levels
from prsp.run.live_state import LiveRun
from prsp.run.options import RunOptions
from prsp.run.side import write_rejected
from prsp.run.summary import Summary
from prsp.transform.follow import NewFiles, follow
from prsp.transform.session import leased_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_POLL_SECONDS = 0.2


def run_live(options: RunOptions, stop: threading.Event) -> Summary:
    """Follow the streams' directories until ``stop`` is set; the window in hand is finished first."""
    if options.checkpoint is None:
        raise InputError("a live run needs --checkpoint DIR: it is where it goes on from")
    if len(levels([registered.query for registered in options.queries])) > 1:
        raise InputError("a live run cannot chain queries yet: write the registered stream to a folder that a second run follows")
    folders = {iri: source.location for iri, source in options.sources.items()}
    for iri, folder in folders.items():
        if not Path(folder).is_dir():
            raise InputError(f"stream {iri}: {folder} is not a directory; --follow reads the files that appear in one")
    run = LiveRun(options, options.checkpoint, stop)
    try:
        with run.summary.stage("start"):
            spark, release = leased_session(options.master)
        failures: list[PrspError] = []

        def on_batch(session: SparkSession, batch: int, files: NewFiles) -> None:
            try:
                run.on_batch(session, batch, files)
            except PrspError as error:
                failures.append(error)
                raise
            except OSError as error:
                failures.append(
                    OutputFailed(
                        f"{options.checkpoint} or a side output could not be written: {error.strerror or error}; "
                        "nothing that was committed is lost: make room and run the same command again"
                    )
                )
                raise

        try:
            run.evaluate_between(spark)  # what was due when an earlier run was stopped
            query = follow(spark, folders, f"{options.checkpoint}/spark", on_batch)
            while query.isActive and not stop.is_set() and not run.finished:
                stop.wait(_POLL_SECONDS)
                if options.idle is not None:
                    run.evaluate_between(spark)
            with run.lock:
                run.closing = True
                stopped = not query.isActive
            query.stop()
            if stopped and not failures:
                failures.append(EngineError(f"Spark stopped the live run: {query.exception()}"))
        finally:
            release()
        if stopped and failures:
            raise failures[0]
        if options.rejected is not None:
            write_rejected(options.rejected, run.logs, overwrite=True)
        return run.account()
    finally:
        run.close()
