"""ρ(Q) of every accepted query is standard SPARQL to rdflib and to pyoxigraph."""

from collections.abc import Callable, Iterator

import pyoxigraph
import pytest
from rdflib.plugins.sparql.parser import parseQuery

from prsp.parse import parse_query, parse_sparql
from prsp.parse.rho import rho
from tests.data import needs_data
from tests.parse.test_golden import QUERIES
from tests.parse.w3c import BASE, syntax_cases

DISAGREEMENTS = {
    ("pyoxigraph", "sparql10/expr-builtin/case-insensitive-booleans"): "keywords are case-insensitive (19.8 note 1); it takes only 'true'",
    (
        "rdflib",
        "sparql10/syntax-sparql2/syntax-general-08",
    ): "'5' '-1.0' is an addition of a signed decimal [116]; it fails to negate the literal",
}
"""Queries an engine's parser refuses although the recommendation accepts them; a stale entry fails."""


def rdflib_parses(sparql: str) -> bool:
    try:
        parseQuery(sparql)
    except Exception:  # whatever its parser raises is a refusal
        return False
    return True


def pyoxigraph_parses(sparql: str) -> bool:
    try:
        pyoxigraph.Store().query(sparql, base_iri=BASE)
    except RuntimeError as error:
        # It has parsed: an unknown function is found out when the query is prepared.
        return "custom function" in str(error)
    except SyntaxError:
        return False
    return True


PARSERS: dict[str, Callable[[str], bool]] = {"rdflib": rdflib_parses, "pyoxigraph": pyoxigraph_parses}


@pytest.mark.parametrize("engine", PARSERS)
def test_golden_queries_parse(engine: str) -> None:
    refused = [path.stem for path in QUERIES if not PARSERS[engine](parse_query(path.read_text(encoding="utf-8")).sparql)]
    assert refused == []


def w3c_rhos() -> Iterator[tuple[str, str]]:
    for case in syntax_cases():
        if case.valid:
            dataset = parse_sparql(case.text, base=BASE).dataset
            yield case.name, rho(case.text, [(clause.start, clause.end) for clause in dataset])


@needs_data
@pytest.mark.filterwarnings("ignore")  # rdflib warns of ill-typed literals in some of the tests
@pytest.mark.parametrize("engine", PARSERS)
def test_w3c_queries_parse(engine: str) -> None:
    refused = {(engine, name) for name, sparql in w3c_rhos() if not PARSERS[engine](sparql)}
    assert refused == {key for key in DISAGREEMENTS if key[0] == engine}
