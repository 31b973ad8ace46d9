"""Reads descriptions: TOML files, shipped or the user's own, checked key by key."""

from __future__ import annotations

import difflib
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

from prsp.backend.decode import Format
from prsp.errors import InputError
from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.model.query import QueryForm
from prsp_backends.command.description import Answer, Data, Description, Directory
from prsp_backends.command.placeholders import PLACEHOLDERS, unknown

_KEYS = tuple(Description.__dataclass_fields__)
_ANSWER_KEYS = ("format", "word", "exit")
_FEATURES: dict[str, Feature | Ability] = {**{str(f): f for f in Feature}, **{str(a): a for a in Ability}}


def shipped() -> dict[str, Path]:
    """The descriptions that come with prsp, by name."""
    folder = Path(str(files("prsp_backends.command") / "descriptions"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_description(path: Path) -> Description:
    """The description in a file; InputError says which key, and the line, when it is not one."""
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}") from error
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the description {path}: {error}") from error
    return _Reader(str(path), text, table).description()


class _Reader:
    """One file being read: every complaint names the file and the line of the key."""

    def __init__(self, path: str, text: str, table: dict[str, Any]) -> None:
        self._path, self._text, self._table = path, text, table

    def description(self) -> Description:
        for key in self._table:
            if key not in _KEYS:
                close = difflib.get_close_matches(key, _KEYS, 1)
                self._wrong(key, "there is no such key" + (f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(_KEYS)}"))
        for key in ("name", "query", "results"):
            if key not in self._table:
                self._wrong(key, "it is missing")
        return Description(
            name=self._text_of("name", "") or self._wrong("name", "it is empty"),
            query=self._command("query") or self._wrong("query", "it is empty"),
            results=self._results(),
            load=self._command("load"),
            clean=self._command("clean"),
            data=Data(self._one_of("data", [*Data], "nt")),
            stdin=self._one_of("stdin", ["query"], "") or None,
            directory=Directory(self._one_of("directory", [*Directory], "private")),
            environment=self._strings("environment"),
            errors=self._patterns("errors"),
            about=self._text_of("about", ""),
            install=self._text_of("install", ""),
            verified=self._verified(),
            gaps=self._gaps(),
            faults=self._reasons("faults"),
        )

    def _wrong(self, key: str, what: str, within: str | None = None) -> NoReturn:
        found = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=|^[ \t]*\[{re.escape(key)}\]", self._text, re.MULTILINE)
        place = f", line {self._text.count(chr(10), 0, found.end()) + 1}" if found else ""
        raise InputError(f"{self._path}{place}: '{key}'{f' in [{within}]' if within else ''}: {what}")

    def _text_of(self, key: str, default: str) -> str:
        value = self._table.get(key, default)
        return value if isinstance(value, str) else self._wrong(key, f"it is a string, not {value!r}")

    def _one_of(self, key: str, choices: list[str], default: str) -> str:
        value = self._table.get(key, default)
        if value not in (*choices, default):
            self._wrong(key, f"it is {' or '.join(choices)}, not {value!r}")
        return str(value)

    def _verified(self) -> bool:
        value = self._table.get("verified", True)
        return value if isinstance(value, bool) else self._wrong("verified", f"it is true or false, not {value!r}")

    def _strings(self, key: str) -> tuple[str, ...]:
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._wrong(key, f"it is a list of strings, one for each argument, not {value!r}")
        return tuple(value)

    def _command(self, key: str) -> tuple[str, ...]:
        command = self._strings(key)
        word = unknown(command)
        if word is not None:
            self._wrong(key, f"there is no placeholder {{{word}}}; known are {', '.join(f'{{{p}}}' for p in PLACEHOLDERS)}")
        if command and "{" in command[0]:
            self._wrong(key, f"the program has a fixed name, not {command[0]!r}")
        return command

    def _patterns(self, key: str) -> tuple[str, ...]:
        patterns = self._strings(key)
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                self._wrong(key, f"{pattern!r} is no regular expression: {error}")
        return patterns

    def _section(self, key: str) -> dict[str, Any]:
        value = self._table.get(key, {})
        return value if isinstance(value, dict) else self._wrong(key, f"it is a table, not {value!r}")

    def _results(self) -> dict[QueryForm, Answer]:
        section = self._section("results")
        if not section:
            self._wrong("results", "it says for select, ask, construct or describe which format the answer has")
        return {self._form(key): self._answer(key, value) for key, value in section.items()}

    def _form(self, key: str) -> QueryForm:
        if key not in [*QueryForm]:
            self._wrong(key, f"it is {', '.join(QueryForm)}", "results")
        return QueryForm(key)

    def _answer(self, key: str, value: Any) -> Answer:
        table = {"format": value} if isinstance(value, str) else value
        if not isinstance(table, dict) or any(k not in _ANSWER_KEYS for k in table) or table.get("format") not in [*Format]:
            self._wrong(key, f"it is a format ({', '.join(Format)}) or {{ format = …, word = …, exit = [0] }}, not {value!r}", "results")
        written, word, codes = Format(table["format"]), table.get("word", table["format"]), table.get("exit", [0])
        if not isinstance(word, str) or not isinstance(codes, list) or not all(type(code) is int for code in codes) or not codes:
            self._wrong(key, f"'word' is a string and 'exit' a list of numbers, not {value!r}", "results")
        if not written.carries(QueryForm(key)):
            self._wrong(key, f"{written} cannot hold the answer of a {key.upper()} query", "results")
        return Answer(written, word, tuple(codes))

    def _reasons(self, key: str) -> dict[str, str]:
        section = self._section(key)
        for name, reason in section.items():
            if not isinstance(reason, str) or not reason:
                self._wrong(name, "it is a reason, as a string that is shown to people", key)
        return section

    def _gaps(self) -> dict[Feature | Ability, str]:
        gaps = self._reasons("gaps")
        for name in gaps:
            if name not in _FEATURES:
                close = difflib.get_close_matches(name, _FEATURES, 1)
                self._wrong(name, "there is no such feature" + (f"; did you mean '{close[0]}'?" if close else ""), "gaps")
        return {_FEATURES[name]: reason for name, reason in gaps.items()}
