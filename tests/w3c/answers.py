"""The W3C evaluation tests through our interface: a test's dataset as a window, answers as the verdict wants them, counts on record."""

import re
from collections.abc import Mapping

from prsp.backend import Backend, open_feed
from prsp.errors import PrspError
from prsp.model.result import Boolean, Result, Solutions
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.oracle.dataset import read_ntriples
from prsp.parse import parse_rho
from tests.data import ROOT
from tests.w3c.cases import EvaluationCase
from tests.w3c.verdict import Got, verdict

RESULTS = ROOT / "docs" / "results" / "w3c.md"


def window(at: int, slices: Mapping[str | None, list[bytes]]) -> Snapshot:
    """A snapshot with these slices in each graph; the slices of a graph are told apart by their places in the list."""
    parts = []
    for number, (graph, pieces) in enumerate(slices.items()):
        held = tuple(HeldSlice(((at, data),), identity=place) for place, data in enumerate(pieces) if data)
        parts.append(Contribution(f"s{number}", graph, 0, at, held))
    return Snapshot(at, 0, tuple(parts))


def snapshot(case: EvaluationCase) -> Snapshot:
    """The whole dataset at once."""
    return window(0, {graph: [data] for graph, data in case.graphs.items()})


def decoded(result: Result) -> Got:
    """An answer in the form of the expected ones."""
    if isinstance(result, Boolean):
        return result.value
    if isinstance(result, Solutions):
        return result.variables, result.rows()
    return read_ntriples(result.payload)


def outcome(case: EvaluationCase, backend: Backend, windows: list[Snapshot] | None = None) -> str | None:
    """None when the engine's answer is right, to the last of these windows (None: the whole dataset, at once)."""
    feed = None
    try:
        feed = open_feed(backend, parse_rho(case.rho), NO_STATIC_DATA)
        for given in windows or [snapshot(case)]:
            feed.give(given)
            answer = feed.evaluate()
        return verdict(case, decoded(answer))
    except PrspError as error:
        return f"{case.name}: {error}"
    finally:
        if feed is not None:
            feed.close()


def recorded(name: str) -> tuple[int, int]:
    """How many tests the results page says an engine was asked, and how many of them it gets wrong."""
    row = re.search(rf"^\| {re.escape(name)} \| (\d+) \| (\d+) \| (\d+) \|", RESULTS.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None, f"no row for {name}"
    total, right, wrong = map(int, row.groups())
    assert total == right + wrong
    return total, wrong
