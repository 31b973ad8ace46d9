"""The figures of a comparison: what each shows, and the sentence under it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from prsp.compare.report.charts import BarChart, Bars, Figure, Mark, PointChart, Series
from prsp.compare.report.numbers import Quantity
from prsp.compare.report.reading import Group, Part, eet, groups, key, slots, stride
from prsp.compare.report.summary import Line, lines

POINTS = 400
"""The most points of one engine in a figure of windows."""


@dataclass(frozen=True, slots=True)
class _Measure:
    short: str
    long: str
    quantity: Quantity
    about: str


_MEDIANS = "mean over windows of the median over {} repeats; lower is better"
_MEASURES = {
    "tlt": _Measure("TLT", "load time (TLT)", Quantity.TIME, _MEDIANS),
    "qrt": _Measure("QRT", "query time (QRT)", Quantity.TIME, _MEDIANS),
    "eet": _Measure("EET", "execution time (EET)", Quantity.TIME, _MEDIANS),
    "throughput": _Measure("throughput", "throughput", Quantity.RATE, "triples that entered windows, per second of EET; higher is better"),
    "memory": _Measure("memory", "peak memory", Quantity.MEMORY, "peak of the engine's process; lower is better"),
    "precision": _Measure("precision", "precision", Quantity.SHARE, "share of the rows given that are right"),
    "recall": _Measure("recall", "recall", Quantity.SHARE, "share of the rows wanted that were given"),
    "f": _Measure("F", "F measure", Quantity.SHARE, "harmonic mean of precision and recall"),
}
_TIMES, _SHARES = ("tlt", "qrt", "eet"), ("precision", "recall", "f")


def figures_of(document: Part) -> list[Figure]:
    """The figures, group by group, each with a name of its own."""
    taken: set[str] = set()
    found = []
    for place, group in enumerate(groups(document)):
        for figure in _of_group(document, group):
            name, number = figure.name, 2
            while name in taken:
                name, number = f"{figure.name}-{number}", number + 1
            taken.add(name)
            found.append(replace(figure, name=name, group=place))
    return found


def _of_group(document: Part, group: Group) -> Iterator[Figure]:
    if group.by_load:
        yield from _by_load(document, group)
    else:
        for experiment in group.experiments:
            yield from _side_by_side(document, experiment)
    yield from _scaling(document, group)
    for experiment in group.experiments:
        yield from _windows(document, experiment)


def _by_load(document: Part, group: Group) -> Iterator[Figure]:
    told = ["memory"] if "memory" not in group.measures else []
    for name in [*(m for m in group.measures if m in _MEASURES), *told, *_SHARES]:
        measure = _MEASURES[name]
        series = _series(document, group, name)
        if any(y is not None for each in series for _, y in each.points):
            shown = tuple(each for each in series if any(y is not None for _, y in each.points))
            chart = PointChart(f"{group.name}: {measure.long}", group.load, measure.short, measure.quantity, Mark.JOINED, shown)
            yield Figure(_slug(group.name, name), chart, _caption(document, measure.about, series, shown))


def _side_by_side(document: Part, experiment: Part) -> Iterator[Figure]:
    rows = lines(experiment)
    asked = [name for name in experiment.get("measures") or () if name in _MEASURES and name not in (*_TIMES, *_SHARES)]
    kinds = [(_TIMES, "times", "time per window"), *(((name,), name, _MEASURES[name].long) for name in dict.fromkeys([*asked, "memory"]))]
    for names, ending, told in [*kinds, (_SHARES, "correctness", "precision, recall and F")]:
        bars = tuple(Bars(_MEASURES[name].short, tuple(line.value(name) for line in rows)) for name in names)
        if all(value is None for each in bars for value in each.values):
            continue
        gaps = tuple(_gap(line, names) for line in rows)
        measure = _MEASURES[names[0]]
        chart = BarChart(f"{experiment['name']}: {told}", told, measure.quantity, tuple(line.engine for line in rows), bars, gaps)
        about = measure.about if len(names) == 1 or names is _TIMES else "of rows, over all windows"
        yield Figure(_slug(experiment["name"], ending), chart, _sentence(document, about))


def _scaling(document: Part, group: Group) -> Iterator[Figure]:
    sizes = {window["triples"] for experiment in group.experiments for window in experiment["windows"]}
    if len(sizes) < 2:
        return
    step = stride(sum(len(experiment["windows"]) for experiment in group.experiments), POINTS)
    series = []
    for label, results in group.by_engine():
        triples = [
            (window["triples"], eet(answer))
            for experiment, result in results
            for window, answer in _answered(experiment, result)
            if eet(answer) is not None
        ]
        if triples:
            series.append(Series(label, slots(document)[label], tuple(triples[::step])))
    if series:
        chart = PointChart(f"{group.name}: scaling", "triples in the window", "EET", Quantity.TIME, Mark.CLOUD, tuple(series))
        about = f"a point per window and engine, median over {{}} repeats{_every(step)}"
        yield Figure(_slug(group.name, "scaling"), chart, _sentence(document, about))


def _windows(document: Part, experiment: Part) -> Iterator[Figure]:
    count = len(experiment["windows"])
    if count < 2:
        return
    step = stride(count, POINTS)
    series = []
    for result in experiment["results"]:
        by_window = {key(answer): eet(answer) for answer in result["windows"]}
        points = tuple((float(n), by_window.get(key(w))) for n, w in list(enumerate(experiment["windows"]))[::step])
        if any(y is not None for _, y in points):
            series.append(Series(result["engine"], slots(document)[result["engine"]], points))
    if series:
        chart = PointChart(f"{experiment['name']}: EET by window", "window, in order", "EET", Quantity.TIME, Mark.TRACE, tuple(series))
        gaps = any(y is None for each in series for _, y in each.points)
        about = f"median over {{}} repeats{'; × above the plot: no value, the window failed' if gaps else ''}{_every(step)}"
        yield Figure(_slug(experiment["name"], "windows"), chart, _sentence(document, about), folded=True)


def _series(document: Part, group: Group, name: str) -> list[Series]:
    """One total of each engine by load."""
    places = slots(document)
    totals = {id(experiment): {line.engine: line.value(name) for line in lines(experiment)} for experiment in group.experiments}
    return [
        Series(label, places[label], tuple((float(experiment["x"]), totals[id(experiment)][label]) for experiment, _ in results))
        for label, results in group.by_engine()
    ]


def _answered(experiment: Part, result: Part) -> Iterator[tuple[Part, Part]]:
    windows = {key(window): window for window in experiment["windows"]}
    return ((windows[key(answer)], answer) for answer in result["windows"] if key(answer) in windows)


def _gap(line: Line, names: tuple[str, ...]) -> str:
    if line.refused is not None:
        return "not asked"
    return "no value" if all(line.value(name) is None for name in names) else ""


def _caption(document: Part, about: str, series: list[Series], shown: tuple[Series, ...]) -> str:
    missing = [each.name for each in series if each not in shown]
    return _sentence(document, about) + (f" No values: {', '.join(missing)}." if missing else "")


def _sentence(document: Part, about: str) -> str:
    repeats = document["repeat"]
    text = about.replace("median over {} repeats", "single measurement" if repeats == 1 else f"median over {repeats} repeats")
    return text[0].upper() + text[1:] + "."


def _every(step: int) -> str:
    return "" if step == 1 else f"; every {_ordinal(step)} window is shown"


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else endings.get(number % 10, 'th')}"


def _slug(name: str, ending: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-")
    return f"{words or 'figure'}-{ending}"
