"""The terminal's tables: one per experiment, and below it the first thing that went wrong for each engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prsp.compare.report.numbers import duration, memory, share, times
from prsp.compare.report.problems import problems
from prsp.compare.report.summary import Line, lines
from prsp.compare.report.templates import clean

if TYPE_CHECKING:
    from rich.console import Console

    from prsp.compare.report.problems import Problem
    from prsp.compare.report.reading import Part

_NARROW = 100
_LONGEST = 600


def show(document: Part, console: Console) -> None:
    """Prints the tables. What an engine or a stream says is printed as it is, never read as markup or as a terminal's commands."""
    for experiment in document["experiments"]:
        count = len(experiment["windows"])
        head = f"{experiment['name']}: {count:,} windows, {document['repeat']} × each, judged by {experiment['reference']}"
        console.print(_text(head, "bold"))
        rows = lines(experiment)
        console.print(_table(rows, narrow=console.width < _NARROW))
        for line in rows:
            _more(console, experiment, line)
        console.print()


def _table(rows: list[Line], *, narrow: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 0 if narrow else 1, 0, 0), show_edge=False)
    table.add_column("engine", overflow="fold", min_width=8)
    wide = ("TLT", "QRT", "EET", "vs fastest", "read out", "memory", "precision", "recall", "F", "failed", "different")
    short = ("TLT", "QRT", "EET", "times", "memory", "prec.", "rec.", "F", "fail", "diff")
    for name in short if narrow else wide:
        table.add_column(name, justify="right", no_wrap=True)
    for line in rows:
        if line.refused is not None:
            table.add_row(_text(line.engine), "refused")
            continue
        seconds = [duration(line.value(name)) for name in ("tlt", "qrt", "eet")]
        shares = [share(line.value(name)) for name in ("precision", "recall", "f")]
        counts = [f"{line.value(name) or 0:,.0f}" for name in ("failed", "different")]
        styled = [Text(count, "red" if count != "0" else "") for count in counts]
        out = [] if narrow else [duration(line.value("out"))]
        table.add_row(_text(line.engine), *seconds, times(line.behind), *out, memory(line.value("memory")), *shares, *styled)
    return table


def _more(console: Console, experiment: Part, line: Line) -> None:
    if line.refused is not None:
        console.print(_text(f"{line.engine} was not asked: {line.refused}"))
        return
    found = problems(experiment, line.engine)
    if found:
        _first(console, found)
    if not line.judged and line.totals.get("windows"):
        console.print(_text(f"{line.engine} is not judged: the query may be answered differently each time, or the reference failed"))


def _first(console: Console, found: list[Problem]) -> None:
    first = found[0]
    what = {"failed": "failed first on", "datatypes": "gives numbers of other datatypes, first in"}.get(first.kind, "differs first in")
    more = f" ({len(found) - 1:,} more)" if len(found) > 1 else ""
    said = first.said if len(first.said) <= _LONGEST else f"{first.said[:_LONGEST]} …"
    console.print(_text(f"{first.engine} {what} the {first.place}{more}; {first.rows}:"))
    console.print(Padding(_text(said), (0, 0, 0, 2), expand=False))
    if first.reproduce:
        console.print(_text(f"  again: {first.reproduce}"), soft_wrap=True)  # unbroken, so that it can be copied


def _text(text: str, style: str = "") -> Text:
    return Text(clean(text), style)
