"""The servers as fixtures: one of each per test process, started when first asked for."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines import absent
from tests.servers.endpoint import Endpoint, serving
from tests.servers.jena import java, jena_jar


@pytest.fixture(scope="session")
def oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """Oxigraph's server, in memory."""
    program = Path(sys.executable).parent / "oxigraph"
    if not os.access(program, os.X_OK):
        absent("the Oxigraph server is not installed: pip install oxigraph")

    def endpoint(port: int) -> Endpoint:
        base = f"http://127.0.0.1:{port}"
        return Endpoint("Oxigraph server", f"{base}/query", f"{base}/update", f"{base}/store")

    with serving(
        lambda port: [str(program), "serve", "--bind", f"127.0.0.1:{port}"], endpoint, tmp_path_factory.mktemp("oxigraph")
    ) as there:
        yield there


@pytest.fixture(scope="session")
def fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """Apache Jena Fuseki, one dataset in memory."""
    start = [java(), "-Xmx1g", "-cp", str(jena_jar()), "org.apache.jena.fuseki.main.cmds.FusekiMainCmd", "--mem", "--localhost"]

    def endpoint(port: int) -> Endpoint:
        base = f"http://127.0.0.1:{port}/ds"
        return Endpoint("Fuseki", f"{base}/query", f"{base}/update", f"{base}/data", unnamed="urn:x-arq:DefaultGraph")

    with serving(lambda port: [*start, f"--port={port}", "/ds"], endpoint, tmp_path_factory.mktemp("fuseki")) as there:
        yield there


@pytest.fixture(params=["oxigraph_server", "fuseki"])
def endpoint(request: pytest.FixtureRequest) -> Endpoint:
    """Each server in turn."""
    there: Endpoint = request.getfixturevalue(request.param)
    return there
