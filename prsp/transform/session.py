"""The one place that makes a SparkSession."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from prsp.errors import EnvironmentProblem
from prsp.transform.java import find_java, prepare

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = "127.0.0.1"
_QUIET_LOGS = Path(__file__).with_name("log4j2.properties")

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
}


def spark_session(master: str | None = None) -> SparkSession:
    """The session to work on: the one that is already there, or a new quiet one on the loopback interface."""
    return leased_session(master)[0]


def leased_session(master: str | None = None) -> tuple[SparkSession, Callable[[], None]]:
    """The session to work on, and what to call when done: it stops a session made here, and leaves one that was there alone."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is None and SparkContext._active_spark_context is not None:
        # What is active is told by thread: in another one the session is there all the same.
        active = SparkSession.builder.getOrCreate()
    if active is not None:
        return active, _leave
    made = _new_session(master)
    return made, made.stop


def _leave() -> None:
    return


def _new_session(master: str | None) -> SparkSession:
    from pyspark.sql import SparkSession

    _choose_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
    builder = SparkSession.builder.appName("prsp").master(master or "local[*]")
    for key, value in _SETTINGS.items():
        builder = builder.config(key, value)
    builder = builder.config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={_QUIET_LOGS.as_uri()}")
    on_interrupt = signal.getsignal(signal.SIGINT)
    try:
        made = builder.getOrCreate()
    except Exception as error:  # Spark fails in many foreign ways; none of them may cross this line
        raise EnvironmentProblem(f"Spark did not start: {error}\nSee what is missing: prsp doctor") from error
    if threading.current_thread() is threading.main_thread():
        # Spark takes Ctrl-C for itself; what it means is the caller's to say.
        signal.signal(signal.SIGINT, on_interrupt)
    return made


def _choose_java() -> None:
    home = prepare(find_java())
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    os.environ["JAVA_HOME"] = str(home)
