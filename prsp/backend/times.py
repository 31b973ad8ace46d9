"""The graph of times: what f:timestamp is looked up in, given to an engine as one more contribution to every snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from uuid import uuid4

from prsp.model.pane import BEFORE_ALL
from prsp.model.query import TIMES, TIMES_AT, TIMES_OF, Rho
from prsp.model.snapshot import Contribution, Slice, Snapshot, may_have_blank_nodes
from prsp.model.term import XSD

_LINES = "".join(f"%b <{name}> %b .\n" for name in (*TIMES_OF, TIMES_AT)).encode()
_TIME = f'"%d"^^<{XSD}integer>'.encode()


class Times:
    """The graph of times of one session, under a name of its own: several sessions may use one endpoint."""

    def __init__(self, predicates: Iterable[str] = ()) -> None:
        self._graph = f"{TIMES}:{uuid4()}"
        self._predicates = frozenset(f"<{predicate}>".encode() for predicate in predicates)
        """The predicates of the triples that have to be in it; none: every triple has to."""
        self._known: dict[tuple[int, Slice], dict[bytes, int]] = {}
        """What the slices of the last snapshot say; most of them are in the next one, too."""

    def named_in(self, rho: Rho) -> Rho:
        """ρ(Q) that looks in this graph."""
        return replace(rho, text=rho.text.replace(f"<{TIMES}>", f"<{self._graph}>"))

    def added_to(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with the largest time of every triple that its streams contribute."""
        known: dict[tuple[int, Slice], dict[bytes, int]] = {}
        latest: dict[bytes, int] = {}
        for number, contribution in enumerate(snapshot.contributions):
            # Slices of different streams may be equal: the number keeps them apart.
            for key in ((number, piece) for piece in contribution.slices):
                known[key] = self._known.get(key) or self._latest(key[1])
                for triple, time in known[key].items():
                    if time > latest.get(triple, BEFORE_ALL):
                        latest[triple] = time
        self._known = known
        times = Contribution(TIMES, self._graph, None, None, (_TimesSlice(latest),))
        return replace(snapshot, contributions=(*snapshot.contributions, times))

    def _latest(self, piece: Slice) -> dict[bytes, int]:
        found: dict[bytes, int] = {}
        for time, lines in piece.items():
            for line in lines.split(b"\n"):
                if line and (not self._predicates or line.split(b" ", 2)[1] in self._predicates):
                    found[line] = max(time, found.get(line, time))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _TimesSlice:
    """A triple (its N-Triples line) is an element, and its time is that element's; with another time it is another element."""

    latest: Mapping[bytes, int]

    @property
    def elements(self) -> int:
        """How many triples have a time."""
        return len(self.latest)

    @property
    def triples(self) -> int:
        """How many lines that makes."""
        return len(self.latest) * (len(TIMES_OF) + 1)

    @property
    def blank_nodes(self) -> bool:
        """Whether a blank node may be in it."""
        return any(may_have_blank_nodes(triple) for triple in self.latest)

    def data(self) -> bytes:
        """The entries as N-Triples lines."""
        return b"".join(_entry(triple, time) for triple, time in self.latest.items())

    def times(self) -> list[int]:
        """The time of each triple."""
        return list(self.latest.values())

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Each entry: its time and its lines."""
        return ((time, _entry(triple, time)) for triple, time in self.latest.items())

    def minus(self, others: Iterable[Slice], /) -> list[Slice]:
        """The entries that none of the others has; they are the same where triple and time are."""
        rest = self.latest
        for other in others:
            if isinstance(other, _TimesSlice):
                rest = {triple: time for triple, time in rest.items() if other.latest.get(triple) != time}
        return [_TimesSlice(rest)] if rest else []


def _entry(line: bytes, time: int) -> bytes:
    subject, predicate, rest = line.split(b" ", 2)
    # The same triple has the same node in every snapshot, so that only times change.
    node = f"<{TIMES}:{blake2b(line, digest_size=16).hexdigest()}>".encode()
    return _LINES % (node, subject, node, predicate, node, rest.removesuffix(b" ."), node, _TIME % time)
