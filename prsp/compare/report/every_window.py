"""The tables of single windows: what was in them, and each engine's times in one unit."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.compare.report.numbers import NOTHING, Quantity, Unit, digits, unit_for
from prsp.compare.report.reading import Part, eet, key, middle, stride
from prsp.compare.report.summary import verdict

_MOST, _MOST_IN_ALL, _LEAST = 400, 2000, 50
_MARKS = {"different": " ≠", "datatypes": " ≈", "unjudged": " ?"}


@dataclass(frozen=True, slots=True)
class Cells:
    """What one engine did with one window; ``alone`` stands where there are no times."""

    times: tuple[str, ...]
    alone: str = ""


@dataclass(frozen=True, slots=True)
class WindowTable:
    """The windows of an experiment that are shown, each with the cells of the engines that were asked."""

    experiment: str
    unit: str
    engines: tuple[str, ...]
    rows: tuple[tuple[int, Part, tuple[Cells, ...]], ...]
    step: int
    total: int


def tables(document: Part) -> list[WindowTable]:
    """A table for each experiment; where there are many windows only every so many-th is shown."""
    experiments = [experiment for experiment in document["experiments"] if experiment["windows"]]
    most = max(_LEAST, min(_MOST, _MOST_IN_ALL // max(1, len(experiments))))
    return [_table(experiment, most) for experiment in experiments]


def _table(experiment: Part, most: int) -> WindowTable:
    asked = [result for result in experiment["results"] if result["refused"] is None]
    answers = [{key(answer): answer for answer in result["windows"]} for result in asked]
    known = [time for each in answers for answer in each.values() if (time := eet(answer)) is not None]
    unit = unit_for(Quantity.TIME, known)
    total = len(experiment["windows"])
    step = stride(total, most)
    rows = tuple(
        (number, window, tuple(_cells(each.get(key(window)), unit) for each in answers))
        for number, window in list(enumerate(experiment["windows"]))[::step]
    )
    return WindowTable(experiment["name"], unit.name, tuple(result["engine"] for result in asked), rows, step, total)


def _cells(answer: Part | None, unit: Unit) -> Cells:
    if answer is None:
        return Cells((), NOTHING)
    both = eet(answer)
    tlt, qrt = middle(answer["tlt"]), middle(answer["qrt"])
    if both is None or tlt is None or qrt is None:
        return Cells((), "failed" if answer.get("failure") else NOTHING)
    times = [digits(time / unit.factor) for time in (tlt, qrt, both)]
    return Cells((times[0], times[1], times[2] + _MARKS.get(verdict(answer), "")))
