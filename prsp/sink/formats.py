"""The formats by name."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from prsp.errors import UnsupportedQuery
from prsp.model.query import QueryForm
from prsp.sink.csv_text import CsvEncoder
from prsp.sink.ndjson import NdjsonEncoder
from prsp.sink.nts import NtsEncoder
from prsp.sink.sink import Encoder
from prsp.sink.table import TableEncoder


class Format(StrEnum):
    """How a result is written."""

    TABLE = "table"
    NDJSON = "ndjson"
    CSV = "csv"
    NT = "nt"


def encoder_of(form: Format, query: QueryForm, variables: Sequence[str], *, terminal: bool = False) -> Encoder:
    """What writes the results of a query in a format; UnsupportedQuery where the format has no place for them."""
    match form:
        case Format.TABLE:
            return TableEncoder(terminal=terminal)
        case Format.NDJSON:
            return NdjsonEncoder()
        case Format.CSV:
            return CsvEncoder(query, variables)
        case Format.NT:
            if query not in (QueryForm.CONSTRUCT, QueryForm.DESCRIBE):
                raise UnsupportedQuery(
                    f"--format nt writes triples, and the answer of {query.upper()} has none: use ndjson, csv or table, or CONSTRUCT"
                )
            return NtsEncoder()
