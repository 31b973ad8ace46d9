"""CSV and the terminal's tables say what the document says, whatever characters are in it."""

import csv
from io import StringIO

import pytest
from rich.console import Console

from prsp.compare.report import csv_rows, show
from prsp.compare.report.csv_text import COLUMNS
from tests.compare.report.documents import SCRIPT, document


@pytest.mark.parametrize("nasty", [False, True])
def test_csv_has_a_line_for_each_repeat_and_reads_back(nasty: bool) -> None:
    made = document(nasty=nasty)
    rows = list(csv.DictReader(StringIO(csv_rows(made), newline="")))
    assert tuple(rows[0]) == COLUMNS
    expected = sum(
        max(1, len(window["tlt"])) for experiment in made["experiments"] for result in experiment["results"] for window in result["windows"]
    )
    refused = [row for row in rows if row["verdict"] == "refused"]
    assert len(rows) == expected + 1
    assert refused[0]["failure"] == made["experiments"][-1]["results"][4]["refused"]
    first, window = rows[0], made["experiments"][0]["results"][0]["windows"][0]
    assert float(first["tlt_s"]) == window["tlt"][0]
    assert float(first["eet_s"]) == window["tlt"][0] + window["qrt"][0]
    assert (first["engine"], first["at"], first["repeat"], first["precision"]) == ("oxigraph", str(window["at"]), "1", "1.0")
    failed = next(row for row in rows if row["verdict"] == "failed")
    assert (failed["tlt_s"], failed["repeat"], failed["recall"]) == ("", "", "0.0")
    assert failed["failure"].startswith("timeout: no answer within 5 s")


def printed(made: dict[str, object], width: int) -> str:
    out = StringIO()
    show(made, Console(file=out, width=width, force_terminal=False))
    return out.getvalue()


def test_the_table_fits_a_narrow_terminal() -> None:
    text = printed(document(), 80)
    assert "…" not in text
    tables = [line for line in text.splitlines() if not line.startswith("  again:")]
    assert max(map(len, tables)) <= 80
    assert text.splitlines()[1].split() == ["engine", "TLT", "QRT", "EET", "times", "memory", "prec.", "rec.", "F", "fail", "diff"]
    assert next(line for line in text.splitlines() if line.startswith("roqet")).split()[-2:] == ["0", "2"]
    assert "refused" in text
    for said in ("jena over HTTP failed first on the window at", "roqet differs first in the", "was not asked: spectra has no OPTIONAL"):
        assert said in text
    assert "  again: prsp bundle run window-1483850245000 --backend roqet\n" in text


def test_the_table_of_a_wide_terminal_has_whole_names() -> None:
    head = printed(document(loads=1), 140).splitlines()[1].split()
    assert head == [
        "engine",
        "TLT",
        "QRT",
        "EET",
        "vs",
        "fastest",
        "read",
        "out",
        "memory",
        "precision",
        "recall",
        "F",
        "failed",
        "different",
    ]


def test_what_engines_say_is_neither_markup_nor_a_command_to_the_terminal() -> None:
    text = printed(document(nasty=True), 140)
    assert SCRIPT in text
    assert "[red]markup[/red]" in text
    assert "\x1b" not in text
    assert "\x00" not in text


def test_a_query_that_is_not_repeatable_is_not_judged() -> None:
    made = document(loads=0, engines=1)
    for window in made["experiments"][0]["results"][0]["windows"]:
        window["check"]["verdict"] = "unjudged"
    text = printed(made, 140)
    assert "oxigraph is not judged" in text
    assert "1.000" not in text
    assert {row["precision"] for row in csv.DictReader(StringIO(csv_rows(made)))} == {""}
