"""Results: an engine's whole answer as a value, decoded only when somebody looks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Solutions:
    """A bag of solutions, as SPARQL 1.1 JSON bytes."""

    payload: bytes

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        document = json.loads(self.payload)
        return {"head": document["head"], "results": document["results"]}


@dataclass(frozen=True, slots=True)
class Boolean:
    """The answer of an ASK."""

    value: bool

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        return {"boolean": self.value}


@dataclass(frozen=True, slots=True)
class Triples:
    """The answer of a CONSTRUCT or DESCRIBE, as N-Triples."""

    payload: bytes

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer: each triple once, sorted."""
        return {"triples": sorted({line for line in self.payload.decode().split("\n") if line})}


Result = Solutions | Boolean | Triples
