"""A drawing as plain shapes and texts, and its SVG: within the page, or as a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prsp.compare.report.lettering import width
from prsp.compare.report.palette import LIGHT, VARIABLES, colour, dash, is_open, marker
from prsp.compare.report.templates import template

WIDTH = 460.0
"""The width of a figure: printed in one column of a paper its texts have the size of a footnote."""
EDGE = 12.0
TITLE_SIZE, TEXT_SIZE, TICK_SIZE = 14.0, 13.0, 12.5


@dataclass(frozen=True, slots=True)
class Letters:
    """A text; ``role`` is its class in the SVG: title, legend, tick-x, tick-y, axis-title, label or value."""

    role: str
    x: float
    y: float
    text: str
    anchor: str = "start"
    size: float = TEXT_SIZE
    paint: str = "ink"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A path with the names of its colours; ``note`` is shown where a mouse rests on it."""

    path: str
    stroke: str = "none"
    fill: str = "none"
    width: float = 1.0
    dash: str = ""
    opacity: float = 1.0
    note: str = ""


@dataclass(slots=True)
class Drawing:
    """What is drawn so far, and how high it is."""

    title: str
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)
    letters: list[Letters] = field(default_factory=list)

    def inline(self) -> str:
        """The SVG for the page, in the colours of its style sheet."""
        return self._rendered(VARIABLES, alone=False)

    def alone(self) -> str:
        """The SVG as a file: dark on white, with literal colours, which every program understands."""
        return self._rendered(LIGHT, alone=True)

    def _rendered(self, paint: Mapping[str, str], *, alone: bool) -> str:
        return template("figure.svg.j2").render(drawing=self, paint=paint, alone=alone, width=WIDTH)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a legend: what is drawn beside the name, around a point."""

    name: str
    slot: int | None = None
    joined: bool = True
    shade: str = ""

    def swatch(self, x: float, y: float) -> list[Shape]:
        """The line with its marker, the marker alone, or the little bar."""
        if self.slot is None:
            return [Shape(f"M{x + 8:g} {y - 5:g}h14v10h-14z", "axis", self.shade)]
        line = [Shape(f"M{x:g} {y:g}h26", colour(self.slot), width=2, dash=dash(self.slot))] if self.joined else []
        return [*line, marked(self.slot, marker(self.slot, x + 13, y))]


def marked(slot: int, path: str, note: str = "", opacity: float = 1.0) -> Shape:
    """Markers of one engine: filled, or strokes where they have no inside."""
    paint = colour(slot)
    return Shape(path, paint, "none" if is_open(slot) else paint, 1.8 if is_open(slot) else 0.8, opacity=opacity, note=note)


def legend(drawing: Drawing, entries: list[Entry], top: float) -> float:
    """Adds the legend in columns below ``top``, and gives back where it ends."""
    room = WIDTH - 2 * EDGE
    wide = max((width(entry.name, TEXT_SIZE) for entry in entries), default=0) + 32 + 14
    columns = max(1, min(len(entries), int((room + 14) // wide)))
    for number, entry in enumerate(entries):
        x, y = EDGE + number % columns * wide, top + 10 + number // columns * 18
        drawing.shapes += entry.swatch(x, y)
        drawing.letters.append(Letters("legend", x + 32, y + 4.5, entry.name))
    return top + 18 * -(-len(entries) // columns) + 4
