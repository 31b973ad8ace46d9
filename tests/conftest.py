"""Fixtures every test can use."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

# Short-lived Spark: compiling lightly and collecting in one thread starts sooner on few cores.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

from tests.servers.fixtures import endpoint, fuseki, oxigraph_server  # noqa: F401  # fixtures are found by name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator["SparkSession"]:
    """One quiet local session for all tests of a process."""
    from prsp.transform import spark_session

    session = spark_session("local[2]")
    yield session
    session.stop()
