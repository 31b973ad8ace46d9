"""SPECTRA against re-evaluation by pyoxigraph and a re-join by polars: CPU time, one process, medians of interleaved rounds.

Rows called *encoded* start from triples whose terms are numbers and end with the undecoded answer. Rows called *text* start from
N-Triples bytes; their answers are decoded to Python terms on both sides. All other rows start from bytes and leave the answer undecoded:
pyoxigraph then only counts its rows. pyoxigraph always gets a new store and the whole window's bytes.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass, field

from prsp.bench.registry import Measured
from prsp.bench.spectra_contender import Contender, EncodedContender, answer, decoded, news, written
from prsp.bench.spectra_rivals import KeptStore, Rejoin, quads, reload, reload_and_decode, reload_and_write
from prsp.bench.spectra_table import break_even, table
from prsp.bench.spectra_timing import Contestant, medians, timed
from prsp.bench.spectra_windows import SlidingWindow, over_and_over
from prsp.bench.spectra_workloads import BEYOND, SHAPES, Streams, Workload

SHARES = (0.001, 0.01, 0.1, 0.5, 1.0)
"""Slide over window: what ``auto`` is judged on."""
MORE_SHARES = (0.2, 0.35, 0.7)
"""Slides that only help to find where S-Inc and S-Rev break even."""
MODES = ("inc", "rev", "auto")
EVENTS = 200
"""Slides of one event that are timed together."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    window: int
    sizes: tuple[int, ...]
    rounds: int
    turnover: tuple[int, int]
    """Size and number of the windows slid through to see whether memory grows."""


def measure(*, quick: bool = False) -> Measured:
    """Every ratio of the benchmark, and the figures behind them."""
    return measured(
        Plan(10_000, (1_000, 10_000), 5, (10_000, 20)) if quick else Plan(100_000, (1_000, 10_000, 100_000, 1_000_000), 5, (20_000, 100))
    )


