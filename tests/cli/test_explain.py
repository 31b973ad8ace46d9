"""`prsp explain` from the shell."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, prsp
from tests.data import ROOT

SENSOR = str(ROOT / "examples" / "sensor.rq")


def test_json_has_the_keys_scripts_rely_on() -> None:
    done = prsp("explain", SENSOR, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert list(document) == ["registration", "streams", "static", "sparql", "form", "variables", "features", "profile"]
    assert document["registration"] == {"kind": "query", "name": "SensorQuery", "every": None}
    assert document["streams"] == [{"iri": "SensorStreams", "named": False, "window": {"kind": "time", "range": 5000, "step": 4000}}]
    assert document["static"] == {"default": [], "named": []}
    assert document["profile"] == {"name": "prsp", "bounds": "closed", "report": "window-close", "operator": "rstream", "t0": None}
    assert document["sparql"].splitlines()[-1] == "          om-owl:result [om-owl:floatValue ?value] . }"
    assert "" not in document["sparql"].splitlines()


def test_computed_every_and_the_profile_show_in_the_policy() -> None:
    text = "REGISTER QUERY q COMPUTED EVERY 2s AS SELECT ?s FROM STREAM s [RANGE TRIPLES 7 STEP 2] { ?s ?p ?o }"
    document = json.loads(prsp("explain", "-", "--json", "--profile", "csparql", stdin=text).stdout)
    assert document["registration"]["every"] == 2000
    assert document["streams"][0]["window"] == {"kind": "count", "size": 7, "step": 2}
    assert document["profile"]["report"] == "periodic+non-empty"


def test_the_picture_shows_the_period_and_what_the_policy_is_bound_to() -> None:
    text = " ".join(prsp("explain", SENSOR, "--report", "window-close@SensorStreams+non-empty", "--every", "90s").stdout.split())
    assert "report periodic every 90s and non-empty of SensorStreams, rstream" in text


def test_the_picture_shows_the_tuple_and_the_first_windows() -> None:
    done = prsp("explain", SENSOR)
    assert done.returncode == 0
    for part in ("query SensorQuery", "range 5s, step 4s (sliding)", "2: t0+8s to t0+13s", "om-owl:procedure ?sensor"):
        assert part in done.stdout
    assert "FROM STREAM" not in done.stdout


@pytest.mark.parametrize(
    ("profile", "bar"), [("prsp", "[─"), ("csparql", "(─"), ("prsp-eq3", "0: t0-5s to t0")], ids=["prsp", "csparql", "prsp-eq3"]
)
def test_the_picture_shows_bounds_and_origin(profile: str, bar: str) -> None:
    assert bar in prsp("explain", SENSOR, "--profile", profile).stdout


def test_the_picture_of_count_windows_static_graphs_and_unrepeatable_answers() -> None:
    text = (
        "REGISTER STREAM out COMPUTED EVERY 1m AS CONSTRUCT { ?s ?p ?o } FROM STREAM s [RANGE TRIPLES 10 STEP 4] FROM <http://e/a>"
        " FROM NAMED <http://e/b> { ?s ?p ?o } LIMIT 3"
    )
    shown = prsp("explain", "-", stdin=text).stdout
    for part in (
        "stream out, computed every 1m",
        "1: elements 1 to 8",
        "2: elements 3 to 12",
        "http://e/a: default",
        "http://e/b: named",
        "Note:",
    ):
        assert part in shown


def test_nothing_is_wrapped_or_cropped_in_a_pipe() -> None:
    long = "x" * 200
    text = f"REGISTER QUERY q AS ASK FROM STREAM s [RANGE 10s STEP 30500ms] {{ ?s ?p '{long}' }}"
    shown = prsp("explain", "-", stdin=text).stdout
    assert f"'{long}'" in shown
    assert "3: t0+91500ms to t0+101500ms\n" in shown


def test_a_named_window_without_named_graphs_is_pointed_out() -> None:
    text = "REGISTER QUERY q AS ASK FROM NAMED STREAM <http://e/s> [RANGE 1s] { GRAPH <http://e/s> { ?s ?p ?o } }"
    assert "finds nothing" in prsp("explain", "-", "--profile", "csparql", stdin=text).stdout
    assert "named graph" in prsp("explain", "-", stdin=text).stdout


def test_any_locale_and_a_full_disk_are_no_traceback() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin1"}
    done = subprocess.run([COMMAND, "explain", SENSOR], capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "ρ(Q)" in done.stdout.decode()
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([COMMAND, "explain", SENSOR], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert done.stderr.decode().count("\n") == 1
    assert "No space left" in done.stderr.decode()


def test_a_syntax_error_is_one_message_with_file_line_and_caret(tmp_path: Path) -> None:
    path = tmp_path / "broken.rq"
    path.write_text("REGISTER QUERY q AS\nSELEC ?s FROM STREAM s [RANGE 1s] { ?s ?p ?o }", encoding="utf-8")
    done = prsp("explain", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"prsp: {path}, line 2, column 1: did not expect 'SELEC' here\n  SELEC ?s")
    assert "did you mean SELECT?" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in prsp("explain", str(path), "--debug").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "nowhere.rq"), "nowhere.rq: no such file"),
        (("explain", str(ROOT)), "is a directory"),
        (("explain", SENSOR, "--profile", "nosuch"), "no profile 'nosuch'"),
        (("explain", SENSOR, "--option", "mode=inc"), "for which backend? Write --backend NAME"),
        (("bench", "nosuch"), "no benchmark 'nosuch'"),
        (("explain",), "Missing argument"),
        (("nosuch",), "No such command"),
    ],
)
def test_bad_input_is_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = prsp(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_query_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.rq"
    path.write_bytes(b"REGISTER QUERY q AS\nSELECT '\xe9'")
    done = prsp("explain", str(path))
    assert done.returncode == 2
    assert "line 2: not UTF-8" in done.stderr


def test_every_help_has_an_example() -> None:
    for command in ("explain", "run", "doctor", "bench"):
        assert "Example: prsp" in prsp(command, "--help").stdout
    assert "explain" in prsp("--help").stdout
    assert prsp("--version").stdout.startswith("prsp ")


def test_a_policy_that_asks_at_every_event_is_pointed_out() -> None:
    text = "REGISTER QUERY q AS ASK FROM STREAM <http://e/s> [RANGE 1s] { ?s ?p ?o }"
    assert "whenever an element comes. An engine that takes snapshots" in prsp("explain", "-", "--report", "arrival", stdin=text).stdout
    assert "comes or goes" in prsp("explain", "-", "--report", "content-change+non-empty", stdin=text).stdout
    assert "whenever" not in prsp("explain", "-", stdin=text).stdout
