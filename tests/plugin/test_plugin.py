"""A distribution of its own, installed by pip, is found by its entry point and passes the kit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import COMMAND
from tests.data import ROOT

PLUGIN = ROOT / "tests" / "plugin" / "prsp-tiny"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the plugin is installed beside prsp, as from a wheel."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(PLUGIN)], check=True, capture_output=True)
    return os.environ | {"PYTHONPATH": str(target)}


def test_it_is_not_here_before_it_is_installed() -> None:
    done = subprocess.run([COMMAND, "backends", "tiny"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no backend 'tiny'" in done.stderr


def test_the_installed_plugin_is_in_the_table(environment: dict[str, str]) -> None:
    done = subprocess.run([COMMAND, "backends"], capture_output=True, text=True, env=environment, check=True)
    assert any(line.startswith("tiny       ready") for line in done.stdout.splitlines()), done.stdout


def test_the_kit_passes_from_the_command_line(environment: dict[str, str]) -> None:
    done = subprocess.run([COMMAND, "backends", "check", "tiny"], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tiny: passes" in done.stdout
    assert "gaps/optional: it matches basic graph patterns only" in done.stdout


def test_its_own_tests_pass(environment: dict[str, str], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        "-c",
        os.devnull,
        str(PLUGIN / "tests"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " xfailed" in done.stdout
