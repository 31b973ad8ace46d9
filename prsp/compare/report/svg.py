"""The figures as files of their own, for a paper."""

from __future__ import annotations

from prsp.compare.report.figure import draw
from prsp.compare.report.figures import figures_of
from prsp.compare.report.reading import Part


def figures(document: Part) -> dict[str, str]:
    """The name of each figure's file, and the SVG it holds: dark on white, one column wide."""
    return {f"{figure.name}.svg": draw(figure.chart).alone() for figure in figures_of(document)}
