"""Every W3C evaluation test of SPARQL 1.0 and 1.1 queries, without entailment and federation.

A test's files are named ``http://example.org/w3c/<suite>/<folder>/<file>``: in data, in FROM, in GRAPH and in results alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rdflib import RDF, Graph, Namespace, URIRef
from rdflib.term import Node

from prsp.model.feature import Feature
from prsp.parse.escapes import Source
from prsp.parse.features import features
from prsp.parse.query import parse_sparql
from prsp.parse.rho import rho
from prsp.parse.syntax import GraphClause, walk
from tests.data import DATA
from tests.w3c.read import Expected, expected, ntriples

SUITE = DATA / "w3c-sparql" / "sparql"
BASE = "http://example.org/w3c/"

_MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
_QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
_LEFT_OUT = {"entailment", "service"}
_KINDS = (_MF.QueryEvaluationTest, _MF.CSVResultFormatTest)


@dataclass(frozen=True)
class EvaluationCase:
    """One test: a query, the dataset it is asked on, and the answer."""

    name: str
    query: str
    """The text of the file."""
    base: str
    rho: str
    """The text with its dataset clauses blanked out and the base declared: all an engine needs to have."""
    graphs: Mapping[str | None, bytes]
    """N-Triples by graph name; None is the default graph, which is always there."""
    expected: Expected
    features: frozenset[Feature]
    lax: bool
    """Whether duplicates may be left out (REDUCED)."""


@cache
def cases() -> tuple[EvaluationCase, ...]:
    """All of them, in the order of their names."""
    found = [case for manifest in SUITE.glob("*/*/manifest.ttl") if manifest.parent.name not in _LEFT_OUT for case in _cases(manifest)]
    return tuple(sorted(found, key=lambda case: case.name))


def _cases(manifest: Path) -> list[EvaluationCase]:
    graph = Graph().parse(manifest, publicID=manifest.as_uri())
    (entries,) = graph.objects(None, _MF.entries)
    # A manifest may describe tests that it does not list: they were given up.
    tests = [test for test in graph.items(entries) if any((test, RDF.type, kind) in graph for kind in _KINDS)]
    return [_case(graph, test, manifest.parent) for test in tests]


def _case(graph: Graph, test: Node, folder: Path) -> EvaluationCase:
    suite = f"{folder.parent.name}/{folder.name}"
    action = graph.value(test, _MF.action)
    query_file, result_file = _file(graph.value(action, _QT.query), folder), _file(graph.value(test, _MF.result), folder)
    text = query_file.read_bytes().decode("utf-8")
    base = f"{BASE}{suite}/{query_file.name}"
    source = Source(text)
    source.replace_escapes()
    tree = parse_sparql(text, base=base)
    clauses = [clause for clause in tree.dataset if isinstance(clause, GraphClause)]
    if clauses:
        default = [clause.graph.value for clause in clauses if not clause.named]
        named = [clause.graph.value for clause in clauses if clause.named]
    else:
        default, named = (
            [f"{BASE}{suite}/{_file(name, folder).name}" for name in graph.objects(action, kind)] for kind in (_QT.data, _QT.graphData)
        )
    graphs: dict[str | None, bytes] = {None: b"".join(_data(name) for name in default)}
    return EvaluationCase(
        name=f"{suite}/{str(test).rpartition('#')[2]}",
        query=text,
        base=base,
        rho=f"BASE <{base}> " + rho(text, [(source.offset(clause.start), source.offset(clause.end)) for clause in clauses]),
        graphs=graphs | {name: _data(name) for name in named},
        expected=expected(result_file, f"{BASE}{suite}/{result_file.name}"),
        features=features(tree.body, list(walk(tree.body))),
        lax=(test, _MF.resultCardinality, _MF.LaxCardinality) in graph,
    )


def _file(name: Node | None, folder: Path) -> Path:
    assert isinstance(name, URIRef), f"a test in {folder.name} names no file"
    return folder / name.rpartition("/")[2]


def _data(iri: str) -> bytes:
    return ntriples(SUITE / iri.removeprefix(BASE), iri)
