"""The query and the commands in the documentation parse, and the table of profiles is the table in the code."""

import re
import shlex
from typing import Any

from typer.main import get_command

from prsp.cli.main import app
from prsp.model import PROFILES
from prsp.parse import parse_query
from tests.data import ROOT

QUERIES = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")


def test_the_query_and_the_windows_shown_parse() -> None:
    (block,) = re.findall(r"```csparql\n(.*?)```", QUERIES, re.DOTALL)
    assert parse_query(block).registration.every == 10_000
    windows = re.findall(r"`(\[RANGE [^`]*\d[^`]*\])`", QUERIES)
    assert len(windows) == 6
    for window in windows:
        parse_query(f"REGISTER QUERY q AS ASK FROM STREAM s {window} {{ ?s ?p ?o }}")


def test_every_profile_is_in_the_table_with_its_values() -> None:
    rows = {m[1]: m[0] for m in re.finditer(r"^\| `([\w-]+)`.*$", QUERIES.partition("## Profiles")[2], re.MULTILINE)}
    assert set(rows) == set(PROFILES)
    for name, profile in PROFILES.items():
        for value in (profile.bounds, profile.operator, profile.origin, *profile.report):
            assert value in rows[name]


def commands() -> list[tuple[str, list[str]]]:
    """Every prsp command that the pages show, with its page."""
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for block in re.findall(r"```(?:sh)?\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                for part in re.split(r"&&|;|\|", line.strip().removeprefix("$ ")):
                    words = shlex.split(part, comments=True) if re.match(r"\s*(\S*/)?prsp ", part) else []
                    if words:
                        found.append((page.name, words[1:]))
    return found


def test_every_command_shown_is_one_that_prsp_takes() -> None:
    shown = commands()
    assert len(shown) >= 20
    for page, words in shown:
        command: Any = get_command(app)
        name = "prsp"
        while hasattr(command, "commands"):
            name, *words = words
            assert name in command.commands, f"{page}: prsp {name}"
            command = command.commands[name]
        try:
            command.make_context(name, list(words))
        except Exception as error:
            raise AssertionError(f"{page}: prsp {name} {' '.join(words)}: {error}") from error
