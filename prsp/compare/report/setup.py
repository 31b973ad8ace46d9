"""What was compared: each query once, the windows in numbers, the engines with their options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median_low

from prsp.compare.report.numbers import count
from prsp.compare.report.reading import Part


@dataclass(frozen=True, slots=True)
class Asked:
    """A query as the user wrote it and as engines are asked, with the experiments it belongs to."""

    name: str
    text: str
    sparql: str
    experiments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Windows:
    """An experiment with the sizes of its windows in words."""

    experiment: Part
    triples: str
    entered: str
    size: str
    rows: str


def queries(document: Part) -> list[Asked]:
    """The different queries, in the order they come."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for experiment in document["experiments"]:
        query = experiment["query"]
        found.setdefault((query["name"], query["text"], query["sparql"]), []).append(experiment["name"])
    return [Asked(*query, tuple(names)) for query, names in found.items()]


def windows(document: Part) -> list[Windows]:
    """The experiments, each with the sizes of its windows."""
    return [
        Windows(experiment, *(_range(window[name] for window in experiment["windows"]) for name in ("triples", "entered", "bytes", "rows")))
        for experiment in document["experiments"]
    ]


def options(engine: Part) -> str:
    """The options of an engine as they are written on a command line."""
    return " ".join(f"{name}={value}" for name, value in engine["options"].items())


def _range(values: Iterable[int]) -> str:
    """The least, the median and the most, or the one there is."""
    known = sorted(values)
    if not known:
        return "–"
    return count(known[0]) if known[0] == known[-1] else f"{count(known[0])} / {count(median_low(known))} / {count(known[-1])}"
