"""Eviction: what leaves the window leaves the views and the answer, and a triple leaves with its last occurrence (the timelist)."""

import pytest

from prsp_backends.spectra import Engine, Mode
from tests.random.vocabulary import PREFIXES
from tests.spectra.ask import fed, ntriples, prepared, shown, windows

MODES = ["inc", "rev", "auto"]
PAIR = "SELECT ?x ?z { ?x :p ?y . ?y :q ?z }"


@pytest.mark.parametrize("mode", MODES)
def test_a_match_goes_with_any_of_its_triples_and_comes_back_with_it(mode: str) -> None:
    session = prepared(PAIR, mode=mode)
    found = [shown(session.evaluate()) for _ in fed(session, windows(":a :p :b . :b :q :c .", ":b :q :c .", ":b :q :c . :a :p :b .", ""))]
    assert found == [["a c"], [], ["a c"], []]


@pytest.mark.parametrize("mode", MODES)
def test_a_triple_that_found_no_partner_waits_for_it(mode: str) -> None:
    session = prepared(PAIR, mode=mode)
    found = [shown(session.evaluate()) for _ in fed(session, windows(":a :p :b .", ":a :p :b . :x :p :y .", ":a :p :b . :b :q :c ."))]
    assert found == [[], [], ["a c"]]


@pytest.mark.parametrize("mode", MODES)
def test_a_triple_that_occurs_twice_is_there_once_and_leaves_with_its_last_occurrence(mode: str) -> None:
    session = prepared("SELECT ?x (COUNT(*) AS ?c) { ?x :p ?y } GROUP BY ?x", mode=mode)
    twice = ":a :p :b . :a :p :b . :a :p :c ."
    found = [shown(session.evaluate()) for _ in fed(session, windows(":a :p :b .", twice, ":a :p :b .", twice, ""))]
    assert found == [["a 1"], ["a 2"], ["a 1"], ["a 2"], []]


@pytest.mark.parametrize("mode", MODES)
def test_a_triple_that_leaves_and_comes_in_one_slide_stays(mode: str) -> None:
    engine = Engine(f"{PREFIXES} {PAIR}", mode=Mode(mode))
    triples = engine.encode(ntriples(":a :p :b . :b :q :c ."))
    engine.load({None: triples})
    engine.answer()
    engine.settle()
    engine.slide(triples, triples)
    assert len(engine.answer()) == 1
    assert [len(part) for part in engine.difference()] == [0, 0]
    engine.slide([], triples)
    assert len(engine.answer()) == 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "pattern", ["?x :p ?y . ?y :p ?z", "?x ?p ?y . ?y ?q ?x", "?x :p ?x . ?x :q :c", ":a :p :b . ?x :q ?y", "?x :p ?y . ?z :q ?w"]
)
def test_the_views_are_empty_when_the_window_is(mode: str, pattern: str) -> None:
    engine = Engine(f"{PREFIXES} SELECT * {{ {pattern} }}", mode=Mode(mode))
    triples = engine.encode(ntriples(":a :p :b , :a , :c , :d . :b :p :a ; :q :a , :c . :c :p :c ; :q :c , :d ."))
    engine.load({None: []})
    for half in (triples[::2], triples[1::2]):
        engine.slide(half, [])
        engine.answer()
    assert len(engine.answer()) > 0
    for half in (triples[::2], triples[1::2]):
        engine.slide([], half)
        engine.answer()
    assert engine.size == len(engine.answer()) == 0
    indexes = [index for matches in engine.matches for view in matches._indexes.values() for index in view.values()]
    assert indexes
    assert not any(indexes)
