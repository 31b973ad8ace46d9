"""What every operator does: pass on a signed change, or start from scratch."""

from __future__ import annotations

from abc import ABC, abstractmethod

from prsp_backends.spectra.rows import Rows

Change = tuple[Rows, Rows]
"""Rows that come and rows that go, each as a list with repetitions."""


class Operator(ABC):
    """A node of the running plan. ``variables`` are the columns of its rows, ``certain`` those that are always bound."""

    variables: tuple[str, ...]
    certain: frozenset[str]
    children: tuple[Operator, ...] = ()

    @abstractmethod
    def delta(self) -> Change:
        """The change since the last call, from the children's change and the state kept."""

    @abstractmethod
    def scan(self, *, keep: bool) -> Rows:
        """All rows from scratch; with ``keep`` the state that ``delta`` needs is built."""

    def mark(self, live: set[int]) -> None:
        """Note every term that the state refers to."""
        for child in self.children:
            child.mark(live)

    def clear(self) -> None:
        """Drop the state."""
        for child in self.children:
            child.clear()
