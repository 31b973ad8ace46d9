"""`prsp doctor` tells what is there and what is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from prsp.errors import EnvironmentProblem
from tests.cli.run import COMMAND, prsp


@pytest.mark.spark
def test_doctor_starts_spark_and_its_workers() -> None:
    done = prsp("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = {line[9:26].strip(): line for line in done.stdout.splitlines()}
    for name in ("Python", "oxigraph", "rdflib", "Java", "Spark", "Python workers"):
        assert lines[name].startswith("ok"), lines[name]
    assert "Arrow batches pass" in lines["Python workers"]
    assert done.stderr == ""


def test_what_is_absent_comes_with_its_install_line(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    done = subprocess.run([COMMAND, "doctor", "--quick"], capture_output=True, text=True, env=environment, check=False)
    assert "absent     roqet           apt-get install rasqal-utils" in done.stdout


def test_no_java_at_all_is_exit_code_3_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from prsp.cli import main

    def no_java() -> None:
        raise EnvironmentProblem("Spark needs Java 17 or newer, and none was found.\nInstall one: pip install 'prsp[java]'")

    monkeypatch.setattr("prsp.transform.find_java", no_java)
    monkeypatch.setattr(sys, "argv", ["prsp", "doctor"])
    with pytest.raises(SystemExit) as stopped:
        main.main()
    assert stopped.value.code == 3
    assert "MISSING  Java" in (printed := capsys.readouterr().out)
    assert "pip install 'prsp[java]'" in printed
