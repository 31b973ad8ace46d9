"""Triples as terms (RDF 1.2) may come in a stream, as pyoxigraph reads them: an engine joins with them or refuses, and invents nothing."""

import pytest

from prsp.backend import open_backend, open_feed
from prsp.errors import EngineError
from prsp.model.result import Result, Solutions, Triples
from prsp.model.static import NO_STATIC_DATA
from prsp.parse import parse_rho
from prsp.testing.windows import snapshot_of

TERM = '<<( <urn:c> <urn:d> "x" )>>'
WINDOW = f"<urn:a> <urn:p> {TERM} .\n<urn:b> <urn:q> {TERM} .\n".encode()
SPECTRA = ("inc", "rev", "auto")


def answer(name: str, query: str, **options: str) -> Result:
    feed = open_feed(open_backend(name, options), parse_rho(query), NO_STATIC_DATA)
    try:
        feed.give(snapshot_of({None: WINDOW}))
        return feed.evaluate()
    finally:
        feed.close()


@pytest.mark.parametrize("mode", ["snapshot", "delta"])
def test_oxigraph_gives_them_as_json_and_not_as_terms(mode: str) -> None:
    found = answer("oxigraph", "SELECT ?y { ?x <urn:p> ?y }", mode=mode)
    assert isinstance(found, Solutions)
    assert b'"type":"triple"' in found.json()
    with pytest.raises(EngineError, match=r"as JSON, not as terms: a term of type 'triple' is not RDF 1.1"):
        found.rows()


@pytest.mark.parametrize("mode", SPECTRA)
def test_spectra_joins_with_them(mode: str) -> None:
    found = answer("spectra", "SELECT ?x ?z { ?x <urn:p> ?y . ?z <urn:q> ?y }", mode=mode)
    assert isinstance(found, Solutions)
    assert [tuple(map(str, row)) for row in found.rows()] == [("<urn:a>", "<urn:b>")]
    made = answer("spectra", "CONSTRUCT { ?x <urn:r> ?y } WHERE { ?x <urn:p> ?y }", mode=mode)
    assert made == Triples(f"<urn:a> <urn:r> {TERM} .\n".encode())


@pytest.mark.parametrize("mode", SPECTRA)
@pytest.mark.parametrize("query", ["SELECT ?y { ?x <urn:p> ?y }", "SELECT (STR(?y) AS ?s) { ?x <urn:p> ?y }"])
def test_spectra_takes_them_for_no_iri(mode: str, query: str) -> None:
    for look in ("rows", "json"):
        with pytest.raises(EngineError, match=r"spectra reads the terms of RDF 1.1, and <<\( <urn:c>"):
            getattr(answer("spectra", query, mode=mode), look)()


def test_rdflib_refuses_them() -> None:
    with pytest.raises(EngineError, match="rdflib could not load the window"):
        answer("rdflib", "SELECT ?y { ?x <urn:p> ?y }")
