"""A table per evaluation, for people."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from prsp.model.evaluation import Evaluation

_FILE_WIDTH = 120


class TableEncoder:
    """Instant, windows and rows; on a terminal in colour and as wide as it is."""

    extension = "txt"

    def __init__(self, *, terminal: bool) -> None:
        self._terminal = terminal

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def body(self, evaluation: Evaluation) -> bytes:
        """The result as a table."""
        out, line = StringIO(), evaluation.line()
        width = shutil.get_terminal_size((_FILE_WIDTH, 24)).columns if self._terminal else _FILE_WIDTH
        console = Console(file=out, width=width, force_terminal=self._terminal, highlight=False, legacy_windows=False)
        windows = ", ".join(f"{w['stream']} [{w['open']}, {w['close']}] {w['elements']} elements" for w in line["windows"])
        console.print(Text.assemble((f"{line['query']} at {line['at']}", "bold"), f"  {line['operator']}  {windows}"), soft_wrap=True)
        if "error" in line:
            console.print(Text(f"failed: {line['error']['kind']}: {line['error']['message']}", "red"), soft_wrap=True)
        elif "boolean" in line:
            console.print(Text(str(line["boolean"]).lower()))
        else:
            table = Table(show_edge=False, pad_edge=False)
            names = line["head"]["vars"] if "head" in line else ["triple"]
            for name in names:
                table.add_column(Text(name), overflow="fold")
            count = 0
            for row in _rows(line, names):
                table.add_row(*map(Text, row))
                count += 1
            console.print(table) if count and names else console.print(Text(f"{count} rows", "dim"))
        return out.getvalue().encode("utf-8", "backslashreplace") + b"\n"


def _rows(line: dict[str, Any], names: list[str]) -> Iterator[list[str]]:
    if "triples" in line:
        yield from ([triple] for triple in line["triples"])
        return
    for row in line["results"]["bindings"]:
        yield [_cell(row.get(name)) for name in names]


def _cell(term: dict[str, Any] | None) -> str:
    if term is None:
        return ""
    match term["type"]:
        case "uri":
            return f"<{term['value']}>"
        case "bnode":
            return f"_:{term['value']}"
        case "literal" | "typed-literal":
            return str(term["value"]) + (f"@{term['xml:lang']}" if "xml:lang" in term else "")
        case _:  # a triple term of RDF 1.2
            return json.dumps(term["value"], ensure_ascii=False)
