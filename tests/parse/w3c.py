"""The W3C SPARQL query tests that are about this language: 1.0 and 1.1, without entailment, federation and update."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rdflib import RDF, Graph, Namespace, URIRef

from tests.data import DATA

SUITE = DATA / "w3c-sparql" / "sparql"
BASE = "http://example.org/w3c/"

_MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
_QT = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
_LEFT_OUT = {"entailment", "service", "syntax-fed"}
_SYNTAX = {
    "PositiveSyntaxTest": True,
    "PositiveSyntaxTest11": True,
    "NegativeSyntaxTest": False,
    "NegativeSyntaxTest11": False,
}


@dataclass(frozen=True)
class SyntaxCase:
    """One query file and whether it is one."""

    name: str
    path: Path
    valid: bool

    @property
    def text(self) -> str:
        return self.path.read_bytes().decode("utf-8")


@cache
def syntax_cases() -> list[SyntaxCase]:
    """Every syntax test, and the query of every evaluation test as a valid text."""
    cases = []
    for manifest in sorted(SUITE.glob("*/*/manifest.ttl")):
        if manifest.parent.name in _LEFT_OUT:
            continue
        graph = Graph().parse(manifest, publicID=manifest.as_uri())
        for test, kind in sorted(graph.subject_objects(RDF.type)):
            action = graph.value(test, _MF.action)
            valid = _SYNTAX.get(str(kind).rpartition("#")[2])
            if valid is None:
                action, valid = graph.value(action, _QT.query) if action is not None else None, True
            if isinstance(action, URIRef) and action.endswith(".rq"):
                path = manifest.parent / action.rpartition("/")[2]
                cases.append(SyntaxCase(f"{manifest.parent.parent.name}/{manifest.parent.name}/{path.stem}", path, valid))
    return cases
