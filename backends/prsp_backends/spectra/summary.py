"""GraphSummary (Algorithm 2): which lines of N-Triples can matter to the query, told from their bytes alone.

Lines 5 and 6 of the algorithm, before line 7 encodes anything; ``routing`` puts the encoded triples into the views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

from prsp_backends.spectra.codegen import Signature
from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.pause import collector_paused

Triple = tuple[int, int, int]
Constants = tuple[bytes | None, bytes | None, bytes | None]


class Summary:
    """The lines of one graph that fit a triple pattern, as encoded triples; terms of other lines are never encoded.

    A line is dropped by its predicate, then by constant subjects and objects of the patterns with that predicate.
    """

    __slots__ = ("_all", "_ids", "_predicates", "_targets", "_triples", "wanted")

    def __init__(self, views: Iterable[Signature], dictionary: Dictionary) -> None:
        self.wanted: list[Constants] = list(dict.fromkeys(view.constants for view in views))
        self._ids = dictionary.ids
        self._all = (None, None, None) in self.wanted
        by_predicate: dict[bytes, list[Constants]] = {}
        for constants in self.wanted:
            if constants[1] is not None:
                by_predicate.setdefault(constants[1], []).append(constants)
        self._predicates = {predicate: dictionary.pin(predicate) for predicate in by_predicate}
        self._targets = {
            predicate: frozenset(c[2] for c in patterns)
            for predicate, patterns in by_predicate.items()
            if all(c[0] is None and c[2] is not None for c in patterns)
        }
        # Constant subjects and variable predicates with constants beside them are rare: they are matched one by one.
        self._triples = [c for c in self.wanted if c[1] is None or c[0] is not None]

    def encode(self, data: bytes) -> list[Triple]:
        """The triples that can matter, every occurrence, in order."""
        if not self.wanted or not data:
            return []
        # Only the end of a line has a blank, a dot and a line feed: inside literals line feeds are escaped.
        lines = (data if data.endswith(b"\n") else data + b"\n").split(b" .\n")
        lines.pop()
        ids, known, targets = self._ids, self._predicates.get, self._targets
        found = map(bytes.split, lines, repeat(b" "), repeat(2))
        with collector_paused():
            if self._all:
                return [(ids[s], ids[p], ids[o]) for s, p, o in found]
            if self._triples:
                return [(ids[s], ids[p], ids[o]) for s, p, o in self._fitting(found)]
            if targets:
                return [(ids[s], n, ids[o]) for s, p, o in found if (n := known(p)) and (p not in targets or o in targets[p])]
            return [(ids[s], n, ids[o]) for s, p, o in found if (n := known(p))]

    def _fitting(self, found: Iterable[list[bytes]]) -> Iterator[list[bytes]]:
        for parts in found:
            if any(all(c is None or c == part for c, part in zip(constants, parts, strict=True)) for constants in self.wanted):
                yield parts
