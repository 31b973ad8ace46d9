"""One line of JSON per evaluation."""

from __future__ import annotations

from prsp.model.evaluation import Evaluation


class NdjsonEncoder:
    """SPARQL 1.1 JSON results with a frame around them."""

    extension = "ndjson"

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, evaluation: Evaluation) -> bytes:
        """The result as one line."""
        return evaluation.json() + b"\n"
