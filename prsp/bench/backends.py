"""What our layer costs: a window through a backend against a bare script doing the same with the engine's own calls."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from operator import itemgetter

from prsp.backend import Feed, open_backend, open_feed
from prsp.bench.bare import Times, bare_oxigraph
from prsp.bench.registry import Measured
from prsp.bench.servers import oxigraph_server
from prsp.bench.stream import observation
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.parse import parse_rho

_QUERY = """PREFIX om: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
SELECT ?sensor ?obs ?value WHERE {
  ?obs om:observedProperty weather:_AirTemperature ; om:procedure ?sensor ; om:result [ om:floatValue ?value ] }"""
_SIZES = {"7k": 1_000, "35k": 5_000}
"""Windows of PRSP's least and largest load: 1,000 and 5,000 observations of seven triples."""

Contestant = Callable[[bytes, Snapshot], Times]
"""Loads a window and answers the query."""


def measure(*, quick: bool = False) -> Measured:
    """Medians over rounds of EET, ours over the bare script's."""
    number = 5 if quick else 31
    with ExitStack() as stack:
        server = stack.enter_context(oxigraph_server())
        script = bare_oxigraph()
        contestants: dict[str, Contestant] = {
            "bare_oxigraph": lambda lines, _snapshot: script(lines, _QUERY),
            "oxigraph": _ours(stack, "oxigraph", {}),
            "bare_http": _bare_http(stack, server),
            "http": _ours(stack, "http", {"query": f"{server}/query", "update": f"{server}/update", "store": f"{server}/store"}),
        }
        measured = {size: _rounds(contestants, observations, number) for size, observations in _SIZES.items()}
    ratios: dict[str, float] = {}
    details: dict[str, object] = {}
    for ours, bare, name in (("oxigraph", "bare_oxigraph", "oxigraph_over_bare"), ("http", "bare_http", "http_over_bare")):
        each = {size: _ratio(rounds[ours], rounds[bare], sum) for size, rounds in measured.items()}
        ratios[name] = max(each.values())
        details |= {f"{name}_{size}": round(value, 3) for size, value in each.items()}
        for part, index in (("tlt", 0), ("qrt", 1)):
            pick = itemgetter(index)
            details |= {f"{name}_{part}_{size}": round(_ratio(r[ours], r[bare], pick), 3) for size, r in measured.items()}
    for size, figures in measured.items():
        for name, rounds in figures.items():
            details[f"{name}_ms_{size}"] = [
                round(1000 * statistics.median(map(of, rounds)), 2) for of in (itemgetter(0), itemgetter(1), sum)
            ]
    return Measured(ratios, {**details, "ms": "medians of TLT, QRT, EET"})


def _ratio(ours: list[Times], bare: list[Times], of: Callable[[Times], float]) -> float:
    """The median of the rounds' own ratios: what disturbs a round disturbs both sides of it."""
    return statistics.median(of(a) / of(b) for a, b in zip(ours, bare, strict=True))


def _rounds(contestants: dict[str, Contestant], observations: int, rounds: int) -> dict[str, list[Times]]:
    seen: dict[str, list[Times]] = {name: [] for name in contestants}
    names = list(contestants)
    for number in range(rounds + 2):
        # Ever new windows: no engine may profit from having seen one.
        texts = (observation(number * observations + i, 0) for i in range(observations))
        lines = "".join(line.rpartition("\t")[0] + "\n" for text in texts for line in text.splitlines()).encode()
        snapshot = Snapshot(number, 0, (Contribution("s", None, 0, number, (HeldSlice(((number, lines),)),)),))
        for name in names[number % len(names) :] + names[: number % len(names)]:
            gc.collect()
            gc.disable()
            figures = contestants[name](lines, snapshot)
            gc.enable()
            if number > 1:  # the first two warm up
                seen[name].append(figures)
    return seen


def _ours(stack: ExitStack, name: str, options: dict[str, str]) -> Contestant:
    feed: Feed = open_feed(open_backend(name, options), parse_rho(_QUERY), NO_STATIC_DATA)
    stack.callback(feed.close)

    def contestant(_lines: bytes, snapshot: Snapshot) -> Times:
        started = time.perf_counter()
        feed.give(snapshot)
        loaded = time.perf_counter()
        feed.evaluate()
        return loaded - started, time.perf_counter() - loaded

    return contestant


def _bare_http(stack: ExitStack, server: str) -> Contestant:
    import requests

    session = stack.enter_context(requests.Session())
    graph = "urn:bench:window"

    def contestant(lines: bytes, _snapshot: Snapshot) -> Times:
        started = time.perf_counter()
        session.put(f"{server}/store", params={"graph": graph}, data=lines, headers={"Content-Type": "application/n-triples"})
        loaded = time.perf_counter()
        response = session.post(
            f"{server}/query",
            params={"default-graph-uri": graph},
            data=_QUERY.encode(),
            headers={"Content-Type": "application/sparql-query", "Accept": "application/sparql-results+json"},
        )
        response.json()
        return loaded - started, time.perf_counter() - loaded

    return contestant
