"""CSV: a line per experiment, engine, window and repeat."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import zip_longest

from prsp.compare.report.reading import Part, check_of, key
from prsp.compare.report.summary import verdict

COLUMNS = (
    "experiment", "engine", "at", "seq", "triples", "repeat", "tlt_s", "qrt_s", "eet_s", "out_s",
    "rows", "verdict", "precision", "recall", "memory_bytes", "failure",
)  # fmt: skip


def csv_rows(document: Part) -> str:
    """The whole document's measurements; an engine that was refused has one line with the reason, a failed window at least one."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for experiment in document["experiments"]:
        triples = {key(window): window["triples"] for window in experiment["windows"]}
        for result in experiment["results"]:
            head = (experiment["name"], result["engine"])
            if result["refused"] is not None:
                writer.writerow([*head, *[""] * 9, "refused", *[""] * 3, result["refused"]])
            for window in result["windows"]:
                writer.writerows([*head, *key(window), triples.get(key(window), ""), *rest] for rest in _repeats(window))
    return out.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def _repeats(window: Part) -> Iterator[list[object]]:
    check, failure = check_of(window), window.get("failure")
    told = verdict(window)
    # Of nothing given all is right, and of nothing wanted all was given; where nothing was judged there is no share.
    precision = check["right"] / check["given"] if check["given"] else 1.0
    recall = check["right"] / check["wanted"] if check["wanted"] else 1.0
    shares = ["", ""] if told == "unjudged" else [precision, recall]
    rest = [_plain(window["rows"]), told, *shares, _plain(window["memory"]), f"{failure['kind']}: {failure['message']}" if failure else ""]
    rounds = list(zip_longest(window["tlt"], window["qrt"], window["out"]))
    for number, (tlt, qrt, out) in enumerate(rounds, 1):
        yield [number, _plain(tlt), _plain(qrt), "" if tlt is None or qrt is None else tlt + qrt, _plain(out), *rest]
    if not rounds:
        yield [*[""] * 5, *rest]


def _plain(value: object) -> object:
    return "" if value is None else value
