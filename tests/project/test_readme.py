"""What the README shows works as shown."""

import re
import subprocess

from tests.cli.run import prsp
from tests.data import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def command(marker: str) -> str:
    match = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)\n```\n<!-- end -->", README, re.DOTALL)
    assert match is not None
    return match[1]


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


def test_every_python_block_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 1
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_every_command_in_the_table_exists() -> None:
    names = re.findall(r"^\| `prsp (\w+)", README, re.MULTILINE)
    assert names == ["explain", "run", "doctor", "bench"]
    for name in names:
        assert prsp(name, "--help").returncode == 0


def test_the_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
