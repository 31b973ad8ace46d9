"""`prsp run` from the shell: side outputs, accounts, and every mistake a new user makes."""

import gzip
import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, prsp
from tests.data import ROOT

SENSOR, STREAM = str(ROOT / "examples" / "sensor.rq"), str(ROOT / "examples" / "sensors.nts")
QUERY = "REGISTER QUERY q AS SELECT (COUNT(*) AS ?n) FROM STREAM <http://e/s=1> [RANGE 10ms STEP 5ms] { ?s ?p ?o }"


@pytest.fixture
def query(tmp_path: Path) -> str:
    (tmp_path / "q.rq").write_text(QUERY, encoding="utf-8")
    return str(tmp_path / "q.rq")


def line(subject: str, time: object) -> str:
    return f"<http://e/{subject}> <http://e/p> <http://e/o> .\t{time}\n"


@pytest.mark.spark
def test_side_outputs_and_the_account(tmp_path: Path, query: str) -> None:
    (tmp_path / "a.nts").write_text(line("a", 0) + "broken\n" + line("b", 40) + line("late", 3) + line("c", 44), encoding="utf-8")
    with gzip.open(tmp_path / "b.nts.gz", "wt") as out:
        out.write("# comment\n" + line("d", "x") + line("e", 60))
    done = prsp(
        "run", query, "--stream", f"http://e/s=1={tmp_path}/*.nts*", "--lateness", "5ms", "--output", str(tmp_path / "out.ndjson"),
        "--late", str(tmp_path / "late"), "--rejected", str(tmp_path / "rejected"), "--summary", str(tmp_path / "summary"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (counts,) = json.loads((tmp_path / "summary").read_text(encoding="utf-8"))["streams"]
    assert counts == {"query": "q", "stream": "http://e/s=1", "read": 7, "in_windows": 4, "in_no_window": 0, "late": 1, "rejected": 2}
    assert (tmp_path / "late").read_text(encoding="utf-8") == line("late", 3)
    rejected = [json.loads(text) for text in (tmp_path / "rejected").read_text(encoding="utf-8").splitlines()]
    assert [(r["file"], r["line"]) for r in rejected] == [(str(tmp_path / "a.nts"), 2), (str(tmp_path / "b.nts.gz"), 2)]
    lines = [json.loads(text) for text in (tmp_path / "out.ndjson").read_text(encoding="utf-8").splitlines()]
    # Every due window is there, also the empty ones of the silence: opens at 0, 5, … 60.
    assert [r["at"] for r in lines] == list(range(10, 75, 5))
    assert [r["results"]["bindings"][0]["n"]["value"] for r in lines][:3] == ["1", "0", "0"]
    assert lines[0]["profile"] == "prsp;t0=0;lateness=5"


@pytest.mark.spark
def test_standard_input_no_flush_windows_and_empty_input(tmp_path: Path, query: str) -> None:
    text = "".join(line(str(i), i) for i in range(30))
    all_windows = prsp("run", query, "--stream", "-", stdin=text).stdout.splitlines()
    assert [json.loads(r)["at"] for r in all_windows] == [10, 15, 20, 25, 30, 35]
    passed = prsp("run", query, "--stream", "-", "--no-flush", "--windows", "3", stdin=f"{text}no element\n")
    assert passed.stdout.splitlines() == all_windows[:3]
    assert "line 31: no TAB and timestamp at the end; --rejected FILE collects them\nq: 3 reported" in passed.stderr
    nothing = prsp("run", query, "--stream", "-", stdin="# nothing\n")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert "0 read = 0 in windows" in nothing.stderr


@pytest.mark.spark
def test_a_jump_in_time_stops_a_bounded_run_with_its_place(tmp_path: Path, query: str) -> None:
    (tmp_path / "a.nts").write_text(line("a", 5) + "# x\n" + line("b", 10**15), encoding="utf-8")
    done = prsp("run", query, "--stream", str(tmp_path / "a.nts"), "--output", str(tmp_path / "out"))
    assert done.returncode == 2
    assert f"{tmp_path / 'a.nts'}, line 3: timestamp {10**15}" in done.stderr
    assert "--max-gap" in done.stderr
    assert not (tmp_path / "out").exists()
    far = prsp("run", query, "--stream", str(tmp_path / "a.nts"), "--t0", str(-(10**12)))
    assert far.returncode == 2
    assert "t0" in far.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--stream", "nowhere.nts"], "no such file: nowhere.nts"),
        (["--stream", f"http://e/other={STREAM}"], "no query reads such a stream; what is read is http://e/s=1"),
        (["--stream", f"http://e/s=1={ROOT / 'README.md'}"], "--stream-format"),
        (["--stream", STREAM, "--backend", "nosuch"], "no backend 'nosuch'; installed are "),
        (["--stream", STREAM, "--option", "x=y"], "no option 'x'"),
        (["--stream", STREAM, "--option", "x"], "write k=v"),
        (["--stream", STREAM, "--t0", "soon"], "not an integer"),
        (["--stream", STREAM, "--t0", "http://e/x=5"], "no query reads a stream http://e/x"),
        (["--stream", STREAM, "--bounds", "open"], "closed, left-open, right-open"),
        (["--stream", STREAM, "--lateness", "5"], "needs a unit"),
        (["--stream", STREAM, "--stream-format", "xml"], "no stream format 'xml'"),
        (["--stream", STREAM, "--output", STREAM], "exists; --overwrite"),
        (["--stream", STREAM, "--late", STREAM], "exists; --overwrite"),
        (["--stream", f"http://e/s=1={STREAM}", "--stream", f"http://e/s=1={STREAM}"], "twice"),
        (["--stream", STREAM, "--output", "/nowhere/out"], "/nowhere/out"),
        (["--stream", STREAM, "--summary", "/nowhere/summary"], "there is no directory /nowhere"),
        (["--stream", STREAM, "--rejected", "/nowhere/rejected"], "there is no directory /nowhere"),
        (["--stream", STREAM, "--late", str(ROOT)], "is a directory"),
        (["--stream", STREAM, "--windows", "0"], "--windows"),
        (["--stream", STREAM, "--idle", "5s"], "--idle is for live runs: add --follow"),
        (["--stream", STREAM, "--retain", "all"], "--retain is for live runs: add --follow"),
        (["--stream", STREAM, "--follow"], "needs --checkpoint"),
        ([], "no --stream for http://e/s=1: say --stream http://e/s=1=FILE"),
        (["--stream", STREAM, "--where", "moon"], "driver or executors"),
        (["--stream", STREAM, "--operator", "all"], "rstream, istream, dstream"),
        (["--stream", STREAM, "--report", "sometimes"], "'sometimes' is none of window-close, non-empty"),
        (["--stream", STREAM, "--report", "window-close@http://e/x"], "no query reads a stream http://e/x"),
        (["--stream", STREAM, "--report", "mapping-expire"], "comes with TPF-QS"),
        (["--stream", STREAM, "--report", "non-empty"], "names no instant"),
        (["--stream", STREAM, "--report", "periodic"], "needs a period"),
        (["--stream", STREAM, "--format", "nt"], "writes triples"),
        (["--stream", STREAM, "--format", "xml"], "no format 'xml'"),
        (["--stream", STREAM, "--option", "rdflib.mode=delta"], "rdflib is not used here"),
        (["--stream", STREAM, "--graph", "http://e/kb=x.ttl"], "no such FROM"),
    ],
)
def test_mistakes_are_one_message_and_exit_code_2(query: str, arguments: list[str], message: str) -> None:
    done = prsp("run", query, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_what_an_engine_cannot_parse_and_unmapped_graphs_are_said_before_anything_runs(tmp_path: Path) -> None:
    for text, code, message in [
        ("REGISTER QUERY q AS SELECT ?s ?s FROM STREAM s [RANGE 1s] { ?s ?p ?o }", 3, "oxigraph could not take the query"),
        ("REGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] FROM <http://e/kb> { ?s ?p ?o }", 2, "nothing is fetched"),
    ]:
        done = prsp("run", "-", "--stream", STREAM, stdin=text)
        assert done.returncode == code
        assert message in done.stderr


@pytest.mark.spark
def test_a_checkpoint_of_bounded_input_is_used_again_until_the_input_changes(tmp_path: Path, query: str) -> None:
    stream, out, checkpoint = tmp_path / "a.nts", tmp_path / "out", str(tmp_path / "ck")
    stream.write_text("".join(line(str(i), i) for i in range(30)), encoding="utf-8")
    command = ["run", query, "--stream", str(stream), "--output", str(out), "--checkpoint", checkpoint]
    assert prsp(*command).returncode == 0
    first = out.read_bytes()
    again = prsp(*command)
    assert (again.returncode, out.read_bytes()) == (0, first)
    assert "start" not in again.stderr.rpartition("seconds:")[2], "Spark is not needed for what is cut already"
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    for _ in range(2):
        elsewhere = prsp(*command[:-3], str(tmp_path / "precious"), "--checkpoint", checkpoint)
        assert (elsewhere.returncode, "exists" in elsewhere.stderr) == (2, True)
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "mine"
    stream.write_text(line("other", 1), encoding="utf-8")
    changed = prsp(*command)
    assert (changed.returncode, "before they changed" in changed.stderr) == (2, True)
    live = prsp("run", query, "--stream", str(tmp_path), "--follow", "--output", str(tmp_path / "o"), "--checkpoint", checkpoint)
    assert (live.returncode, "bounded run" in live.stderr) == (2, True)


@pytest.mark.spark
def test_follow_until_interrupted_and_resume(tmp_path: Path, query: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "0.nts").write_text("".join(line(str(i), i) for i in range(20)) + "bad\n", encoding="utf-8")
    out = tmp_path / "out.ndjson"
    command = ["run", query, "--stream", str(folder), "--follow", "--checkpoint", str(tmp_path / "ck"), "--output", str(out)]

    def until(count: int) -> str:
        process = subprocess.Popen([COMMAND, *command, "--rejected", str(tmp_path / "rejected")], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 90
        progress = tmp_path / "ck" / "progress.json"
        while time.monotonic() < deadline and not (progress.exists() and _reported(progress) >= count):
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        errors: str = process.communicate(timeout=60)[1]
        assert process.returncode == 0, errors
        return errors

    assert "1 rejected" in until(2)
    assert [json.loads(r)["at"] for r in out.read_text(encoding="utf-8").splitlines()] == [10, 15]
    # A jump is rejected and does not move the clock.
    (folder / "1.nts").write_text(line("far", 10**15) + "".join(line(str(i), i) for i in range(20, 33)), encoding="utf-8")
    assert "35 read = 33 in windows + 0 in no window + 0 late + 2 rejected" in until(5)
    assert [json.loads(r)["at"] for r in out.read_text(encoding="utf-8").splitlines()] == [10, 15, 20, 25, 30]
    reasons = [json.loads(r) for r in (tmp_path / "rejected").read_text(encoding="utf-8").splitlines()]
    assert [(r["line"], r["reason"][:9]) for r in reasons] == [(21, "no TAB an"), (1, "time jump")]
    other = tmp_path / "other.rq"
    other.write_text(QUERY.replace("10ms", "20ms"), encoding="utf-8")
    done = prsp("run", str(other), *command[2:])
    assert done.returncode == 2
    assert "checkpoint of other queries" in done.stderr


def _reported(progress: Path) -> int:
    return sum(query["reported"] for query in json.loads(progress.read_bytes())["queries"])
