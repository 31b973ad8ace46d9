"""How fast a query is registered: text → tuple, against rdflib's own parser on ρ(Q) alone."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

from prsp.bench.corpus import QUERIES
from prsp.bench.registry import Measured
from prsp.parse import parse_query

_BLOCK = 20


def measure(*, quick: bool = False) -> Measured:
    """Median over rounds of the time for the whole corpus, both parsers interleaved query by query."""
    from rdflib.plugins.sparql.parser import parseQuery

    started = time.perf_counter()
    rhos = {name: parse_query(text).sparql for name, text in QUERIES.items()}
    grammar = time.perf_counter() - started
    for rho in rhos.values():
        parseQuery(rho)
    ours: dict[str, list[float]] = {name: [] for name in QUERIES}
    theirs: dict[str, list[float]] = {name: [] for name in QUERIES}
    gc.disable()  # as timeit does: neither parser should pay for the other's garbage
    for _ in range(3 if quick else 15):
        for name, text in QUERIES.items():
            ours[name].append(_seconds(parse_query, text))
            theirs[name].append(_seconds(parseQuery, rhos[name]))
        gc.collect()
    gc.enable()
    ratios = {name: statistics.median(theirs[name]) / statistics.median(ours[name]) for name in QUERIES}
    return Measured(
        {"rdflib_over_prsp": statistics.geometric_mean(ratios.values()), "rdflib_over_prsp_worst": min(ratios.values())},
        {
            "per_query": {name: round(ratio, 2) for name, ratio in ratios.items()},
            "prsp_ms": {name: round(statistics.median(ours[name]) * 1000, 3) for name in QUERIES},
            "rdflib_ms": {name: round(statistics.median(theirs[name]) * 1000, 3) for name in QUERIES},
            "first_parse_with_grammar_ms": round(grammar * 1000, 1),
        },
    )


def _seconds(parse: Callable[[str], object], text: str) -> float:
    """Seconds for one parse, over a small block: the first after the other parser runs on cold caches."""
    started = time.perf_counter()
    for _ in range(_BLOCK):
        parse(text)
    return (time.perf_counter() - started) / _BLOCK
