"""The servers as fixtures: one of each per test process, started when first asked for."""

from collections.abc import Iterator

import pytest

from tests.servers.endpoint import Endpoint, serving
from tests.servers.jena import java, jena_jar
from tests.servers.oxigraph import oxigraph_serving

LIMIT = 10  # seconds a query may take: neither server stops by itself when nobody waits for the answer any more


@pytest.fixture(scope="session")
def oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """Oxigraph's server, in memory."""
    with oxigraph_serving(tmp_path_factory.mktemp("oxigraph"), limit=LIMIT) as there:
        yield there


@pytest.fixture(scope="session")
def fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """Apache Jena Fuseki, one dataset in memory."""
    start = [java(), "-Xmx1g", "-cp", str(jena_jar()), "org.apache.jena.fuseki.main.cmds.FusekiMainCmd", "--mem", "--localhost"]
    start.append(f"--timeout={LIMIT * 1000}")

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
