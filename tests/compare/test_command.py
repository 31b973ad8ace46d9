"""``prsp compare`` as a user types it, on real engines."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.run import prsp
from tests.compare.support import VALUES, readings
from tests.engines import require_command
from tests.servers import Endpoint, arq_script

SCRIPT = '"<script>document.title=1</script>"'


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "q.rq").write_text(VALUES, encoding="utf-8")
    # A sensor says something that a page must not take for its own.
    said = f"<http://e/sensor0> <http://e/v> {SCRIPT} .\t3\n"
    (tmp_path / "s.nts").write_text(readings(20) + said, encoding="utf-8")
    return [str(tmp_path / "q.rq"), "--stream", str(tmp_path / "s.nts")]


def served(label: str, there: Endpoint) -> list[str]:
    options = [
        f"--option={label}.{key}={value}" for key, value in (("query", there.query), ("update", there.update), ("store", there.store))
    ]
    return [f"--backend={label}=http", *options]


@pytest.mark.spark
def test_seven_real_engines_agree_and_are_reported(files: list[str], tmp_path: Path, oxigraph_server: Endpoint, fuseki: Endpoint) -> None:
    require_command("roqet", "apt-get install -y rasqal-utils")
    engines = ["--backend=oxigraph", "--backend=rdflib", "--backend=spectra"]
    engines += [*served("oxigraph-server", oxigraph_server), *served("fuseki", fuseki)]
    engines += ["--backend=arq=command", "--option=arq.engine=arq", f"--option=arq.program={arq_script()}"]
    engines += ["--backend=roqet=command", "--option=roqet.engine=roqet"]
    outputs = ["--html", str(tmp_path / "r.html"), "--json", str(tmp_path / "r.json"), "--csv", str(tmp_path / "r.csv")]
    done = prsp("compare", *files, *engines, *outputs, "--repeat", "1", "--save-window", "1", str(tmp_path / "window-1"))
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "r.json").read_bytes())
    labels = ["oxigraph", "rdflib", "spectra", "oxigraph-server", "fuseki", "arq", "roqet"]
    assert [one["label"] for one in document["engines"]] == labels
    (experiment,) = document["experiments"]
    for result in experiment["results"]:
        assert [w["check"]["verdict"] for w in result["windows"]] == ["equal"] * 4, result["engine"]
        assert (result["totals"]["precision"], result["totals"]["recall"]) == (1.0, 1.0)
        assert result["totals"]["memory"] > 1_000_000, result["engine"]
    assert all(label in done.stdout for label in labels)
    with (tmp_path / "r.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 7 * 4
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script" not in page
    for figure in (tmp_path / "r.html-figures").iterdir():
        ElementTree.fromstring(figure.read_text(encoding="utf-8"))
    for name, options in (("rdflib", []), ("command", ["--option", "engine=roqet"])):
        replayed = prsp("bundle", "run", str(tmp_path / "window-1"), "--backend", name, *options)
        assert (replayed.returncode, "as expected" in replayed.stdout) == (0, True), replayed.stderr
    again = prsp("compare", *files, "--html", str(tmp_path / "r.html"))
    assert (again.returncode, "r.html exists; --overwrite replaces it" in again.stderr) == (2, True)


@pytest.mark.spark
def test_answers_that_differ_and_engines_that_fail_have_exit_codes_of_their_own(files: list[str], tmp_path: Path) -> None:
    query = Path(files[0])
    query.write_text(query.read_text(encoding="utf-8").replace("SELECT ?s ?v", "SELECT (MIN(?s) AS ?least)"), encoding="utf-8")
    engines = ["--backend", "oxigraph", "--backend", "rdflib", "--no-memory", "--repeat", "1"]
    done = prsp("compare", *files, *engines)
    assert done.returncode == 1, done.stderr
    assert '"http://e/sensor0"' in done.stdout
    assert "--save-window 0 window-0" in " ".join(done.stdout.split())
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('name = "fails"\nquery = ["false"]\ndata = "nt"\n[results]\nselect = "json"\n', encoding="utf-8")
    failing = ["--backend", "fails=command", "--option", f"fails.description={wrong}", "--json", "-"]
    done = prsp("compare", *files, *engines, *failing)
    assert done.returncode == 3, done.stderr
    (experiment,) = json.loads(done.stdout)["experiments"]
    failed = next(result for result in experiment["results"] if result["engine"] == "fails")
    assert failed["totals"]["failed"] == 4
    assert failed["windows"][0]["failure"]["kind"] == "EngineError"


@pytest.mark.spark
def test_a_suite_from_the_command_line(tmp_path: Path) -> None:
    options = ["--suite", "prsp", "--quick", "--repeat", "1", "--backend", "oxigraph", "--checkpoint", str(tmp_path / "kept")]
    done = prsp("compare", *options, "--json", "-")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)
    assert [experiment["x"] for experiment in first["experiments"]] == [20, 40, 20, 40]
    assert first["title"] == "The experiments of PRSP, again"
    again = json.loads(prsp("compare", *options, "--json", "-").stdout)
    assert again["experiments"] == first["experiments"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give a query file, or --suite NAME"),
        (["q.rq", "--suite", "prsp"], "not both"),
        (["--suite", "csrbench"], "there is no suite 'csrbench'; there is prsp, spectra"),
        (["--suite", "prsp", "--windows", "3"], "--windows does not go with --suite"),
        (["--suite", "prsp", "--operator", "istream"], "--operator does not go with --suite"),
        (["--suite", "prsp", "--lateness", "5s"], "--lateness does not go with --suite"),
        (["--suite", "spectra", "--backend", "S-Inc=oxigraph"], "the suite has an engine of its own called S-Inc"),
        (["q.rq", "--backend", "oracle=oxigraph"], "an engine cannot be called 'oracle'"),
        (["q.rq", "--html", "-"], "name a file"),
        (["q.rq", "--json", "-", "--csv", "-"], "only one of them"),
        (["q.rq", "--json", ".", "--overwrite"], ". is a folder and cannot be replaced"),
        (["q.rq", "--quick"], "--quick goes with --suite"),
        (["q.rq", "--checkpoint", "d"], "--checkpoint goes with --suite"),
        (["q.rq", "--backend", "mysql"], "there is no backend 'mysql'"),
        (["q.rq", "--option", "mode=inc"], "name the engine it is for with --backend"),
        (["q.rq", "--backend", "a=spectra", "--backend", "b=spectra", "--option", "mode=inc"], "for which backend? Write a.mode=inc"),
        (["q.rq", "--backend", "a=http"], "query"),
        (["q.rq", "--html", "nowhere/r.html"], "there is no folder nowhere"),
        (["none.rq"], "none.rq: no such file"),
        (["q.rq", "--stream", "s.nts", "--t0", "soon"], "not an integer of milliseconds"),
        (["q.rq"], "no --stream for"),
        (
            ["q.rq", "--stream", "s.nts", "--reference", "x", "--backend", "oxigraph"],
            "no such engine takes the query here; there is oracle",
        ),
        (["q.rq", "--stream", "s.nts", "--evaluator", "x", "--backend", "oxigraph"], "there is no evaluator 'x'"),
        (
            ["q.rq", "--stream", "s.nts", "--evaluator", "naive", "--reference", "oxigraph", "--backend", "oxigraph"],
            "--evaluator naive answers for the oracle, and --reference is oxigraph",
        ),
    ],
)
def test_wrong_usage_is_one_message(
    arguments: list[str], told: str, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files
    monkeypatch.chdir(tmp_path)
    done = prsp("compare", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
