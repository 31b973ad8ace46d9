"""The reference path: the streams, and what the oracle answers to each query of the matrix."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from prsp.cli.profile import parse_report
from prsp.model import PROFILES, Operator, Profile
from prsp.oracle import Dataset, read_ntriples
from prsp.oracle.continuous import Evaluation, Setting, answers
from prsp.oracle.stream import read_stream
from tests.run.matrix.queries import KB, QUERIES, ROOMS, A, B

_XSD = "http://www.w3.org/2001/XMLSchema#"
_SENSORS = 6
_LAST = 190
PIECES = 5
"""How many files a live stream comes in."""

GRAPHS = {
    KB: "".join(f"<http://e/s{i}> <http://e/kind> <http://e/k{i % 2}> .\n" for i in range(0, _SENSORS, 2)),
    ROOMS: "".join(f'<http://e/r{i}> <http://e/floor> "{i}"^^<{_XSD}integer> .\n' for i in range(3)),
}


@cache
def lines(iri: str) -> tuple[str, ...]:
    """A stream's lines in the order of their times; it is silent from 90 to 140, so that some windows are empty."""
    random = Random(iri)
    found: list[tuple[int, str]] = []
    for time in [t for t in range(0, _LAST, 2) if not 90 <= t <= 140]:
        found += [(time, text) for text in _facts(random, iri)]
    return tuple(f"{text} .\t{time}\n" for time, text in found)


def _facts(random: Random, iri: str) -> list[str]:
    who = random.randrange(_SENSORS)
    sensor = f"<http://e/s{who}>"
    if iri == B:
        return [f'{sensor} <http://e/wet> "{random.randrange(100)}"^^<{_XSD}integer>'] if random.random() < 0.5 else []
    kind = random.random()
    if kind < 0.35:
        return [f'{sensor} <http://e/temp> "{random.randrange(12)}"^^<{_XSD}integer>']
    if kind < 0.55:
        return [f"{sensor} <http://e/room> <http://e/r{random.randrange(3)}>"]
    if kind < 0.75:
        return [f"{sensor} <http://e/near> <http://e/s{random.randrange(_SENSORS)}>"]
    if kind < 0.9:
        return [f'{sensor} <http://e/name> "S{who}"@{random.choice(("en", "en-GB", "de"))}']
    return [f'_:b{random.randrange(3)} <http://e/made> "{random.randrange(3)}"']


def pieces(iri: str) -> list[str]:
    """The stream cut into files."""
    every = lines(iri)
    size = -(-len(every) // PIECES)
    return ["".join(every[i : i + size]) for i in range(0, len(every), size)]


def profile(operator: str, report: str = "window-close") -> Profile:
    """The profile of the matrix: the standard one from the origin 0, with some report policy."""
    strategies, bound = parse_report(report)
    return replace(PROFILES["prsp"], t0=0, operator=Operator(operator), report=strategies, bound=bound)


@cache
def expected(name: str, operator: str, report: str = "window-close") -> tuple[Evaluation, ...]:
    """Every evaluation of a query, by definition."""
    query = QUERIES[name].query
    streams = {s.iri: read_stream("".join(lines(s.iri)).encode()) for s in query.streams}
    static = Dataset(
        frozenset(t for graph in query.static.default for t in read_ntriples(GRAPHS[graph].encode())),
        {graph: read_ntriples(GRAPHS[graph].encode()) for graph in query.static.named},
    )
    return tuple(answers(query, streams, Setting(profile(operator, report), static=static)))


STREAMS = (A, B)
