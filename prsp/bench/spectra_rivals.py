"""What SPECTRA is measured against: re-evaluation by pyoxigraph, and a re-join of the whole window by polars."""

from __future__ import annotations

import io
import operator
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from prsp.bench.spectra_workloads import Workload
from prsp.errors import EnvironmentProblem

if TYPE_CHECKING:
    import polars as pl


def reload(data: bytes, query: str) -> int:
    """Re-evaluation: a new store, the window's bytes, the query; the rows are counted, not decoded."""
    return sum(1 for _ in _asked(data, query))


def reload_and_decode(data: bytes, query: str) -> int:
    """Re-evaluation with every row as Python terms."""
    return len([tuple(row) for row in _asked(data, query)])


def reload_and_write(data: bytes, query: str) -> int:
    """Re-evaluation with the answer as SPARQL JSON."""
    return len(_asked(data, query).serialize(format=ox.QueryResultsFormat.JSON) or b"")


def _asked(data: bytes, query: str) -> ox.QuerySolutions:
    store = ox.Store()
    store.load(data, ox.RdfFormat.N_TRIPLES)
    answer = store.query(query)
    assert isinstance(answer, ox.QuerySolutions)
    return answer


class KeptStore:
    """A store that is kept: triples, parsed beforehand, are added and removed; then the query is asked again."""

    def __init__(self, data: bytes, query: str) -> None:
        self._store, self._query = ox.Store(), query
        self._store.load(data, ox.RdfFormat.N_TRIPLES)

    def slide(self, entered: Sequence[ox.Quad], left: Sequence[ox.Quad]) -> int:
        """Bring the store up to date and count the rows of the answer."""
        for quad in left:
            self._store.remove(quad)
        self._store.extend(entered)
        answer = self._store.query(self._query)
        assert isinstance(answer, ox.QuerySolutions)
        return sum(1 for _ in answer)


def quads(data: bytes) -> list[ox.Quad]:
    """The triples of some lines, as a store takes them one by one."""
    return [ox.Quad(t.subject, t.predicate, t.object) for t in ox.parse(data, ox.RdfFormat.N_TRIPLES)]


def polars_module() -> Any:
    """polars, or the line that installs it."""
    try:
        import polars
    except ImportError as error:
        raise EnvironmentProblem("this benchmark compares with polars, which is not installed: pip install 'prsp[bench]'") from error
    return polars


class Rejoin:
    """The query's patterns joined by polars over a whole window: over its text, or over columns of numbers made beforehand."""

    def __init__(self, workload: Workload) -> None:
        self._workload, self._pl = workload, polars_module()
        self._numbers: dict[str, int] = {}

    def from_bytes(self, data: bytes) -> int:
        """Read the lines, split them into terms, join; the number of rows."""
        number = self._pl.col("o").str.splitn('"', 3).struct.field("field_1").cast(self._pl.Float64, strict=False)
        return self._join(self._read(data), {}, number)

    def encoded(self, frames: Sequence[pl.DataFrame]) -> int:
        """Join frames of numbers; the number of rows."""
        return self._join(self._pl.concat(frames).lazy(), self._numbers, self._pl.col("v"))

    def encode(self, data: bytes) -> pl.DataFrame:
        """Some lines as numbers: subject, predicate, object, and the value of the object where it is a number."""
        number = self._pl.col("o").str.splitn('"', 3).struct.field("field_1").cast(self._pl.Float64, strict=False)
        frame = self._read(data).with_columns(v=number).collect()
        coded = {c: [self._numbers.setdefault(term, len(self._numbers)) for term in frame[c]] for c in "spo"}
        encoded: pl.DataFrame = self._pl.DataFrame(coded).with_columns(frame["v"])
        return encoded

    def _read(self, data: bytes) -> pl.LazyFrame:
        col = self._pl.col
        lines = self._pl.read_csv(io.BytesIO(data), has_header=False, separator="\n", quote_char=None, new_columns=["line"]).lazy()
        terms = lines.select(col("line").str.splitn(" ", 3).struct.rename_fields(["s", "p", "o"]).alias("t")).unnest("t")
        found: pl.LazyFrame = terms.with_columns(col("o").str.strip_suffix(" ."))
        return found

    def _join(self, window: pl.LazyFrame, numbers: Mapping[str, int], value: pl.Expr) -> int:
        col, bounds = self._pl.col, {variable: (sign, number) for variable, sign, number in self._workload.bounds}
        parts = []
        for pattern in self._workload.patterns:
            constants = [(c, numbers.get(t, -1) if numbers else t) for c, t in zip("spo", pattern, strict=True) if t[0] != "?"]
            wanted = [col(c) == constant for c, constant in constants]
            if pattern[2] in bounds:
                sign, number = bounds[pattern[2]]
                wanted.append((operator.gt if sign == ">" else operator.lt)(value, number))
            names = {c: t for c, t in zip("spo", pattern, strict=True) if t[0] == "?"}
            parts.append((window.filter(*wanted).select(col(c).alias(t) for c, t in names.items()), set(names.values())))
        joined, _ = reduce(_joined, parts)
        return int(joined.select(self._workload.columns).collect().height)


def _joined(left: tuple[Any, set[str]], right: tuple[Any, set[str]]) -> tuple[Any, set[str]]:
    return left[0].join(right[0], on=sorted(left[1] & right[1])), left[1] | right[1]
