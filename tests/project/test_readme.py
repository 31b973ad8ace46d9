"""What the README shows works as shown."""

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.run import prsp
from tests.data import ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

README = (ROOT / "README.md").read_text(encoding="utf-8")


def command(marker: str) -> str:
    match = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)\n```\n<!-- end -->", README, re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.spark
def test_the_two_commands_are_one_line_each_and_do_what_they_say() -> None:
    run, test = command("run"), command("test")
    assert "\n" not in run + test
    assert test.startswith("python3 -m venv .venv && .venv/bin/pip install -q -e '.[java,test]' && ")
    assert prsp(*run.rpartition(".venv/bin/prsp ")[2].split()).returncode == 0


def test_ci_calls_the_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "<!-- test -->" in script
    shell = "sed -n '/<!-- test -->/,/<!-- end -->/p' README.md | grep -v -e '<!--' -e '```'"
    assert shell in script
    extracted = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    assert extracted == command("test")


@pytest.mark.spark
def test_every_python_block_runs(spark: "SparkSession") -> None:
    for page, number in (("README.md", 1), ("docs/python.md", 3)):
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
        assert len(blocks) == number
        names: dict[str, object] = {}
        for block in blocks:
            exec(compile(block, page, "exec"), names)


def test_every_command_in_the_table_exists() -> None:
    names = re.findall(r"^\| `prsp (\w+)", README, re.MULTILINE)
    assert names == ["demo", "explain", "run", "verify", "compare", "bundle", "backends", "workload", "doctor", "bench"]
    for name in names:
        assert prsp(name, "--help").returncode == 0


def test_the_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
