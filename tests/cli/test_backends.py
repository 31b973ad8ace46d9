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


def test_an_engine_that_cannot_be_asked_is_told_once() -> None:
    nowhere = ("--option", "query=http://127.0.0.1:9/q", "--option", "store=http://127.0.0.1:9/s", "--option", "retries=0")
    for words, code, said in (
        (("http", *nowhere), 3, "http://127.0.0.1:9/q is away: ConnectionRefusedError"),
        (("command", "--option", "engine=roqet", "--option", "program=nowhere"), 3, "nowhere is no program"),
        (("command", "--option", "engine=gstore"), 2, "say which with --option program=DIRECTORY"),
    ):
        done = prsp("backends", "check", *words, "--quick")
        assert (done.returncode, done.stdout) == (code, ""), done.stderr
        assert said in done.stderr
        assert done.stderr.count("\n") == 1


def test_details_are_those_of_the_options_given() -> None:
    assert "paths" not in prsp("backends", "command").stdout
    assert "paths: it does not parse property paths" in prsp("backends", "command", "--option", "engine=roqet").stdout
    described = json.loads(prsp("backends", "spectra", "--option", "fallback=oxigraph", "--json").stdout)
    assert "transitive-paths" not in described["gaps"]
    assert "paths/zero-or-more-absent-start" in described["faults"]


def test_wrong_words_are_told() -> None:
    for words, said in {
        ("--option", "mode=delta"): "prsp backends NAME --option",
        ("oxigraph", "--option", "mood=delta"): "did you mean 'mode'?",
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
