"""What one evaluation holds fixed, and the state it needs: the time, chance, new blank nodes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from random import Random

from prsp.model.term import XSD, BlankNode, Literal, Term
from prsp.oracle.dataset import Dataset, Graph


class Context:
    """One evaluation: its graphs, its NOW, its random numbers and its new blank nodes."""

    def __init__(self, dataset: Dataset, now: datetime, base: str | None, functions: Mapping[str, Callable[..., Term]], seed: int) -> None:
        self.default = Graph(dataset.default)
        self.named = {name: Graph(dataset.named[name]) for name in sorted(dataset.named)}
        self.now = Literal(now.isoformat().replace("+00:00", "Z"), XSD + "dateTime")
        self.base = base
        self.functions = functions
        self.random = Random(seed)
        self._made = 0
        self._prefix = "o"
        while any(label.startswith(self._prefix) for label in dataset.blank_nodes()):
            self._prefix += "o"

    def blank_node(self) -> BlankNode:
        """A blank node that is nowhere else."""
        self._made += 1
        return BlankNode(f"{self._prefix}{self._made}")

    def uuid(self) -> str:
        """A new UUID, as text."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression or pattern stands: the evaluation, the active graph, and the labels BNODE has given in this solution."""

    context: Context
    graph: Graph
    labels: dict[str, BlankNode]
