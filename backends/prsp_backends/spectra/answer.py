"""Answers: rows of term numbers, decoded when somebody looks."""

from __future__ import annotations

import json
from typing import Any

from prsp.model.result import Row as TermRow
from prsp.model.result import Solutions
from prsp_backends.spectra.decoder import Decoder
from prsp_backends.spectra.pause import collector_paused
from prsp_backends.spectra.rows import Bag, Rows, repeated

_MOST_LATER = 64
"""Changes an unread answer notes before it takes its rows for itself."""


class Answer(Solutions):
    """A bag of solutions. It reads the engine's own bag as long as it can: what changes there later is noted, to be undone."""

    __slots__ = ("_decoder", "_later", "_rows", "_total", "_variables")

    def __init__(self, variables: tuple[str, ...], rows: Rows | Bag, decoder: Decoder, total: int | None = None) -> None:
        self._variables = variables
        self._rows = rows
        self._decoder = decoder
        self._total = len(rows) if total is None else total
        self._later: list[tuple[Rows, Rows]] = []

    def outlive(self, plus: Rows, minus: Rows) -> bool:
        """Hear that the engine's bag is about to change; whether it still wants to hear."""
        if not isinstance(self._rows, dict):
            return False
        if len(self._later) >= _MOST_LATER or (len(plus) + len(minus)) * 4 > self._total:
            self._rows, self._later = self.numbers(), []
            return False
        self._later.append((plus, minus))
        return True

    @property
    def variables(self) -> tuple[str, ...]:
        """The projected variables, in order."""
        return self._variables

    def numbers(self) -> Rows:
        """The rows as term numbers, each as often as it occurs."""
        rows = self._rows
        if isinstance(rows, dict):
            if not self._later:
                return repeated(rows)
            rows = dict(rows)
            for plus, minus in self._later:
                for row in minus:
                    rows[row] = rows.get(row, 0) + 1
                for row in plus:
                    rows[row] = rows.get(row, 0) - 1
            self._rows = rows = repeated({row: count for row, count in rows.items() if count})
            self._later = []
        return rows

    def tokens(self) -> list[tuple[bytes | None, ...]]:
        """The rows as N-Triples terms."""
        text = self._decoder.text
        return [tuple([None if number is None else text[number] for number in row]) for row in self.numbers()]

    def rows(self) -> list[TermRow]:
        """The solutions as terms."""
        rows = self.numbers()
        decode = self._decoder.terms.__getitem__
        if not self._variables:
            return list(rows)
        # Column by column, so that the loops are those of zip and map.
        with collector_paused():
            return list(zip(*[map(decode, column) for column in zip(*rows, strict=True)], strict=True))

    def json(self) -> bytes:
        """The answer as SPARQL 1.1 JSON results, put together from the JSON of each term."""
        with collector_paused():
            return self._json()

    def _json(self) -> bytes:
        fragments = self._decoder.fragments
        names = [json.dumps(name, ensure_ascii=False) for name in self._variables]
        columns = list(zip(*self.numbers(), strict=True))
        if not self._variables:
            bindings = ["{}"] * len(self)
        elif any(None in column for column in columns):
            bindings = [
                "{" + ",".join([f"{name}:{fragments[number]}" for name, number in zip(names, row, strict=True) if number is not None]) + "}"
                for row in self.numbers()
            ]
        else:
            form = "{" + ",".join(f"{name.replace('%', '%%')}:%s" for name in names) + "}"
            bindings = [form % row for row in zip(*[map(fragments.__getitem__, column) for column in columns], strict=True)]
        return f'{{"head":{{"vars":[{",".join(names)}]}},"results":{{"bindings":[{",".join(bindings)}]}}}}'.encode(
            "utf-8", "backslashreplace"
        )

    def frame(self) -> dict[str, Any]:
        """The keys a result line carries for this answer."""
        document: dict[str, Any] = json.loads(self.json())
        return document

    def __len__(self) -> int:
        return self._total
