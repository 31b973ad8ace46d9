"""`prsp backends` tells what is here and runs the kit."""

import json

from prsp.cli import backend_table
from tests.cli.run import prsp
from tests.data import ROOT


def test_every_engine_is_in_the_table() -> None:
    done = prsp("backends")
    assert done.returncode == 0, done.stderr
    first = {line.split()[0] for line in done.stdout.splitlines()[1:] if not line.startswith(" ")}
    assert {"command", "http", "oxigraph", "rdflib", "spectra"} <= first


def test_json_has_gaps_with_reasons_and_options() -> None:
    found = {engine["name"]: engine for engine in json.loads(prsp("backends", "--json").stdout)}
    oxigraph = found["oxigraph"]
    assert oxigraph["ready"]
    assert "reach nothing outside" in oxigraph["gaps"]["service"]
    assert oxigraph["options"][0]["choices"] == ["snapshot", "delta"]
    assert json.loads(prsp("backends", "oxigraph", "--json").stdout) == oxigraph


def test_details_say_what_is_wrong_with_an_engine() -> None:
    done = prsp("backends", "rdflib")
    assert "aggregates/empty-group-by: GROUP BY over no solutions gives a row" in done.stdout
    assert "mode (snapshot or delta)" in done.stdout


def test_the_kit_runs_and_says_how_it_went() -> None:
    done = prsp("backends", "check", "oxigraph", "--option", "mode=delta", "--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith("oxigraph: passes (")
    assert done.stderr == ""


def test_wrong_words_are_told() -> None:
    for words, said in {
        ("check",): "check what?",
        ("nope",): "there is no backend 'nope'",
        ("check", "nope"): "there is no backend 'nope'",
        ("check", "oxigraph", "--option", "mood=delta"): "did you mean 'mode'?",
        ("leftovers", "oxigraph"): "leaves nothing behind",
        ("a", "b", "c"): "write prsp backends",
    }.items():
        done = prsp("backends", *words)
        assert done.returncode == 2
        assert said in done.stderr


def test_the_table_in_the_documentation_is_current() -> None:
    text = (ROOT / "docs" / "backends.md").read_text(encoding="utf-8")
    written = text.partition("<!-- capabilities -->\n")[2].partition("<!-- end of capabilities -->")[0]
    ours = [engine for engine in backend_table.engines() if engine.name in {"command", "http", "oxigraph", "rdflib", "spectra"}]
    assert written == backend_table.markdown(ours) + "\n", "write it anew: prsp backends --markdown"
