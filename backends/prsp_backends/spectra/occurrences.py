"""How often each triple of a graph occurs in the window: a graph is a set, and a triple leaves with its last occurrence.

This is what the paper's timelist is for (``refresh`` in Algorithms 3 and 4): renewing a triple that is there already, and
evicting it when its last time is past. prsp says which occurrences left, so counting them replaces searching timestamps.
"""

from __future__ import annotations

from collections import deque

from prsp_backends.spectra.summary import Triple


class Occurrences(dict[Triple, int]):
    """The count of each triple. The common case, triples that are new or leave for good, runs in C."""

    __slots__ = ()

    def enter(self, triples: list[Triple]) -> list[Triple]:
        """Count occurrences in; the triples that were not there."""
        fresh = dict.fromkeys(triples, 1)
        if len(fresh) == len(triples) and (not self or self.keys().isdisjoint(fresh)):
            self.update(fresh)
            return triples
        new = []
        for triple in triples:
            count = self.get(triple)
            if count is None:
                self[triple] = 1
                new.append(triple)
            else:
                self[triple] = count + 1
        return new

    def leave(self, triples: list[Triple]) -> list[Triple]:
        """Count occurrences out; the triples of which none is left."""
        if sum(map(self.__getitem__, triples)) == len(triples) == len(set(triples)):
            deque(map(self.__delitem__, triples), maxlen=0)
            return triples
        gone = []
        for triple in triples:
            count = self[triple]
            if count == 1:
                del self[triple]
                gone.append(triple)
            else:
                self[triple] = count - 1
        return gone
