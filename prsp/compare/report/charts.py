"""What a figure shows, before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from prsp.compare.report.numbers import Quantity


class Mark(Enum):
    """How the points of a series are shown."""

    JOINED = "joined"
    """A marker each, and lines between them."""
    TRACE = "trace"
    """A line, with a marker now and then to tell it from others in black and white."""
    CLOUD = "cloud"
    """A small marker each, and no line."""


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one engine by x, in order; None is where it has no value. ``slot`` chooses colour, marker and dashes."""

    name: str
    slot: int
    points: tuple[tuple[float, float | None], ...]


@dataclass(frozen=True, slots=True)
class PointChart:
    """A value by another, a series an engine."""

    title: str
    x_title: str
    y_title: str
    quantity: Quantity
    mark: Mark
    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """One shade of bars: a value for each category."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class BarChart:
    """Horizontal bars, grouped by category; ``gaps`` says for each category why it has none, or nothing."""

    title: str
    x_title: str
    quantity: Quantity
    categories: tuple[str, ...]
    bars: tuple[Bars, ...]
    gaps: tuple[str, ...]


Chart = PointChart | BarChart


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with the name of its file and the sentence under it; ``group`` is the place of its group in the document."""

    name: str
    chart: Chart
    caption: str
    group: int = 0
    folded: bool = False
    """Whether the page shows it only when asked."""
