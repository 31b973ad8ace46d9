"""A figure drawn."""

from __future__ import annotations

from prsp.compare.report.bars import draw_bars
from prsp.compare.report.charts import BarChart, Chart
from prsp.compare.report.drawing import Drawing
from prsp.compare.report.points import draw_points


def draw(chart: Chart) -> Drawing:
    """The chart as a drawing, which is SVG in the page or in a file of its own."""
    return draw_bars(chart) if isinstance(chart, BarChart) else draw_points(chart)
