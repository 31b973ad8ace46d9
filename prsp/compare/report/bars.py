"""Charts of horizontal bars: a name each, its bars below it, and the value at the end of each bar."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.compare.report.axis import Axis, bar_axis
from prsp.compare.report.charts import BarChart
from prsp.compare.report.drawing import EDGE, TEXT_SIZE, TICK_SIZE, WIDTH, Drawing, Entry, Letters, Shape, legend
from prsp.compare.report.lettering import shortened, width
from prsp.compare.report.numbers import told
from prsp.compare.report.points import titled

_BAR, _NAME, _GAP = 14.0, 18.0, 8.0


def draw_bars(chart: BarChart) -> Drawing:
    """The chart as shapes and texts."""
    drawing = Drawing(f"{chart.title}: {chart.x_title}")
    shades = _shades(len(chart.bars))
    top = titled(drawing, chart.title)
    top = legend(drawing, [Entry(bars.name, shade=shade) for bars, shade in zip(chart.bars, shades, strict=True)], top)
    values = [value for bars in chart.bars for value in bars.values if value is not None]
    room = max((width(told(chart.quantity, value), TICK_SIZE) for value in values), default=0) + 8
    scale = _Scale(bar_axis(chart.quantity, values), EDGE + 2, WIDTH - EDGE - room)
    bottom = top + 2 + sum(map(_height, _columns(chart), chart.gaps))
    drawing.shapes.append(Shape("".join(f"M{scale.x(value):.1f} {top:.1f}V{bottom:.1f}" for value, _ in scale.axis.ticks), "grid"))
    y = top + 2
    for category, column, gap in zip(chart.categories, _columns(chart), chart.gaps, strict=True):
        name = shortened(category, WIDTH - 2 * EDGE, TEXT_SIZE)
        drawing.letters.append(Letters("label", scale.left, y + 13, name))
        if gap:
            drawing.letters.append(Letters("value", scale.left + 5, y + _NAME + 11.5, gap, size=TICK_SIZE, paint="soft"))
        _bars(drawing, chart, scale, column, y + _NAME)
        y += _height(column, gap)
    _foot(drawing, scale, bottom)
    x_title = shortened(scale.axis.titled(chart.x_title), WIDTH - 2 * EDGE, TEXT_SIZE)
    drawing.letters.append(Letters("axis-title", (scale.left + scale.right) / 2, bottom + 36, x_title, "middle", paint="soft"))
    drawing.height = bottom + 46
    return drawing


@dataclass(frozen=True, slots=True)
class _Scale:
    """The axis between two edges."""

    axis: Axis
    left: float
    right: float

    def x(self, value: float) -> float:
        place = self.axis.place(value) if value > 0 or not self.axis.log else 0.0
        return self.left + max(0.0, place) * (self.right - self.left)


def _columns(chart: BarChart) -> list[list[tuple[float, str]]]:
    """For each category the values there are, with their shades."""
    shaded = list(zip(chart.bars, _shades(len(chart.bars)), strict=True))
    return [
        [(value, shade) for bars, shade in shaded if (value := bars.values[number]) is not None] for number in range(len(chart.categories))
    ]


def _height(column: list[tuple[float, str]], gap: str) -> float:
    return _NAME + _BAR * (len(column) + bool(gap)) + _GAP


def _bars(drawing: Drawing, chart: BarChart, scale: _Scale, column: list[tuple[float, str]], y: float) -> None:
    for number, (value, shade) in enumerate(column):
        end, top = scale.x(value), y + number * _BAR
        path = f"M{scale.left:.1f} {top + 1:.1f}H{max(end, scale.left + 1):.1f}v{_BAR - 2:g}H{scale.left:.1f}z"
        drawing.shapes.append(Shape(path, "axis", shade, 0.7))
        drawing.letters.append(Letters("value", end + 5, top + 11.5, told(chart.quantity, value), size=TICK_SIZE))


def _shades(count: int) -> list[str]:
    """From pale to full; a single kind of bar has the middle one."""
    return [f"t{number}" for number in range(count)] if count > 1 else ["t1"]


def _foot(drawing: Drawing, scale: _Scale, y: float) -> None:
    marks, end = f"M{scale.left:.1f} {y:.1f}H{scale.right:.1f}", -EDGE
    for value, label in scale.axis.ticks:
        x, half = scale.x(value), width(label, TICK_SIZE) / 2
        marks += f"M{x:.1f} {y:.1f}v5"
        x = max(x, half)
        if x - half >= end + 6:
            drawing.letters.append(Letters("tick-x", x, y + 18, label, "middle", TICK_SIZE, "soft"))
            end = x + half
    drawing.shapes.append(Shape(marks, "axis"))
