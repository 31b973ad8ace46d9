"""One line of JSON per evaluation."""

from __future__ import annotations

import json

from prsp.sink.sink import Line


class NdjsonEncoder:
    """SPARQL 1.1 JSON results with a frame around them."""

    extension = "ndjson"

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, line: Line) -> bytes:
        """The result as one line."""
        return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"
