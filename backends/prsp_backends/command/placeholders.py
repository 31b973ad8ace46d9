"""Placeholders in a command: each argument is filled in by itself, so no value can become a second argument."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

PLACEHOLDERS: Mapping[str, str] = {
    "data": "the file with the window and the static data",
    "query": "the file with ρ(Q)",
    "text": "ρ(Q) itself",
    "output": "a file the answer is read from; without it the answer is standard output",
    "database": "a path for the engine's own database, new for each window",
    "name": "a name for a database, new for each window",
    "results": "the engine's word for the result format",
    "base": "the base IRI of relative names",
    "args": "the arguments of --option args; alone in its argument; without it they come last",
}

_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")


def unknown(command: Sequence[str]) -> str | None:
    """The first placeholder that is none."""
    return next((word for argument in command for word in _PLACEHOLDER.findall(argument) if word not in PLACEHOLDERS), None)


def mentions(command: Sequence[str], word: str) -> bool:
    """Whether a command has that placeholder."""
    return any(f"{{{word}}}" in argument for argument in command)


def filled(command: Sequence[str], values: Mapping[str, str], args: Sequence[str] = ()) -> list[str]:
    """The command with every placeholder replaced, in one pass: what is filled in is not looked at again."""
    whole = [*command] if "{args}" in command else [*command, "{args}"]
    at = whole.index("{args}")
    done = [_PLACEHOLDER.sub(lambda match: values[match[1]], argument) for argument in [*whole[:at], *whole[at + 1 :]]]
    return [*done[:at], *args, *done[at:]]
