"""Triples in the stream text format: another query can read them."""

from __future__ import annotations

from prsp.model.evaluation import Evaluation
from prsp.model.labels import in_stream


class NtsEncoder:
    """Each triple of an evaluation with the evaluation's time; a failed one is a comment."""

    extension = "nts"

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, evaluation: Evaluation) -> bytes:
        """The triples of the result, none for an empty one."""
        line = evaluation.line()
        if "error" in line:
            told = f"# failed at {line['at']}: {line['error']['kind']}: {line['error']['message']}"
            return " ".join(told.split()).encode("utf-8", "backslashreplace") + b"\n"
        triples = (in_stream(triple, evaluation.at, evaluation.seq) for triple in line["triples"])
        return "".join(f"{triple}\t{line['at']}\n" for triple in triples).encode("utf-8", "backslashreplace")
