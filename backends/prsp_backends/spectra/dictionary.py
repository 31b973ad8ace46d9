"""The term dictionary: N-Triples bytes to small integers and back, forgetting what left the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prsp_backends.spectra.decoder import Decoder
from prsp_backends.spectra.node import Node, read_node

_SLACK = 4096
"""Below this many terms nothing is swept: the sweep would cost more than it frees."""


class Ids(dict[bytes, int]):
    """The integer of each term; looking up a new term numbers it, so the hot loop is one dictionary access."""

    __slots__ = ("next", "text")

    def __init__(self) -> None:
        super().__init__()
        self.text: dict[int, bytes] = {}
        self.next = 1

    def __missing__(self, token: bytes) -> int:
        number = self.next
        self.next = number + 1
        self[token] = number
        self.text[number] = token
        return number


class Nodes(dict[int, Node]):
    """The decoded value of each term, decoded when first asked for."""

    __slots__ = ("_ids",)

    def __init__(self, ids: Ids) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, number: int) -> Node:
        node = self[number] = read_node(self._ids.text[number])
        return node


class Dictionary:
    """Terms as integers. Numbers are never used twice, so an old answer stays right as long as it keeps its decoder."""

    __slots__ = ("_caches", "_next_sweep", "_pinned", "decoder", "ids", "nodes")

    def __init__(self) -> None:
        self.ids = Ids()
        self.nodes = Nodes(self.ids)
        self.decoder = Decoder(self.ids.text)
        self._pinned: set[int] = set()
        self._caches: list[dict[int, bool]] = []
        self._next_sweep = _SLACK

    def pin(self, token: bytes) -> int:
        """The integer of a term of the query itself, which is never forgotten."""
        number = self.ids[token]
        self._pinned.add(number)
        return number

    def encode(self, node: Node) -> int:
        """The integer of a computed term."""
        return self.ids[node.token()]

    def cache(self, memo: dict[int, bool]) -> None:
        """Have a per-term cache forget the terms that are forgotten."""
        self._caches.append(memo)

    @property
    def due(self) -> bool:
        """Whether enough terms came since the last sweep to make one worth its time."""
        return len(self.ids) >= self._next_sweep

    @property
    def large(self) -> bool:
        """Whether there are enough terms to make a sweep worth its time when most of them may be gone."""
        return len(self.ids) >= _SLACK

    def settle(self) -> None:
        """Take what is here for the window: there is nothing to forget before as much again has come."""
        self._next_sweep = max(_SLACK, 2 * len(self.ids))

    def sweep(self, mark: Callable[[set[int]], None]) -> None:
        """Forget every term that ``mark`` does not add to the set it is given."""
        live = set(self._pinned)
        mark(live)
        ids, text = self.ids, self.ids.text
        # A new table instead of deletions: answers given out earlier keep reading the old one.
        kept = {number: text[number] for number in live if number in text}
        if 2 * len(kept) < len(text):
            self._keep(kept)
        else:
            self._drop([number for number in text if number not in kept])
        ids.text = kept
        self.decoder = self.decoder.reduced(kept)
        self.settle()

    def _keep(self, kept: dict[int, bytes]) -> None:
        """Make the tables anew, where most of them goes."""
        self.ids.clear()
        self.ids.update((token, number) for number, token in kept.items())
        for table in self._tables():
            stay = {number: table[number] for number in kept if number in table}
            table.clear()
            table.update(stay)

    def _drop(self, dead: list[int]) -> None:
        """Take the dead out of the tables."""
        ids, text = self.ids, self.ids.text
        for number in dead:
            del ids[text[number]]
        for table in self._tables():
            for number in dead:
                table.pop(number, None)

    def _tables(self) -> list[dict[int, Any]]:
        """Everything that is known by a term's number."""
        return [self.nodes, *self._caches]
