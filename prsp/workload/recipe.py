"""A workload: a stream to make and the queries to ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Event = tuple[int, str]
"""A time and the lines that come together then, each ending in TAB, the time and LF."""

_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1))


@dataclass(frozen=True, slots=True)
class Query:
    """A C-SPARQL query, with what it asks in plain words; ``name`` is its file's."""

    name: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Workload:
    """What ``write_workload`` writes: nothing of the stream is made before ``batches`` is called."""

    name: str
    stream: str
    parameters: Mapping[str, int | float]
    queries: tuple[Query, ...]
    batches: Callable[[], Iterator[list[Event]]]
    batch_count: int
    lines_per_event: int
    seed: int
    start: int
    disorder: int


Window = tuple[int, int]
"""Range and step in milliseconds."""


def queries(stream: str, prefixes: str, windows: tuple[Window, ...], bodies: Mapping[str, tuple[str, str, str]]) -> tuple[Query, ...]:
    """Each query over each window; a body is what it asks in words, its SELECT and its WHERE."""
    return tuple(
        Query(
            f"{name}-{duration(size)}-{duration(step)}",
            about,
            f"REGISTER QUERY {name} AS\n{prefixes}SELECT {columns}\n"
            f"FROM STREAM <{stream}> [RANGE {duration(size)} STEP {duration(step)}]\nWHERE {{\n{where}\n}}\n",
        )
        for size, step in windows
        for name, (about, columns, where) in bodies.items()
    )


def duration(milliseconds: int) -> str:
    """A duration as a query writes it, in the largest unit that leaves a whole number."""
    return next(f"{milliseconds // size}{unit}" for unit, size in _UNITS if milliseconds % size == 0)
