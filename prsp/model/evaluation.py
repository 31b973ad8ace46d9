"""Evaluations: what one query answered at one instant, or why it could not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prsp.model.result import Boolean, JsonSolutions, Result, Row, Solutions, Triples
from prsp.model.snapshot import Snapshot

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class WindowBounds:
    """What one stream contributed: its window, and how many elements and triples, every occurrence counted."""

    stream: str
    open: int | None
    close: int | None
    elements: int
    triples: int


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an evaluation failed."""

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation of one query. ``id`` is the same for every backend, path and machine.

    ``result`` is what the streaming operator let out, None when the evaluation failed; then ``failure`` says why.
    """

    id: str
    query: str
    at: int
    seq: int
    windows: tuple[WindowBounds, ...]
    profile: str
    operator: str
    result: Result | None
    failure: Failure | None = None

    def line(self) -> dict[str, Any]:
        """The keys of a result line, in their order."""
        document = self._frame()
        if self.failure is not None:
            document["error"] = {"kind": self.failure.kind, "message": self.failure.message}
        elif self.result is not None:
            document |= self.result.frame()
        return document

    def json(self) -> bytes:
        """The result line as compact JSON; solutions that are compact JSON already are not read again."""
        if isinstance(self.result, Solutions):
            payload = self.result.json()
            if payload.startswith(_COMPACT) and b"\n" not in payload:
                return _dumped(self._frame())[:-1] + b"," + payload[1:]
        return _dumped(self.line())

    def rows(self) -> list[Row]:
        """The solutions of a SELECT as terms; ValueError for anything else."""
        return self._solutions().rows()

    def arrow(self) -> pa.Table:
        """A SELECT's solutions, a column a variable, or the triples of a CONSTRUCT or DESCRIBE, as N-Triples text."""
        if isinstance(self.result, Triples):
            return self.result.arrow()
        return self._solutions().arrow()

    def pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        frame: pd.DataFrame = self.arrow().to_pandas()
        return frame

    def __bool__(self) -> bool:
        """Whether the evaluation succeeded."""
        return self.failure is None

    def _solutions(self) -> Solutions:
        if isinstance(self.result, Solutions):
            return self.result
        if self.failure is not None:
            raise ValueError(f"{self.query} failed at {self.at}: {self.failure.kind}: {self.failure.message}")
        what = "true or false: see .result" if isinstance(self.result, Boolean) else "triples: see .result or .arrow()"
        raise ValueError(f"the answer of {self.query} is {what}")

    def _frame(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "query": self.query,
            "at": self.at,
            "seq": self.seq,
            "windows": [
                {"stream": w.stream, "open": w.open, "close": w.close, "elements": w.elements, "triples": w.triples} for w in self.windows
            ],
            "profile": self.profile,
            "operator": self.operator,
        }


_COMPACT = b'{"head":{"vars":['
"""How compact JSON of solutions begins; Fuseki's has blanks and line feeds and is written anew."""


def bounds_of(snapshot: Snapshot) -> tuple[WindowBounds, ...]:
    """The windows of a snapshot without their content."""
    return tuple(WindowBounds(c.stream, c.open, c.close, c.elements, c.triples) for c in snapshot.contributions)


def compact(result: Result) -> Result:
    """The answer as it is cheapest to send and to write: solutions as JSON bytes."""
    return JsonSolutions(result.json()) if isinstance(result, Solutions) else result


def _dumped(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
