"""A small RSP engine of its own, in plain Python around pyoxigraph, with faults that can be planted in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

import pyoxigraph as ox

Line = tuple[str, int]
"""A triple and its time, in the order they arrive."""
Rows = list[ox.QuerySolution]


class Fault(StrEnum):
    """What the engine does wrong."""

    NONE = "none"
    OPENING_BELONGS = "the instant a window opens belongs to it"
    CLOSING_DOES_NOT = "the instant a window closes does not belong to it"
    SKIPS_AFTER_GAP = "a window is skipped after a gap"
    TWICE = "evaluations come out twice"
    MOVES = "the origin moves with every answer"
    ISTREAM = "what is new comes out instead of all"
    DSTREAM = "what is gone comes out instead of all"
    SET = "rows come out once"
    DROPS_LATE = "what comes out of order is dropped"
    STALE_STATIC = "the static graph is an old one"
    NO_STATIC = "the static graph is not read"
    EMPTY_TOO = "empty windows are reported"
    ON_ARRIVAL = "it reports when an element comes"
    OTHER_ORIGIN = "its windows begin elsewhere"
    LOSES_A_ROW = "a row of each answer is lost"
    TEXT = "numbers come out as strings"
    NO_END = "windows that are open when the stream ends are not reported"


@dataclass
class TinyEngine:
    """Windows (o, o + range] from t0 on, reported at their close unless empty; the query is asked of each."""

    query: str
    range: int
    step: int
    t0: int
    static: str = ""
    old_static: str = ""
    fault: Fault = Fault.NONE
    names: list[str] = field(default_factory=list)

    def answers(self, lines: list[Line]) -> list[str]:
        """Result lines as NDJSON."""
        documents = [self._document(at, rows) for at, rows in self._let_out(self._evaluations(lines))]
        return [line for line in documents for _ in range(2 if self.fault is Fault.TWICE and line != documents[0] else 1)]

    def _evaluations(self, lines: list[Line]) -> Iterator[tuple[int, Rows]]:
        if self.fault is Fault.DROPS_LATE:
            lines = [line for i, line in enumerate(lines) if line[1] >= max((t for _, t in lines[:i]), default=line[1])]
        was_empty, largest = False, max(time for _, time in lines)
        for opens, closes in self._windows(lines):
            if self.fault is Fault.NO_END and closes >= largest:
                return
            inside = [triple for triple, time in lines if self._inside(time, opens, closes)]
            skipped = self.fault is Fault.SKIPS_AFTER_GAP and was_empty and inside
            was_empty = not inside
            if (inside or self.fault is Fault.EMPTY_TOO) and not skipped:
                yield closes, self._ask(inside)

    def _windows(self, lines: list[Line]) -> Iterator[tuple[int, int]]:
        largest = max(time for _, time in lines)
        if self.fault is Fault.ON_ARRIVAL:
            for at in sorted({time for _, time in lines}):
                opens = [o for o in range(self.t0, at, self.step) if at <= o + self.range]
                if opens:
                    yield opens[0], at
            return
        begin = self.t0 + (self.step // 2 if self.fault is Fault.OTHER_ORIGIN else 0)
        while begin < largest:
            yield begin, begin + self.range
            begin += self.step + (self.fault is Fault.MOVES)

    def _inside(self, time: int, opens: int, closes: int) -> bool:
        after = opens <= time if self.fault is Fault.OPENING_BELONGS else opens < time
        return after and (time < closes if self.fault is Fault.CLOSING_DOES_NOT else time <= closes)

    def _ask(self, triples: list[str]) -> Rows:
        static = {Fault.STALE_STATIC: self.old_static, Fault.NO_STATIC: ""}.get(self.fault, self.static)
        store = ox.Store()
        store.load("\n".join([*triples, static]).encode(), ox.RdfFormat.N_TRIPLES)
        found = store.query(self.query)
        assert isinstance(found, ox.QuerySolutions)
        self.names = [v.value for v in found.variables]
        rows = list(found)
        if self.fault is Fault.LOSES_A_ROW:
            rows = rows[1:]
        return list({str(row): row for row in rows}.values()) if self.fault is Fault.SET else rows

    def _let_out(self, evaluations: Iterator[tuple[int, Rows]]) -> Iterator[tuple[int, Rows]]:
        before: Rows = []
        for at, rows in evaluations:
            if self.fault is Fault.ISTREAM:
                yield at, _minus(rows, before)
            elif self.fault is Fault.DSTREAM:
                yield at, _minus(before, rows)
            else:
                yield at, rows
            before = rows

    def _document(self, at: int, rows: Rows) -> str:
        bindings = [{name: self._term(row[name]) for name in self.names if row[name] is not None} for row in rows]
        return json.dumps({"query": "q", "at": at, "seq": 0, "head": {"vars": self.names}, "results": {"bindings": bindings}})

    def _term(self, term: object) -> dict[str, str]:
        if isinstance(term, ox.NamedNode):
            return {"type": "uri", "value": term.value}
        assert isinstance(term, ox.Literal)
        if self.fault is Fault.TEXT:
            return {"type": "literal", "value": term.value}
        return {"type": "literal", "value": term.value, "datatype": term.datatype.value}


def _minus(left: Rows, right: Rows) -> Rows:
    gone: Counter[str] = Counter(map(str, right))
    kept = []
    for row in left:
        if gone[str(row)]:
            gone[str(row)] -= 1
        else:
            kept.append(row)
    return kept
