"""Charts of points by x: lines with markers, traces, clouds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from prsp.compare.report.axis import Axis, load_axis, measure_axis, share_axis
from prsp.compare.report.charts import Mark, PointChart, Series
from prsp.compare.report.drawing import EDGE, TEXT_SIZE, TICK_SIZE, TITLE_SIZE, WIDTH, Drawing, Entry, Letters, Shape, legend, marked
from prsp.compare.report.lettering import shortened, width, wrapped
from prsp.compare.report.numbers import Quantity, load, told
from prsp.compare.report.palette import colour, dash, marker

_HEIGHT = 220.0
_TRACE_MARKERS = 9
_LOST = 9.0


def draw_points(chart: PointChart) -> Drawing:
    """The chart as shapes and texts."""
    drawing = Drawing(f"{chart.title}: {chart.y_title} by {chart.x_title}")
    top = titled(drawing, chart.title)
    joined = chart.mark is not Mark.CLOUD and chart.quantity is not Quantity.SHARE
    top = legend(drawing, [Entry(shortened(s.name, 340, TEXT_SIZE), s.slot, joined) for s in chart.series], top)
    values = [y for series in chart.series for _, y in series.points if y is not None]
    loads = {x for series in chart.series for x, _ in series.points}
    shares = chart.quantity is Quantity.SHARE
    x_axis = load_axis([*loads], each=chart.mark is Mark.JOINED, margin=0.5 / len(loads) if shares else 0.04)
    y_axis = share_axis(values) if shares else measure_axis(chart.quantity, values)
    left = EDGE + max(width(label, TICK_SIZE) for _, label in y_axis.ticks) + 8
    lost = [series for series in chart.series if chart.mark is Mark.TRACE and any(y is None for _, y in series.points)]
    frame = _Frame(x_axis, y_axis, left, top + 26 + _LOST * len(lost), WIDTH - EDGE - 8)
    y_title = y_axis.titled(chart.y_title) + (f" (from {y_axis.ticks[0][1]} up)" if shares and y_axis.low else "")
    drawing.letters.append(Letters("axis-title", EDGE, top + 14, y_title, paint="soft"))
    for number, series in enumerate(lost):
        _crosses(drawing, frame, series, frame.top - 6 - _LOST * number)
    frame.axes(drawing)
    bottom = frame.bottom + 22 + 18
    x_title = shortened(x_axis.titled(chart.x_title), WIDTH - 2 * EDGE, TEXT_SIZE)
    drawing.letters.append(Letters("axis-title", (frame.left + frame.right) / 2, bottom, x_title, "middle", paint="soft"))
    for number, series in enumerate(chart.series):
        _series(drawing, chart, frame, series, number)
    drawing.height = bottom + 10
    return drawing


def titled(drawing: Drawing, title: str) -> float:
    """Adds the title, and gives back where it ends."""
    lines = wrapped(title, WIDTH - 2 * EDGE, TITLE_SIZE, bold=True)
    for number, line in enumerate(lines):
        drawing.letters.append(Letters("title", EDGE, 20 + number * 18, line, size=TITLE_SIZE, bold=True))
    return 12 + len(lines) * 18


class _Frame:
    """The plot area: where its edges are, and where a point lies."""

    def __init__(self, x_axis: Axis, y_axis: Axis, left: float, top: float, right: float) -> None:
        self.x_axis, self.y_axis = x_axis, y_axis
        self.left, self.right, self.top, self.bottom = left, right, top, top + _HEIGHT

    def x(self, value: float) -> float:
        return self.left + self.x_axis.place(value) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - self.y_axis.place(value) * _HEIGHT

    def axes(self, drawing: Drawing) -> None:
        lines = "".join(f"M{self.left:.1f} {self.y(value):.1f}H{self.right:.1f}" for value, _ in self.y_axis.ticks)
        drawing.shapes.append(Shape(lines, "grid"))
        drawing.letters += [
            Letters("tick-y", self.left - 6, self.y(value) + 4.5, label, "end", TICK_SIZE, "soft") for value, label in self.y_axis.ticks
        ]
        marks = f"M{self.left:.1f} {self.bottom:.1f}H{self.right:.1f}"
        end = -EDGE
        for value, label in self.x_axis.ticks:
            x, half = self.x(value), width(label, TICK_SIZE) / 2
            marks += f"M{x:.1f} {self.bottom:.1f}v5"
            if x - half >= end + 6 and x + half <= WIDTH:  # a label that would touch the one before is left out, its tick stays
                drawing.letters.append(Letters("tick-x", x, self.bottom + 18, label, "middle", TICK_SIZE, "soft"))
                end = x + half
        drawing.shapes.append(Shape(marks, "axis"))


def _series(drawing: Drawing, chart: PointChart, frame: _Frame, series: Series, number: int) -> None:
    aside = _aside(chart, frame, number)
    placed = [(frame.x(x) + aside, frame.y(y), x, y) for x, y in series.points if y is not None]
    if chart.mark is Mark.CLOUD:
        path = "".join(marker(series.slot, x, y, 2.4 if len(placed) > 20 else 3.6) for x, y, _, _ in placed)
        drawing.shapes.append(marked(series.slot, path, opacity=0.65))
        return
    trace = chart.mark is Mark.TRACE
    path = "".join(_line(frame, run) for run in _runs(series))
    if path and chart.quantity is not Quantity.SHARE:
        drawing.shapes.append(Shape(path, colour(series.slot), width=1.2 if trace else 2.0, dash=dash(series.slot)))
    if trace:
        every = max(1, len(placed) // _TRACE_MARKERS)
        path = "".join(marker(series.slot, x, y, 3.2) for x, y, _, _ in placed[number * every // 8 :: every])
        drawing.shapes.append(marked(series.slot, path))
        return
    for x, y, x_value, value in placed:
        note = f"{series.name}, {load(x_value)} {chart.x_title}: {told(chart.quantity, value)}"
        drawing.shapes.append(marked(series.slot, marker(series.slot, x, y), note))


def _crosses(drawing: Drawing, frame: _Frame, series: Series, y: float) -> None:
    """A row above the plot with a cross where the engine has no value."""
    path = "".join(f"M{frame.x(x) - 3:.1f} {y - 3:.1f}l6 6m0-6l-6 6" for x, value in series.points if value is None)
    drawing.shapes.append(Shape(path, colour(series.slot), width=1.6))


def _aside(chart: PointChart, frame: _Frame, number: int) -> float:
    """How far a marker is moved: most shares are 1, where markers would hide each other, and lines would in any case."""
    if chart.quantity is not Quantity.SHARE:
        return 0.0
    places = sorted({frame.x(x) for series in chart.series for x, _ in series.points})
    apart = min((b - a for a, b in pairwise(places)), default=frame.right - frame.left)
    return (number - (len(chart.series) - 1) / 2) * min(14.0, 0.8 * apart / len(chart.series))


def _runs(series: Series) -> Iterator[list[tuple[float, float]]]:
    """The points between gaps."""
    for known, run in groupby(series.points, key=lambda point: point[1] is not None):
        if known:
            yield [(x, y) for x, y in run if y is not None]


def _line(frame: _Frame, run: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in run) if len(run) > 1 else ""
