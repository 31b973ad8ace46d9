"""Oxigraph's server from PyPI."""

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from tests.engines import absent
from tests.servers.endpoint import Endpoint, serving


def oxigraph_serving(directory: Path, *, limit: int | None = None) -> AbstractContextManager[Endpoint]:
    """The endpoint of a new server in memory, with a limit of seconds on queries; it is stopped at the end."""
    program = Path(sys.executable).parent / "oxigraph"
    if not os.access(program, os.X_OK):
        absent("the Oxigraph server is not installed: pip install oxigraph")
    start = [str(program), "serve", *([] if limit is None else ["--timeout-s", str(limit)])]

    def endpoint(port: int) -> Endpoint:
        base = f"http://127.0.0.1:{port}"
        return Endpoint("Oxigraph server", f"{base}/query", f"{base}/update", f"{base}/store")

    return serving(lambda port: [*start, "--bind", f"127.0.0.1:{port}"], endpoint, directory)
