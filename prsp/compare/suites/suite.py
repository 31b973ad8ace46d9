"""A suite: the experiments of a paper, as comparisons to be made one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prsp.workload import Workload


@dataclass(frozen=True, slots=True)
class Experiment:
    """One comparison of a suite, with its place in the figures: ``x`` along the axis of ``group``."""

    name: str
    group: str
    x: float
    x_label: str
    measures: tuple[str, ...]
    workload: Callable[[], Workload]
    """The stream; nothing of it is made before it is needed."""
    parameters: Mapping[str, object]
    """What the workload is made from: the same parameters, the same stream."""
    query: str
    """The name of one of the workload's queries."""
    windows: int | None = None
    """Only so many windows."""
    event: int | None = None
    """Triples to an event, one event a millisecond's place; None: times as the workload gives them."""
    memory: bool = True
    settle: int = 0
    """So many windows at the start are in no mean: a session's first window is loaded whole, also where the others slide."""


@dataclass(frozen=True, slots=True)
class Suite:
    """The experiments, what they are about in plain words, and the engines that always take part, by label: backend and options."""

    name: str
    title: str
    about: str
    experiments: tuple[Experiment, ...]
    engines: Mapping[str, tuple[str, Mapping[str, str]]] = field(default_factory=dict)
    default: tuple[str, ...] = ()
    """Backends that take part beside them when the user names none; empty: all that are installed and need no options."""
    reference: str | None = None
    """An engine's label; None: the oracle."""
