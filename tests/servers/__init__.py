"""Real SPARQL engines for tests: servers on 127.0.0.1 that last a test session, and Jena's command line."""

from tests.servers.endpoint import Endpoint
from tests.servers.jena import arq_command, arq_script, jena_jar

__all__ = ["Endpoint", "arq_command", "arq_script", "jena_jar"]
