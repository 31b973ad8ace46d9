"""What the subcommands share: exit codes, errors, reading a query."""

from __future__ import annotations

import sys
import traceback
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.errors import InputError, QuerySyntaxError

if TYPE_CHECKING:
    from prsp.model import ContinuousQuery


class ExitCode(IntEnum):
    """What a script can rely on."""

    DONE = 0
    CHECK_FAILED = 1
    BAD_INPUT = 2
    FAILED = 3


class _Debug:
    on = False


def _set_debug(value: bool) -> bool:
    _Debug.on = value
    return value


DebugOption = Annotated[bool, typer.Option("--debug", callback=_set_debug, is_eager=True, help="Show where an error was raised.")]


def report_error(error: Exception) -> None:
    """Print an error as one message; with ``--debug`` the traceback too."""
    if _Debug.on:
        traceback.print_exception(error, file=sys.stderr)
    print(f"prsp: {error}", file=sys.stderr)


def read_text(name: str) -> str:
    """The text of a query file, or of standard input for ``-``."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a directory; a query is a file, or - for standard input") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}, line {line}: not UTF-8 text (byte 0x{data[error.start]:02x})") from None


def parsed_query(name: str) -> ContinuousQuery:
    """The continuous query in a file, or on standard input for ``-``."""
    return parsed_text(name, read_text(name))


def parsed_text(name: str, text: str) -> ContinuousQuery:
    """The continuous query in a text that was read from a file, or from standard input."""
    from prsp.parse import parse_query

    try:
        return parse_query(text)
    except QuerySyntaxError as error:
        raise InputError(f"{'standard input' if name == '-' else name}, {error}") from error


def backend_options(given: list[str], backend: str) -> dict[str, str]:
    """``--option k=v``, or ``NAME.k=v`` for one backend by name, as a mapping."""
    return options_of_each(given, [backend])[backend]


def options_of_each(given: list[str], backends: list[str]) -> dict[str, dict[str, str]]:
    """The options of each of several backends; one without the name of any can only be meant where there is a single one."""
    options: dict[str, dict[str, str]] = {name: {} for name in backends}
    for text in given:
        key, found, value = text.partition("=")
        if not found or not key:
            raise InputError(f"--option {text}: write k=v")
        name = next((name for name in sorted(backends, key=len, reverse=True) if key.startswith(f"{name}.")), None)
        if name is None and "." in key:
            raise InputError(f"--option {text}: {key.partition('.')[0]} is not used here, only {', '.join(backends)}")
        if name is None and len(backends) != 1:
            raise InputError(f"--option {text}: for which backend? Write {backends[0]}.{text}")
        if name is None:
            options[backends[0]][key] = value
        else:
            options[name][key.removeprefix(f"{name}.")] = value
    return options
