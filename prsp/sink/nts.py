"""Triples in the stream text format: another query can read them."""

from __future__ import annotations

from prsp.sink.sink import Line


class NtsEncoder:
    """Each triple of an evaluation with the evaluation's time; a failed one is a comment."""

    extension = "nts"

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, line: Line) -> bytes:
        """The triples of the result, none for an empty one."""
        if "error" in line:
            told = f"# failed at {line['at']}: {line['error']['kind']}: {line['error']['message']}"
            return " ".join(told.split()).encode("utf-8", "backslashreplace") + b"\n"
        return "".join(f"{triple}\t{line['at']}\n" for triple in line["triples"]).encode("utf-8", "backslashreplace")
