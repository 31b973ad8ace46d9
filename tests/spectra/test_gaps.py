"""What SPECTRA does not evaluate itself is refused with a reason, and answered on the maintained graph when falling back is allowed."""

import pytest

from prsp.backend import open_backend
from prsp.errors import EngineError
from prsp.model.feature import Feature
from prsp.model.result import Triples
from prsp_backends.spectra.fallback import FallbackSession
from tests.random.references import Oxigraph
from tests.random.vocabulary import PREFIXES
from tests.spectra.ask import fed, prepared, shown, static, windows

GAPS = {
    "SELECT * { ?x :p* ?y }": "a path with * or + is a fixpoint",
    "SELECT * { ?x (:p|:q)+ ?y }": "a path with * or + is a fixpoint",
    "DESCRIBE ?x { ?x :p ?y }": "DESCRIBE has no delta of its own",
    "SELECT * { ?x :p ?y FILTER EXISTS { ?x :q ?z MINUS { ?x :n ?n } } }": "EXISTS with a variable of the outside used in MINUS",
    "SELECT * { ?x :p ?y FILTER EXISTS { SELECT ?x { ?x :q ?z } LIMIT 1 } }": "a subquery with LIMIT or OFFSET",
    "SELECT * { ?x :p ?y FILTER EXISTS { SELECT ?z { ?x :q ?z } } }": "a subquery that does not project it",
    "SELECT ?x { ?x :p ?y } GROUP BY ?x HAVING (EXISTS { SELECT (COUNT(*) AS ?c) { ?x :q ?z } })": "aggregates in a subquery of its own",
    "SELECT * { ?x :p ?y FILTER EXISTS { ?x :q ?z BIND(1 AS ?y) } }": "used in BIND",
    "SELECT * { ?x :p ?y OPTIONAL { ?x :n ?n } FILTER EXISTS { { ?x :q ?z FILTER(?n > 1) } UNION { } } }": "where it may be unbound",
}
WINDOWS = windows(":a :p :b . :b :p :c .", ":b :p :c . :c :p :a . :c :q :d .", ":c :p :a . :a :p :b . :b :p :c .", ":a :p :b .", "")


@pytest.mark.parametrize("query", GAPS)
def test_a_gap_is_refused_with_its_reason_and_the_way_out(query: str) -> None:
    with pytest.raises(EngineError) as caught:
        prepared(query)
    assert GAPS[query] in str(caught.value)
    assert "--option fallback=oxigraph" in str(caught.value)


@pytest.mark.parametrize("query", GAPS)
def test_falling_back_a_gap_is_answered_as_by_oxigraph_on_every_window(query: str) -> None:
    given = static(":s :p :a . :s :q :t .")
    session = prepared(query, given, fallback="oxigraph")
    assert isinstance(session, FallbackSession)
    for snapshot in fed(session, WINDOWS, given):
        answer, expected = session.evaluate(), Oxigraph(snapshot, given).ask(PREFIXES + query)
        if isinstance(expected, Triples):
            assert isinstance(answer, Triples)
            assert sorted(answer.lines()) == sorted(expected.lines())
        else:
            assert shown(answer) == shown(expected)


def test_falling_back_gives_changes_too() -> None:
    session = prepared("SELECT ?x ?y { ?x :p+ ?y }", fallback="oxigraph")
    found = [session.changes() for _ in fed(session, WINDOWS)]
    assert [(len(shown(each.added)), len(shown(each.removed))) for each in found] == [(3, 0), (2, 2), (6, 0), (0, 8), (0, 1)]


def test_what_has_a_delta_is_not_handed_on() -> None:
    assert not isinstance(prepared("SELECT * { ?x :p/:q? ?y }", fallback="oxigraph"), FallbackSession)


@pytest.mark.parametrize("feature", [Feature.TRANSITIVE_PATHS, Feature.DESCRIBE])
def test_whole_features_that_stay_out_are_declared(feature: Feature) -> None:
    reason = open_backend("spectra", {}).capabilities.reason(feature)
    assert reason is not None
    assert "fallback=oxigraph" in reason
    assert feature in open_backend("spectra", {"fallback": "oxigraph"}).capabilities


def test_a_query_too_deep_to_be_read_is_told_as_our_error() -> None:
    deep = "(" * 400 + "?n" + " + 1)" * 400
    with pytest.raises(EngineError, match="spectra does not take the query: rdflib, which reads it, says"):
        prepared(f"SELECT * {{ ?x :n ?n FILTER({deep} > 0) }}")
    assert isinstance(prepared(f"SELECT * {{ ?x :n ?n FILTER({deep} > 0) }}", fallback="oxigraph"), FallbackSession)
