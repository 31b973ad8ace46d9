"""The blocks of docs/write-a-backend.md are run in the order of the page, and do what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.cli.run import COMMAND
from tests.data import ROOT

PAGE = (ROOT / "docs" / "write-a-backend.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- ([^>]*) -->\n```\w*\n(.*?)```", PAGE, re.DOTALL)


def test_every_block_has_its_say() -> None:
    assert PAGE.count("```") == 2 * len(BLOCKS)


def test_the_page_can_be_followed(tmp_path: Path) -> None:
    project, installed = tmp_path / "project", tmp_path / "installed"
    project.mkdir()
    environment = os.environ | {"PYTHONPATH": str(installed)}
    printed = ""
    done: list[str] = []
    for kind, block in BLOCKS:
        done.append(kind.split(":")[0].split(",")[0])
        match re.split(r"[:,] ", kind):
            case ["file", name]:
                (project / name).write_text(block, encoding="utf-8")
            case ["into", name]:
                _insert(project / "prsp_graph.py", f"{name} = Capabilities(\n    {{\n", block)
            case ["faults"]:
                text = (project / "prsp_graph.py").read_text(encoding="utf-8")
                (project / "prsp_graph.py").write_text(text.replace("    }\n)", f"    }},\n{block})", 1), encoding="utf-8")
            case ["run", *exit_code]:
                _install(project, installed)
                command = [str(COMMAND), *block.split()[1:]]
                run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
                assert run.returncode == (1 if exit_code else 0), run.stdout + run.stderr
                printed = run.stdout
            case ["output"]:
                assert block.strip() in printed, printed
    assert done == ["file", "file", "run", "file", "run", "output", "into", "faults", "run", "output"]
    _test_class_is_collected(project, environment)


def _insert(file: Path, after: str, block: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert after in text
    file.write_text(text.replace(after, after + block, 1), encoding="utf-8")


def _install(project: Path, target: Path) -> None:
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--upgrade",
        "--target",
        str(target),
    ]
    subprocess.run([*pip, str(project)], check=True, capture_output=True)


def _test_class_is_collected(project: Path, environment: dict[str, str]) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        "-k",
        "graphs/constant or forms/select-star",
    ]
    run = subprocess.run([*command, "test_graph.py"], env=environment, cwd=project, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed, 1 skipped" in run.stdout
