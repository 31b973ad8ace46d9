"""The formats an answer may come in, and the one call that reads any of them as the answer of a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import partial

from prsp.backend.decode.malformed import Malformed
from prsp.backend.decode.ntriples import decode_ntriples
from prsp.backend.decode.printed import decode_gstore, decode_rdf3x
from prsp.backend.decode.srj import decode_json
from prsp.backend.decode.srx import decode_xml
from prsp.backend.decode.tables import decode_csv, decode_tsv
from prsp.errors import EngineError
from prsp.model.query import QueryForm, Rho
from prsp.model.result import Boolean, Result, RowSolutions, Solutions, Triples


class Format(StrEnum):
    """How an engine writes its answer."""

    JSON = "json"
    """SPARQL 1.1 Query Results JSON."""
    XML = "xml"
    """SPARQL Query Results XML."""
    TSV = "tsv"
    """SPARQL 1.1 Query Results TSV."""
    CSV = "csv"
    """SPARQL 1.1 Query Results CSV: loses datatypes, language tags, and what is an IRI."""
    NTRIPLES = "ntriples"
    """N-Triples, for CONSTRUCT and DESCRIBE."""
    RDF3X = "rdf3x"
    """The lines rdf3xquery prints."""
    GSTORE = "gstore"
    """The table gquery writes."""

    def carries(self, form: QueryForm) -> bool:
        """Whether an answer of that form can be written in it."""
        return form in _CARRIED[self]


_GRAPHS = frozenset({QueryForm.CONSTRUCT, QueryForm.DESCRIBE})
_ROWS = frozenset({QueryForm.SELECT})
_CARRIED: Mapping[Format, frozenset[QueryForm]] = {
    Format.JSON: _ROWS | {QueryForm.ASK},
    Format.XML: _ROWS | {QueryForm.ASK},
    Format.TSV: _ROWS,
    Format.CSV: _ROWS,
    Format.NTRIPLES: _GRAPHS,
    Format.RDF3X: _ROWS,
    Format.GSTORE: _ROWS,
}


def decode(payload: bytes, written: Format, rho: Rho, *, engine: str) -> Result:
    """The answer to ρ(Q) that an engine wrote; EngineError, naming the engine, when it is not one."""
    readers: Mapping[Format, Callable[[bytes], Result]] = {
        Format.JSON: decode_json,
        Format.XML: decode_xml,
        Format.TSV: decode_tsv,
        Format.CSV: decode_csv,
        Format.NTRIPLES: decode_ntriples,
        Format.RDF3X: partial(decode_rdf3x, names=rho.variables),
        Format.GSTORE: partial(decode_gstore, names=rho.variables),
    }
    try:
        return _fitting(readers[written](payload), rho)
    except Malformed as error:
        raise EngineError(f"{engine} gave no {written} answer to a {rho.form.upper()} query: {error}") from error


def _fitting(result: Result, rho: Rho) -> Result:
    right = {QueryForm.SELECT: Solutions, QueryForm.ASK: Boolean}.get(rho.form, Triples)
    if not isinstance(result, right):
        raise Malformed({Boolean: "it is a truth value", Triples: "it is a graph"}.get(type(result), "it is a table of solutions"))
    if isinstance(result, Solutions) and set(result.variables) != set(rho.variables):
        if not result.variables and not len(result):
            # Some engines name no variables when there are no solutions.
            return RowSolutions(rho.variables, [])
        raise Malformed(f"it has the variables {_names(result.variables)} where the query projects {_names(rho.variables)}")
    return result


def _names(variables: tuple[str, ...]) -> str:
    return " ".join(f"?{name}" for name in variables) or "none"
