"""The experiments of SPECTRA, section 8: throughput over LUBM in tumbling windows (Table 1), break-even, events, memory."""

from __future__ import annotations

from functools import partial

from prsp.compare.suites.suite import Experiment, Suite
from prsp.workload import Workload, lubm, power
from prsp.workload.recipe import duration

_QUERIES = ("q1", "q2", "q3", "q4", "q5", "q6", "q7")


def suite(*, quick: bool) -> Suite:
    """SPECTRA's Table 1 and Figures 6 to 9; ``quick`` has windows a hundredth of the size and two of the queries."""
    scale = 100 if quick else 1
    queries = ("q5", "q7") if quick else _QUERIES
    return Suite(
        "spectra",
        "The experiments of SPECTRA, again",
        "SPECTRA section 8. Table 1: throughput over LUBM, seven queries, tumbling windows of three sizes (10, 50 and 100 thousand "
        "triples; the paper's are larger). Figure 6: where evaluating from the change (S-Inc) overtakes evaluating from scratch (S-Rev). "
        "Figures 7 and 8: the two SEAS queries when the window slides by events of one and of twenty triples. Figure 9: memory. "
        "Throughput is triples that enter the window over EET, of all windows but the first, which is loaded whole. The windows are not "
        "pruned for the other engines, as they were in the paper: each gets the same bytes.",
        (
            *(_tumbling("Table 1", query, seconds * 1_000 // scale) for query in queries for seconds in (10, 50, 100)),
            *(_tumbling("Break-even", query, size // scale or 1) for query in ("q5", "q7") for size in (100, 1_000, 10_000, 100_000)),
            *(_slide("q7", 50_000 // scale, percent) for percent in (1, 2, 5, 10, 20, 50, 100)),
            *(_events(query, size // scale, event) for query in ("q1", "q2") for event in (1, 20) for size in (1_000, 10_000, 100_000)),
            *(_memory(size // scale) for size in (10_000, 25_000, 50_000, 100_000)),
        ),
        {"S-Rev": ("spectra", {"mode": "rev"}), "S-Inc": ("spectra", {"mode": "inc"})},
        ("oxigraph",),
        "oxigraph",
    )


def _lubm(name: str, group: str, x: float, x_label: str, query: str, size: int, step: int, windows: int) -> Experiment:
    universities = 3
    return Experiment(
        name,
        group,
        x,
        x_label,
        ("throughput",),
        partial(lubm, universities=universities, windows=((size, step),)),
        {"workload": "lubm", "universities": universities},
        f"{query}-{duration(size)}-{duration(step)}",
        windows,
        memory=False,
        settle=1,
    )


def _tumbling(what: str, query: str, size: int) -> Experiment:
    """At 1,000 triples a second a window of so many milliseconds holds as many triples."""
    windows = min(20, max(4, 100_000 // size))
    name = f"{what.lower().replace(' ', '-')}-{query}-{size}"
    return _lubm(name, f"{what}: {query}", size, "triples in the window", query, size, size, windows)


def _slide(query: str, size: int, percent: int) -> Experiment:
    step = max(1, size * percent // 100)
    name = f"slide-{query}-{percent}"
    return _lubm(name, f"Break-even by slide: {query}, {size:,} triples", percent, "slide, % of the window", query, size, step, 8)


def _power(size: int, step: int, days: int = 1) -> tuple[partial[Workload], dict[str, object]]:
    """The readings of whole days, so that appliances go on and off; about 130,000 triples each."""
    meters = 50
    seconds = days * 86_400
    return partial(power, meters=meters, seconds=seconds, windows=((size, step),)), {
        "workload": "power",
        "meters": meters,
        "seconds": seconds,
    }


def _events(query: str, size: int, event: int) -> Experiment:
    workload, parameters = _power(size, event)
    return Experiment(
        f"events-{query}-{event}-{size}",
        f"SEAS {query.upper()}, events of {event} triple{'s' if event > 1 else ''}",
        size,
        "triples in the window",
        ("throughput",),
        workload,
        {**parameters, "event": event},
        f"{query}-{duration(size)}-{duration(event)}",
        40,
        event,
        memory=False,
        settle=1,
    )


def _memory(size: int) -> Experiment:
    workload, parameters = _power(size, size, days=4)
    return Experiment(
        f"memory-{size}",
        "Memory: SEAS Q1",
        size,
        "triples in the window",
        ("memory",),
        workload,
        {**parameters, "event": 1},
        f"q1-{duration(size)}-{duration(size)}",
        3,
        1,
    )
