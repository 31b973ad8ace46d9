"""The engine: the paper's query conductor (Definition 8) and the answer it keeps up, by S-Inc or S-Rev.

The conductor is the counted triples of each graph (``occurrences``, the timelist) and the views with their delta plans
(``operators/pattern``); above them, operators carry the signed change through the rest of the algebra.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

from rdflib import Variable

from prsp_backends.spectra.algebra import read_query
from prsp_backends.spectra.answer import Answer
from prsp_backends.spectra.auto import Chooser, Mode
from prsp_backends.spectra.codegen import Signature
from prsp_backends.spectra.dictionary import Dictionary
from prsp_backends.spectra.expr.volatile import is_volatile
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.occurrences import Occurrences
from prsp_backends.spectra.operators.base import Change
from prsp_backends.spectra.operators.order import Sorted
from prsp_backends.spectra.operators.pattern import Matches
from prsp_backends.spectra.pause import collector_paused
from prsp_backends.spectra.rows import Bag, Row, Rows, mark_rows, repeated
from prsp_backends.spectra.running import Runner
from prsp_backends.spectra.scope import Scope
from prsp_backends.spectra.summary import Summary, Triple
from prsp_backends.spectra.translate import Translator

Graph = str | None
_LONG_JOURNAL = 64
"""Changes noted one by one before they are added up: an answer nobody asks for must not grow for ever."""


class Engine:
    """One query over graphs that change. Triples are tuples of term numbers; ``encode`` makes them from N-Triples."""

    def __init__(self, text: str, *, variables: Sequence[str] | None = None, named: Sequence[str] = (), mode: Mode = Mode.AUTO) -> None:
        self.tree, self.algebra, base = read_query(text)
        if self.tree.name == "DescribeQuery":
            raise Gap("describe", "DESCRIBE has no delta of its own")
        self.dictionary = Dictionary()
        self.named = tuple(named)
        _project(self.algebra, self.tree, variables)
        translator = Translator(self.named)
        self.plan = translator.plan(self.algebra.p, Scope())
        self.sees_names = translator.sees_names
        runner = Runner(self.dictionary, base)
        self.root = runner.run(self.plan)
        self.matches: list[Matches] = runner.matches
        self._clock = runner.clock
        self.volatile = is_volatile(self.algebra)
        self._chooser = Chooser(Mode.REV if self.volatile else mode)
        graphs: set[Graph] = {graph for matches in self.matches for graph in matches.graphs}
        self.summaries = {graph: Summary(self._views(graph), self.dictionary) for graph in graphs}
        self._counts = {graph: Occurrences() for graph in graphs}
        self._kept = False
        self._bag: Bag = {}
        self._rows: Rows | None = None
        self._base: Rows | Bag = []
        self._journal: list[Change] | None = None
        self._total = 0
        self._given: list[weakref.ref[Answer]] = []
        self._largest = 0

    def _views(self, graph: Graph) -> list[Signature]:
        return [view for matches in self.matches for view in matches.program.views if view.table < 0 and view.graph == graph]

    @property
    def variables(self) -> tuple[str, ...]:
        """The columns of the answer."""
        return self.root.variables

    @property
    def size(self) -> int:
        """How many summarised triples the graphs hold."""
        return sum(map(len, self._counts.values()))

    def encode(self, data: bytes, graph: Graph = None) -> list[Triple]:
        """The triples of N-Triples lines that the query can match, every occurrence, in order."""
        summary = self.summaries.get(graph)
        return [] if summary is None else summary.encode(data)

    def slide(self, entered: list[Triple], left: list[Triple], graph: Graph = None) -> None:
        """Go on by one change of one graph: every occurrence that entered, every occurrence that left."""
        self.change({graph: entered}, {graph: left})

    def load(self, graphs: Mapping[Graph, list[Triple]]) -> None:
        """Replace everything."""
        with collector_paused():
            self._load(graphs)

    def empty(self, kept: Iterable[Triple] = ()) -> None:
        """Let go of everything but some triples' terms, before a window is encoded that takes the place of this one."""
        self._clear()
        if self.dictionary.large:

            def mark(live: set[int]) -> None:
                self._mark(live)
                for triple in kept:
                    live.update(triple)

            self.dictionary.sweep(mark)
        self._emptied = True

    _emptied = False

    def _clear(self) -> None:
        for counts in self._counts.values():
            counts.clear()
        for matches in self.matches:
            matches.empty()
        self._forget()

    def _load(self, graphs: Mapping[Graph, list[Triple]]) -> None:
        self._clear()
        came = {graph: self._counts[graph].enter(triples) for graph, triples in graphs.items() if graph in self._counts}
        for matches in self.matches:
            matches.change(came, {}, incremental=False)
        if self._emptied:
            # All that is in the dictionary is of this window.
            self.dictionary.settle()
            self._emptied, self._largest = False, self.size
        else:
            self._sweep()

    def _forget(self) -> None:
        if self._kept and self._journal is not None:
            base = dict(self._bag)
            for row, count in _net(self._journal).items():
                base[row] = base.get(row, 0) - count
            self._base, self._journal = {row: count for row, count in base.items() if count}, None
        self.root.clear()
        # A new bag: answers given out go on reading the old one.
        self._kept, self._bag, self._rows, self._given = False, {}, None, []

    def change(self, entered: Mapping[Graph, list[Triple]], left: Mapping[Graph, list[Triple]]) -> None:
        """Go on by one change of all graphs, of an event or a slide: renew, evict, insert (Algorithm 4)."""
        with collector_paused():
            self._change(entered, left)

    def _change(self, entered: Mapping[Graph, list[Triple]], left: Mapping[Graph, list[Triple]]) -> None:
        began = perf_counter()
        came = {graph: self._counts[graph].enter(triples) for graph, triples in entered.items() if graph in self._counts}
        went = {graph: self._counts[graph].leave(triples) for graph, triples in left.items() if graph in self._counts}
        changed, window = sum(map(len, came.values())) + sum(map(len, went.values())), self.size
        incremental = self._chooser.incremental(changed, window, kept=self._kept)
        if incremental and not self._kept:
            building = perf_counter()
            self._build()
            began += perf_counter() - building
        for matches in self.matches:
            matches.change(came, went, incremental=incremental)
        if not incremental:
            self._forget()
            self._cost = perf_counter() - began
            self._sweep()
            return
        plus, minus = self.root.delta()
        self._apply(plus, minus)
        self._chooser.measured(incremental=True, changed=changed, window=window, seconds=perf_counter() - began)
        self._sweep()

    _cost = 0.0

    def _build(self) -> None:
        """The state of S-Inc from the views as they are."""
        rows = self.root.scan(keep=True)
        self._bag, self._kept, self._rows, self._total, self._given = _bag(rows), True, None, len(rows), []

    def _apply(self, plus: Rows, minus: Rows) -> None:
        if not plus and not minus:
            return
        self._tell(plus, minus)
        self._total += len(plus) - len(minus)
        bag = self._bag
        for row in plus:
            bag[row] = bag.get(row, 0) + 1
        for row in minus:
            count = bag[row] - 1
            if count:
                bag[row] = count
            else:
                del bag[row]
        if self._journal is not None:
            self._journal.append((plus, minus))
            if len(self._journal) > _LONG_JOURNAL:
                self._journal = [_split(_net(self._journal))]

    def answer(self) -> Answer:
        """The answer as it is (Rstream, Appendix A), decoded only when looked at; it stays as it is when the engine goes on."""
        decoder = self.dictionary.decoder
        if not self._kept:
            return Answer(self.variables, self._scanned(), decoder)
        if isinstance(self.root, Sorted):
            return Answer(self.variables, self.root.answer(), decoder)
        answer = Answer(self.variables, self._bag, decoder, self._total)
        if len(self._given) >= _LONG_JOURNAL:
            self._given = [reference for reference in self._given if reference() is not None]
        self._given.append(weakref.ref(answer))
        return answer

    def _scanned(self) -> Rows:
        """S-Rev (section 8.1): the answer from scratch, at most once per change."""
        if self._rows is None:
            began = perf_counter()
            self._clock.tick()
            with collector_paused():
                self._rows = self.root.scan(keep=False)
            self._chooser.measured(incremental=False, changed=0, window=self.size, seconds=self._cost + perf_counter() - began)
        return self._rows

    def settle(self) -> None:
        """Make the answer as it is the one that ``difference`` counts from."""
        if self._kept:
            self._journal, self._base = [], []
        else:
            self._journal, self._base = None, self._scanned()

    def difference(self) -> tuple[Answer, Answer]:
        """The rows that came and went since ``settle`` or the last call: Istream and Dstream. Before either the answer was empty."""
        if self._journal is not None:
            net = _net(self._journal)
        else:
            net = dict(self._bag) if self._kept else _bag(self._scanned())
            for row in repeated(self._base) if isinstance(self._base, dict) else self._base:
                net[row] = net.get(row, 0) - 1
        self.settle()
        added, removed = _split(net)
        decoder = self.dictionary.decoder
        return Answer(self.variables, added, decoder), Answer(self.variables, removed, decoder)

    def base_tokens(self) -> list[tuple[bytes | None, ...]]:
        """What ``difference`` counts from, as terms: for an engine that takes over from this one."""
        self._forget()
        return Answer(self.variables, self._base, self.dictionary.decoder).tokens()

    def rebase(self, tokens: Iterable[tuple[bytes | None, ...]]) -> None:
        """Have ``difference`` count from these rows."""
        ids = self.dictionary.ids
        self._base = [tuple([None if token is None else ids[token] for token in row]) for row in tokens]

    def _tell(self, plus: Rows, minus: Rows) -> None:
        """Let the answers that read the bag know what will change in it."""
        if self._given:
            alive = [answer for answer in (reference() for reference in self._given) if answer is not None]
            self._given = [weakref.ref(answer) for answer in alive if answer.outlive(plus, minus)]

    def _sweep(self) -> None:
        """Have the dictionary forget: when many terms came, and when most of the window went."""
        size = self.size
        self._largest = max(self._largest, size)
        if self.dictionary.due or (self.dictionary.large and size < self._largest // 4):
            self.dictionary.sweep(self._mark)
            self._largest = size

    def _mark(self, live: set[int]) -> None:
        for counts in self._counts.values():
            for triple in counts:
                live.update(triple)
        self.root.mark(live)
        mark_rows(self._bag, live)
        mark_rows(self._rows or (), live)
        mark_rows(self._base, live)
        for plus, minus in self._journal or ():
            mark_rows(plus, live)
            mark_rows(minus, live)


def _bag(rows: Iterable[Row]) -> Bag:
    bag: Bag = {}
    for row in rows:
        bag[row] = bag.get(row, 0) + 1
    return bag


def _net(journal: Iterable[Change]) -> Bag:
    net: Bag = {}
    for plus, minus in journal:
        for row in plus:
            net[row] = net.get(row, 0) + 1
        for row in minus:
            net[row] = net.get(row, 0) - 1
    return net


def _split(net: Bag) -> Change:
    added = [row for row, count in net.items() if count > 0 for _ in range(count)]
    removed = [row for row, count in net.items() if count < 0 for _ in range(-count)]
    return added, removed


def _project(algebra: Any, tree: Any, variables: Sequence[str] | None) -> None:
    """Fix the columns of the answer: rdflib has those of ``SELECT *`` in no order, and all of them for the other forms."""
    inner = algebra.p
    while inner.name != "Project":
        inner = inner.p
    if algebra.name == "AskQuery":
        inner["PV"] = []
    elif algebra.name == "SelectQuery" and variables is not None:
        inner["PV"] = [Variable(name) for name in variables]
    elif not tree.projection:
        inner["PV"] = sorted(inner.PV)
