"""``prsp workload`` as a user types it."""

from pathlib import Path

from tests.cli.run import prsp


def test_it_writes_once_and_says_how_much(tmp_path: Path) -> None:
    arguments = ("workload", "yabench", "--sensors", "5", "--output", str(tmp_path / "w"))
    done = prsp(*arguments)
    assert (done.returncode, done.stdout) == (0, "")
    assert "420 elements, 8 queries" in done.stderr
    again = prsp(*arguments)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "--overwrite" in again.stderr
    assert prsp(*arguments, "--overwrite", "--quiet").stderr == ""


def test_a_preset_is_a_load_of_the_paper(tmp_path: Path) -> None:
    assert "42,000 elements" in prsp("workload", "yabench", "--preset", "prsp-500", "--output", str(tmp_path / "w")).stderr
    assert "prsp-2500" in prsp("workload", "yabench", "--preset", "huge", "--output", str(tmp_path / "v")).stderr
    assert prsp("workload", "nothing", "--output", str(tmp_path / "v")).returncode == 2
