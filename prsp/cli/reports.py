"""Where a comparison is written: the terminal, JSON, CSV, and a page with its figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from prsp.errors import InputError

_STANDARD_OUTPUT = Path("-")
_FILE_WIDTH = 140


@dataclass(frozen=True, slots=True)
class Reports:
    """The outputs a user asked for; made before anything runs, so that one in the way is told at once."""

    html: Path | None
    json: Path | None
    csv: Path | None
    overwrite: bool
    quiet: bool

    def __post_init__(self) -> None:
        if self.html == _STANDARD_OUTPUT:
            raise InputError("--html -: the page has figures beside it; name a file")
        if self.json == self.csv == _STANDARD_OUTPUT:
            raise InputError("--json - and --csv -: only one of them can have standard output")
        for path in (self.html, self.json, self.csv, self.figures):
            if path is None or path == _STANDARD_OUTPUT:
                continue
            if path.exists() and not self.overwrite:
                raise InputError(f"{path} exists; --overwrite replaces it")
            if path.exists() and path.is_dir() != (path == self.figures):
                raise InputError(f"{path} is {'a folder' if path.is_dir() else 'no folder'} and cannot be replaced; give another name")
            if not path.parent.is_dir():
                raise InputError(f"{path}: there is no folder {path.parent}")

    @property
    def figures(self) -> Path | None:
        """The folder beside the page that has its figures as SVG."""
        return None if self.html is None else self.html.with_name(f"{self.html.name}-figures")

    def write(self, document: dict[str, Any]) -> None:
        """Write all of them."""
        from prsp.compare.report import csv_rows, figures, html_report, show

        _write(self.json, lambda: json.dumps(document, ensure_ascii=False) + "\n")
        _write(self.csv, lambda: csv_rows(document))
        _write(self.html, lambda: html_report(document))
        if self.figures is not None:
            self.figures.mkdir(exist_ok=True)
            for stale in self.figures.glob("*.svg"):
                stale.unlink()
            for name, text in figures(document).items():
                (self.figures / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        if not self.quiet and _STANDARD_OUTPUT not in (self.json, self.csv):
            from rich.console import Console

            show(document, Console(width=None if sys.stdout.isatty() else _FILE_WIDTH))


def _write(path: Path | None, text: Callable[[], str]) -> None:
    if path == _STANDARD_OUTPUT:
        typer.echo(text(), nl=False)
    elif path is not None:
        # What an engine says may hold half a character; JSON has an escape for it.
        path.write_text(text(), encoding="utf-8", errors="backslashreplace", newline="")
