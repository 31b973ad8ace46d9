"""Who answers ρ(Q) on a window's dataset: the naive evaluator, or an engine in its place."""

from __future__ import annotations

from prsp.backend import open_backend
from prsp.errors import InputError
from prsp.model.feature import Feature
from prsp.model.query import ContinuousQuery
from prsp.model.result import Boolean, Result, Triples
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.oracle import Answer, Dataset, Solutions, read_ntriples
from prsp.oracle.continuous import TIMESTAMP, Evaluator, Functions, naive
from prsp.oracle.dataset import Triple
from prsp.parse import parse_rho

EVALUATORS = ("naive", "oxigraph", "rdflib")
"""By name; the first is the default: slow, and nobody's engine."""


def evaluator_named(name: str, query: ContinuousQuery) -> Evaluator:
    """An evaluator that answers each dataset once."""
    if name not in EVALUATORS:
        raise InputError(f"there is no evaluator '{name}'; there is {', '.join(EVALUATORS)}")
    timed = Feature.TIMESTAMP in query.features
    if name == "naive":
        return naive if timed else _Once(naive)
    if timed:
        raise InputError(f"f:timestamp is looked up by the naive evaluator alone, not by {name}: leave --evaluator out")
    return _Once(_by_engine(name))


class _Once:
    """Remembers answers by dataset: the windows of other origins and bounds are mostly the same."""

    def __init__(self, ask: Evaluator) -> None:
        self._ask, self._known = ask, dict[object, Answer]()

    def __call__(self, text: str, dataset: Dataset, functions: Functions) -> Answer:
        key = (text, dataset.default, frozenset(dataset.named.items()))
        if key not in self._known:
            self._known[key] = self._ask(text, dataset, functions)
        return self._known[key]


def _by_engine(name: str) -> Evaluator:
    backend = open_backend(name, {})

    def ask(text: str, dataset: Dataset, functions: Functions) -> Answer:
        assert set(functions) <= {TIMESTAMP}
        graphs = [(None, dataset.default), *dataset.named.items()]
        parts = tuple(Contribution(graph or "", graph, 0, 0, (_slice(triples),)) for graph, triples in graphs)
        session = backend.prepare(parse_rho(text), NO_STATIC_DATA)
        try:
            session.load(Snapshot(0, 0, parts))
            return answer_of(session.evaluate())
        finally:
            session.close()

    return ask


def answer_of(result: Result) -> Answer:
    """An engine's answer as the oracle gives its own."""
    if isinstance(result, Boolean):
        return result.value
    return read_ntriples(result.payload) if isinstance(result, Triples) else Solutions(result.variables, result.rows())


def _slice(triples: frozenset[Triple]) -> HeldSlice:
    lines = sorted(f"{s} {p} {o} .\n" for s, p, o in triples)
    return HeldSlice(((0, "".join(lines).encode()),) if lines else ())
