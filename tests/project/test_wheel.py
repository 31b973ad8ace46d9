"""What is in the wheel: our three packages with their data, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.data import ROOT


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("prsp-*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_has_our_packages_and_nothing_else(names: set[str]) -> None:
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"prsp", "prsp_backends", "prsp_grammar"}


def test_the_wheel_has_every_file_of_the_source_roots(names: set[str]) -> None:
    tracked = subprocess.run(["git", "ls-files", "prsp", "backends", "grammar"], cwd=ROOT, check=True, capture_output=True, text=True)
    expected = {name.removeprefix("backends/").removeprefix("grammar/") for name in tracked.stdout.split()}
    assert {"prsp_grammar/sparql.lark", "prsp_grammar/csparql.lark", "prsp/py.typed"} <= expected
    assert {name for name in names if ".dist-info" not in name} == expected


def test_the_wheel_has_licence_and_command(names: set[str]) -> None:
    endings = {name.split(".dist-info/")[1] for name in names if ".dist-info/" in name}
    assert {"entry_points.txt", "licenses/LICENSE", "METADATA"} <= endings


def test_the_top_level_is_as_designed() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert {Path(name).parts[0] for name in tracked} == {
        ".ci", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "backends", "docs", "examples", "grammar",
        "prsp", "pyproject.toml", "tests",
    }  # fmt: skip
