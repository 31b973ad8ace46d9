"""Reading a comparison's document: its groups, its engines, and one value for a window from its repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from types import MappingProxyType
from typing import Any

Part = Mapping[str, Any]
"""A comparison's document (``prsp-comparison-1``), or an object within it."""


@dataclass(frozen=True, slots=True)
class Group:
    """Experiments that share figures; ``by_load`` says whether they are points on one axis of loads."""

    name: str
    experiments: tuple[Part, ...]
    by_load: bool

    @property
    def load(self) -> str:
        """What the load is called."""
        return self.experiments[0].get("x_label") or "load"

    @property
    def measures(self) -> list[str]:
        """What is plotted by load, in the order it was asked for."""
        return list(dict.fromkeys(chain.from_iterable(e.get("measures") or ("tlt", "qrt", "eet") for e in self.experiments)))

    def by_engine(self) -> Iterator[tuple[str, list[tuple[Part, Part]]]]:
        """Each engine with its results, each with its experiment; by load where there is one."""
        ordered = sorted(self.experiments, key=lambda e: e["x"]) if self.by_load else self.experiments
        for label in dict.fromkeys(result["engine"] for e in ordered for result in e["results"]):
            yield label, [(e, result) for e in ordered for result in e["results"] if result["engine"] == label]


def groups(document: Part) -> list[Group]:
    """The groups in the order of their first experiment; an experiment without a group is one of its own."""
    found: dict[tuple[str, int], list[Part]] = {}
    for number, experiment in enumerate(document["experiments"]):
        name = experiment.get("group") or ""
        found.setdefault((name, -1) if name else (experiment["name"], number), []).append(experiment)
    return [
        Group(name, tuple(members), len(members) > 1 and all(e.get("x") is not None for e in members))
        for (name, _), members in found.items()
    ]


def slots(document: Part) -> dict[str, int]:
    """The place of each engine, which chooses its colour, marker and dashes in all figures alike."""
    listed = [engine["label"] for engine in document["engines"]]
    found = [result["engine"] for experiment in document["experiments"] for result in experiment["results"]]
    return {label: number for number, label in enumerate(dict.fromkeys([*listed, *found]))}


def middle(values: Sequence[float]) -> float | None:
    """The median over the repeats; None where there are none."""
    return median(values) if values else None


def eet(window: Part) -> float | None:
    """Loading and answering a window together, each the median over the repeats; None where it failed."""
    tlt, qrt = middle(window["tlt"]), middle(window["qrt"])
    return None if window.get("failure") or tlt is None or qrt is None else tlt + qrt


_UNJUDGED: Part = MappingProxyType({"verdict": "unjudged", "difference": None, "right": 0, "wanted": 0, "given": 0})


def check_of(window: Part) -> Part:
    """What the check came to; a window that nobody checked is not judged."""
    return window.get("check") or _UNJUDGED


def key(window: Part) -> tuple[int, int]:
    """What tells a window of an experiment from the others."""
    return window["at"], window["seq"]


def stride(count: int, most: int) -> int:
    """Every how many-th is shown so that no more than ``most`` are."""
    return max(1, -(-count // most))