def measured(plan: Plan) -> Measured:
    """As much as planned."""
    streams = Streams()
    shapes = {workload.name: _at_one_window(workload, streams, plan) for workload in SHAPES}
    beyond = {workload.name: _against_text(workload, streams, plan) for workload in BEYOND}
    sizes = {size: {workload.name: _at_one_slide(workload, streams, size, plan) for workload in SHAPES} for size in plan.sizes}
    events = {workload.name: _events(workload, streams, plan) for workload in SHAPES}
    growth = {name: _growth({size: found[name]["inc"] / (size // 100) for size, found in sizes.items()}) for name in shapes}
    return Measured(
        {**_ratios(shapes, beyond), "cost_growth_worst": max(growth.values())},
        {
            "window": plan.window,
            "rounds": plan.rounds,
            "table": table(sizes),
            "speedups": {
                name: {key: round(value, 2) for key, value in _speedups(found).items()} for name, found in (shapes | beyond).items()
            },
            "milliseconds": {
                name: {key: round(value * 1000, 3) for key, value in found.items()} for name, found in (shapes | beyond).items()
            },
            "auto_over_best": {name: _auto(found) for name, found in shapes.items()},
            "break_even_slide_over_window": {name: break_even(found, sorted((*SHARES, *MORE_SHARES))) for name, found in shapes.items()},
            "cost_growth": {name: round(value, 2) for name, value in growth.items()},
            "one_triple_over_20_triple_events": {name: round(value, 2) for name, value in events.items()},
            "memory": _memory(plan),
        },
    )


@dataclass(slots=True)
class _Field:
    """The contestants of one workload, with what checks that they agree."""

    workload: Workload
    lines: list[bytes]
    plan: Plan
    contestants: dict[str, Contestant] = field(default_factory=dict)
    checked: list[Contender | EncodedContender] = field(default_factory=list)

    def slide(self, name: str, share: float, mode: str, look: object = answer, *, lines: list[bytes] | None = None, block: int = 1) -> None:
        """Add a session of SPECTRA."""
        chosen = self.lines if lines is None else lines
        size = self.plan.window if lines is None else len(lines) // 2
        slide = max(1, int(size * share))
        contender = Contender(self.workload, chosen, size, slide, mode=mode, look=look, steps=self.plan.rounds, block=block)  # type: ignore[arg-type]
        self.contestants[name] = contender.run
        self.checked.append(contender)

    def times(self) -> dict[str, float]:
        """The medians; the answers of SPECTRA and pyoxigraph must be equally many when all is done."""
        found = medians(self.contestants, self.plan.rounds)
        for contender in self.checked:
            expected = reload(contender.window.data(), self.workload.query)
            assert contender.rows() == expected, f"{self.workload.name}: {contender.rows()} rows, pyoxigraph has {expected}"
        return found


def _rivals(found: _Field, data: bytes) -> None:
    query, times = found.workload.query, found.contestants
    times["reload"] = lambda: timed(lambda: reload(data, query))
    times["reload decoded"] = lambda: timed(lambda: reload_and_decode(data, query))
    times["reload json"] = lambda: timed(lambda: reload_and_write(data, query))


def _against_text(workload: Workload, streams: Streams, plan: Plan) -> dict[str, float]:
    """Slides of one hundredth, from bytes to decoded answers."""
    found = _Field(workload, streams.lines(workload.stream, 2 * plan.window), plan)
    _rivals(found, b"".join(found.lines[: plan.window]))
    found.slide("text", 0.01, "auto", decoded)
    found.slide("text json", 0.01, "auto", written)
    return found.times()


def _at_one_window(workload: Workload, streams: Streams, plan: Plan) -> dict[str, float]:
    """Everything that is measured of the four shapes at the plan's window."""
    found = _Field(workload, streams.lines(workload.stream, 2 * plan.window), plan)
    data = b"".join(found.lines[: plan.window])
    _rivals(found, data)
    pruned = [line for line in found.lines if workload.relevant(line)]
    half = b"".join(pruned[: len(pruned) // 2])
    found.contestants["reload pruned"] = lambda: timed(lambda: reload(half, workload.query))
    found.slide("tumbling pruned", 1.0, "auto", lines=pruned[: len(pruned) // 2 * 2])
    encoded = EncodedContender(workload, found.lines, plan.window, plan.window // 100, steps=plan.rounds)
    found.contestants["encoded"] = encoded.run
    found.checked.append(encoded)
    found.slide("text", 0.01, "auto", decoded)
    found.slide("text json", 0.01, "auto", written)
    found.slide("one triple", 1 / plan.window, "auto", news, block=EVENTS)
    for share in SHARES:
        for mode in MODES:
            found.slide(f"{mode} {share}", share, mode, block=5 if share < 0.01 else 1)
    for share in MORE_SHARES:
        for mode in ("inc", "rev"):
            found.slide(f"{mode} {share}", share, mode)
    _more_rivals(found, data)
    return found.times()


def _more_rivals(found: _Field, data: bytes) -> None:
    """polars, from bytes and encoded; and pyoxigraph with a store that is kept and changed triple by triple."""
    size, slide = found.plan.window, found.plan.window // 100
    rejoin, kept = Rejoin(found.workload), KeptStore(data, found.workload.query)
    window = SlidingWindow(over_and_over(found.lines), size, slide, steps=100)
    frames = [rejoin.encode(piece.data()) for piece in window.snapshot.graphs[None]]

    def slide_kept() -> float:
        change = window.advance(slide).changes[None]
        entered, left = ([quad for piece in pieces for quad in quads(piece.data())] for pieces in (change.entered, change.left))
        return timed(lambda: kept.slide(entered, left))

    found.contestants["polars"] = lambda: timed(lambda: rejoin.from_bytes(data))
    found.contestants["polars encoded"] = lambda: timed(lambda: rejoin.encoded(frames))
    found.contestants["kept store"] = slide_kept


def _at_one_slide(workload: Workload, streams: Streams, size: int, plan: Plan) -> dict[str, float]:
    """Slides of one hundredth of a window of some size: what the table shows."""
    found = _Field(workload, streams.lines(workload.stream, size * 5 // 4), Plan(size, (), plan.rounds, (0, 0)))
    data, rejoin = b"".join(found.lines[:size]), Rejoin(workload)
    found.contestants["pyoxigraph"] = lambda: timed(lambda: reload(data, workload.query))
    found.contestants["polars"] = lambda: timed(lambda: rejoin.from_bytes(data))
    for mode in ("rev", "inc"):
        found.slide(mode, 0.01, mode, block=20 if size <= 10_000 else 1)
    return found.times()


def _events(workload: Workload, streams: Streams, plan: Plan) -> float:
    """Cost of a triple that comes alone over that of one that comes with nineteen others, answered event by event."""
    found = _Field(workload, streams.lines(workload.stream, 2 * plan.window), plan)
    for triples in (1, 20):
        found.slide(str(triples), triples / plan.window, "auto", news, block=EVENTS // triples)
    times = found.times()
    return times["1"] / (times["20"] / 20)


def _speedups(found: dict[str, float]) -> dict[str, float]:
    """How many times faster SPECTRA is, in each row."""
    pairs = {
        "encoded 1 %": ("reload", "encoded"),
        "text 1 %": ("reload decoded", "text"),
        "text 1 %, JSON": ("reload json", "text json"),
        "one triple": ("reload", "one triple"),
        "slide 10 %": ("reload", "auto 0.1"),
        "tumbling, pruned": ("reload pruned", "tumbling pruned"),
        "tumbling": ("reload", "auto 1.0"),
        "polars, 1 %": ("polars", "auto 0.01"),
        "polars encoded, 1 %": ("polars encoded", "encoded"),
        "kept store, 1 %": ("kept store", "encoded"),
    }
    return {name: found[theirs] / found[ours] for name, (theirs, ours) in pairs.items() if theirs in found and ours in found}


def _auto(found: dict[str, float]) -> dict[str, float]:
    return {str(share): round(found[f"auto {share}"] / min(found[f"inc {share}"], found[f"rev {share}"]), 2) for share in SHARES}


def _ratios(shapes: dict[str, dict[str, float]], beyond: dict[str, dict[str, float]]) -> dict[str, float]:
    speedups = [_speedups(found) for found in shapes.values()]

    def all_of(name: str) -> list[float]:
        return [found[name] for found in speedups]

    return {
        "encoded_1pct_geomean": statistics.geometric_mean(all_of("encoded 1 %")),
        "encoded_1pct_worst": min(all_of("encoded 1 %")),
        "text_1pct_geomean": statistics.geometric_mean(all_of("text 1 %")),
        "text_1pct_worst": min(all_of("text 1 %")),
        "one_triple_worst": min(all_of("one triple")),
        "slide_10pct_worst": min(all_of("slide 10 %")),
        "tumbling_worst": min(all_of("tumbling, pruned")),
        "auto_over_best": max(ratio for found in shapes.values() for ratio in _auto(found).values()),
        "polars_1pct_geomean": statistics.geometric_mean(all_of("polars, 1 %")),
        "aggregate_1pct_worst": min(_speedups(found)["text 1 %"] for found in beyond.values()),
    }


def _growth(costs: dict[int, float]) -> float:
    """The largest cost of a triple over that in the smallest window."""
    return max(costs.values()) / costs[min(costs)]


def _memory(plan: Plan) -> dict[str, object]:
    size, windows = plan.turnover
    found = _asked("turnover", "star-path", size, windows)
    settled = found[1]  # type: ignore[index]
    return {
        "bytes_per_triple": {str(n): round(_asked("triple", "star-path", n, 0)) for n in (plan.window // 2, plan.window, plan.window * 2)},  # type: ignore[call-overload]
        "turnover_mib": found,
        "turnover_growth": round(max(found[2:]) / settled, 3),  # type: ignore[index]
    }


def _asked(*arguments: object) -> object:
    """What a process of its own finds: memory that was once used is not given back to the next measurement."""
    command = [sys.executable, "-m", "prsp.bench.spectra_memory", *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
