"""A session the user already has is used, and left to the user."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT

CODE = """
import sys
from pyspark.sql import SparkSession
from prsp.backend import backend_named
from prsp.model import PROFILES
from prsp.parse import parse_query
from prsp.run import RunOptions, register, run_bounded
from prsp.source import StreamSource

mine = SparkSession.builder.master("local[1]").appName("mine").config("spark.ui.enabled", "false").getOrCreate()
query = parse_query(open("examples/sensor.rq", encoding="utf-8").read())
sources = {"SensorStreams": StreamSource("SensorStreams", "examples/sensors.nts")}
backend = backend_named("oxigraph").from_options({})
for number in range(2):
    options = RunOptions(register([query], backend, PROFILES["prsp"]), sources, output=f"{sys.argv[1]}/{number}")
    summary = run_bounded(options)
    assert summary.reported == 2, summary
assert SparkSession.getActiveSession() is mine and mine.sparkContext.appName == "mine"
assert mine.range(3).count() == 3
mine.stop()
print("used and left alone")
"""


@pytest.mark.spark
def test_an_existing_session_is_used_and_not_stopped(tmp_path: Path) -> None:
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout == "used and left alone\n", done.stderr
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()
