"""The report as one page: no script, nothing from elsewhere, and whatever engines and streams say stays text."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from prsp.compare.report.every_window import tables
from prsp.compare.report.figure import draw
from prsp.compare.report.figures import figures_of
from prsp.compare.report.palette import DARK, LIGHT
from prsp.compare.report.problems import MOST, accounts
from prsp.compare.report.reading import Part, groups
from prsp.compare.report.setup import options, queries, windows
from prsp.compare.report.summary import lines, outcome, tallies
from prsp.compare.report.templates import template


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A figure with its number and its SVG, which comes from our own template and is escaped there."""

    number: int
    name: str
    group: int
    caption: str
    folded: bool
    svg: Markup


def html_report(document: Part) -> str:
    """The whole report of a comparison (``prsp-comparison-1``) as HTML."""
    drawn = [
        _Drawn(number, figure.name, figure.group, figure.caption, figure.folded, Markup(draw(figure.chart).inline()))
        for number, figure in enumerate(figures_of(document), 1)
    ]
    return template("report.html.j2").render(
        document=document,
        outcome=outcome(document),
        tallies=tallies(document),
        results=[(experiment, lines(experiment)) for experiment in document["experiments"]],
        groups=[(group, [d for d in drawn if d.group == place]) for place, group in enumerate(groups(document))],
        accounts=accounts(document),
        most=MOST,
        tables=tables(document),
        queries=queries(document),
        windows=windows(document),
        options=options,
        light=_without_none(LIGHT),
        dark=_without_none(DARK),
    )


def _without_none(paint: Part) -> dict[str, str]:
    return {name: colour for name, colour in paint.items() if name != "none"}
