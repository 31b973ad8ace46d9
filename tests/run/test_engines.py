"""Static graphs and deadlines through the whole way."""

import json
from pathlib import Path

import pytest

from tests.cli.run import prsp

KB, OTHER = "http://e/kb=1", "http://e/other"
QUERY = f"""REGISTER QUERY joined AS SELECT ?s ?name ?g
FROM STREAM <http://e/s> [RANGE 10ms STEP 10ms] FROM <{KB}> FROM NAMED <{OTHER}>
WHERE {{ ?s <http://e/p> ?o . ?s <http://e/name> ?name OPTIONAL {{ GRAPH ?g {{ ?s ?q ?r }} }} }}"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "q.rq").write_text(QUERY, encoding="utf-8")
    (tmp_path / "kb.ttl").write_text(
        '@prefix e: <http://e/> . e:a e:name "A" . e:b e:name "B" ; e:p e:x . [] e:name "?" .', encoding="utf-8"
    )
    (tmp_path / "other.nt").write_text("<http://e/a> <http://e/q> <http://e/r> .\n", encoding="utf-8")
    lines = "".join(f"<http://e/{who}> <http://e/p> <http://e/x> .\t{time}\n" for who, time in (("a", 1), ("b", 2), ("b", 15)))
    (tmp_path / "s.nts").write_text(lines, encoding="utf-8")
    return tmp_path


def arguments(folder: Path) -> list[str]:
    graphs = ["--graph", f"{KB}={folder / 'kb.ttl'}", "--graph", f"{OTHER}={folder / 'other.nt'}"]
    return [str(folder / "q.rq"), "--stream", str(folder / "s.nts"), "--t0", "0", *graphs]


def rows(lines: str) -> list[list[tuple[str, bool]]]:
    bindings = [json.loads(line)["results"]["bindings"] for line in lines.splitlines()]
    return [sorted((row["name"]["value"], "g" in row) for row in window) for window in bindings]


# <b> stands in the static graph too: it is there in every window, once.
EXPECTED = [[("A", True), ("B", False)], [("B", False)]]


@pytest.mark.spark
def test_static_graphs_join_with_the_window_and_count_once(folder: Path) -> None:
    done = prsp("run", *arguments(folder))
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == EXPECTED


@pytest.mark.spark
def test_on_another_engine_by_deltas_in_a_process_of_its_own(folder: Path) -> None:
    done = prsp("run", *arguments(folder), "--backend", "rdflib", "--option", "mode=delta", "--deadline", "60s")
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout) == EXPECTED


def test_a_wrong_graph_option_is_told(folder: Path) -> None:
    query, stream = str(folder / "q.rq"), str(folder / "s.nts")
    for given, told in (
        (["--graph", "http://e/typo=x.nt"], "the query has no such FROM"),
        (["--graph", f"{KB}={folder / 'none.nt'}", "--graph", f"{OTHER}={folder / 'other.nt'}"], "no such file"),
        (["--graph", f"{KB}={folder / 'q.rq'}", "--graph", f"{OTHER}={folder / 'other.nt'}"], "told by the extension"),
        ([], f"--graph {KB}=FILE"),
    ):
        done = prsp("run", query, "--stream", stream, *given)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_a_static_file_with_a_fault_is_told_with_its_line(folder: Path) -> None:
    (folder / "other.nt").write_text("<http://e/a> <http://e/q> <http://e/r> .\nnonsense\n", encoding="utf-8")
    done = prsp("run", *arguments(folder))
    assert done.returncode == 2
    assert "other.nt, line 2" in done.stderr


@pytest.mark.spark
def test_an_evaluation_over_its_deadline_has_failed_and_the_run_goes_on(tmp_path: Path) -> None:
    (tmp_path / "slow.rq").write_text(
        "REGISTER QUERY slow AS SELECT (COUNT(*) AS ?n) FROM STREAM s [RANGE 10ms STEP 10ms] "
        "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . FILTER(?a != ?d || ?g != ?j) }",
        encoding="utf-8",
    )
    many = "".join(f"<http://e/{i}> <http://e/p> <http://e/o> .\t{i % 10}\n" for i in range(2_000))
    (tmp_path / "s.nts").write_text(many + "<http://e/1> <http://e/p> <http://e/o> .\t25\n", encoding="utf-8")
    done = prsp("run", str(tmp_path / "slow.rq"), "--stream", str(tmp_path / "s.nts"), "--deadline", "2s")
    assert done.returncode == 3, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["error"]["kind"] == "DeadlineExceeded"
    assert lines[2]["results"]["bindings"][0]["n"]["value"] == "0"
