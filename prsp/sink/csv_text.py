"""CSV: a row per solution, with the instant of its evaluation."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

from prsp.model.evaluation import Evaluation
from prsp.model.labels import in_stream
from prsp.model.query import QueryForm


class CsvEncoder:
    """SELECT: ``at,seq,error`` and the variables, values as in SPARQL 1.1 CSV results. ASK: the truth value instead of variables.

    CONSTRUCT and DESCRIBE: ``subject,predicate,object,timestamp`` as N-Triples terms, which another query can read as a stream.
    """

    extension = "csv"

    def __init__(self, form: QueryForm, variables: Sequence[str]) -> None:
        self._form, self._variables = form, tuple(variables)

    def head(self) -> bytes:
        """The names of the columns."""
        if self._form in (QueryForm.CONSTRUCT, QueryForm.DESCRIBE):
            return _text([["subject", "predicate", "object", "timestamp"]])
        return _text([["at", "seq", "error", *(["boolean"] if self._form is QueryForm.ASK else self._variables)]])

    def body(self, evaluation: Evaluation) -> bytes:
        """The rows of the result: none for an empty answer, one with the reason for a failed evaluation."""
        return _text(self._rows(evaluation.line()))

    def _rows(self, line: dict[str, Any]) -> Iterator[list[str]]:
        at, seq = str(line["at"]), str(line["seq"])
        if self._form in (QueryForm.CONSTRUCT, QueryForm.DESCRIBE):
            # A failed evaluation has no row here: it could not be told from an element of the stream.
            for triple in line.get("triples", ()):
                subject, predicate, rest = in_stream(triple, line["at"], line["seq"]).split(" ", 2)
                yield [subject, predicate, rest.removesuffix(".").rstrip(" "), at]
        elif "error" in line:
            width = 1 if self._form is QueryForm.ASK else len(self._variables)
            yield [at, seq, f"{line['error']['kind']}: {line['error']['message']}", *[""] * width]
        elif self._form is QueryForm.ASK:
            yield [at, seq, "", str(line["boolean"]).lower()]
        else:
            for row in line["results"]["bindings"]:
                yield [at, seq, "", *(_value(row.get(name)) for name in self._variables)]


def _value(term: dict[str, str] | None) -> str:
    if term is None:
        return ""
    return f"_:{term['value']}" if term["type"] == "bnode" else term["value"]


def _text(rows: Iterator[list[str]] | list[list[str]]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "backslashreplace")
