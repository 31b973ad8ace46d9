"""GraphSummary (Algorithm 2): lines that match no pattern are dropped by their bytes, before any of their terms is encoded."""

import pytest

from prsp_backends.spectra import Engine
from tests.random.vocabulary import NS, PREFIXES
from tests.spectra.ask import ntriples

DATA = ntriples(
    """:a :p :b ; :q :c ; :n 1 ; a :A . :b :p :c ; :q :a ; :n 2 ; a :B .
    :unread :p2 :unheard . :unread a :Unheard . :unread :q :unheard ; :n 1.0 . :p :is :unheard ."""
)


def summarised(pattern: str, graph: str | None = None) -> tuple[list[str], set[str]]:
    """The triples kept of a graph, and the terms of the data that were encoded; those of the query are encoded anyway."""
    engine = Engine(f"{PREFIXES} SELECT * {{ {pattern} }}", named=(f"{NS}g",))
    before = set(engine.dictionary.ids)
    text = engine.dictionary.ids.text
    kept = [" ".join(brief(text[number]) for number in triple) for triple in engine.encode(DATA, graph)]
    return kept, {brief(token) for token in set(engine.dictionary.ids) - before}


def brief(token: bytes) -> str:
    return token.decode().replace(NS, "").strip("<>").partition("^^")[0].replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "")


def test_lines_are_dropped_by_their_predicate() -> None:
    assert summarised("?x :p ?y") == (["a p b", "b p c"], {"a", "b", "c"})


def test_lines_are_dropped_by_a_constant_object() -> None:
    assert summarised("?x a :A") == (["a type A"], {"a"})
    assert summarised("?x a :A . ?y a :B") == (["a type A", "b type B"], {"a", "b"})
    assert summarised("?x :n 1") == (['a n "1"'], {"a"})


def test_lines_are_dropped_by_a_constant_subject() -> None:
    assert summarised(":a :q ?y") == (["a q c"], {"c"})
    assert summarised(":a :q ?y . ?x :p ?z") == (["a p b", "a q c", "b p c"], {"b", "c"})


def test_a_pattern_without_constants_keeps_its_predicate_whole() -> None:
    kept, encoded = summarised("?x a :A . ?x a ?class")
    assert kept == ["a type A", "b type B", "unread type Unheard"]
    assert encoded == {"a", "b", "B", "unread", "Unheard"}


def test_a_predicate_variable_prunes_nothing() -> None:
    kept, encoded = summarised("?x ?p ?y . ?x :n 1")
    assert len(kept) == DATA.count(b"\n")
    assert {"p2", "unheard", "Unheard"} <= encoded


def test_a_predicate_variable_beside_constants_prunes_by_them() -> None:
    assert summarised(":b ?p ?y")[0] == ["b p c", "b q a", 'b n "2"', "b type B"]
    assert summarised("?x ?p :c") == (["a q c", "b p c"], {"a", "q", "b", "p"})


@pytest.mark.parametrize("pattern", ["?x :p ?y . GRAPH :g { ?x :q ?z }", "GRAPH ?h { ?x :q ?z } ?x :p ?y"])
def test_each_graph_has_a_summary_of_its_own(pattern: str) -> None:
    assert summarised(pattern) == (["a p b", "b p c"], {"a", "b", "c"})
    assert summarised(pattern, f"{NS}g")[0] == ["a q c", "b q a", "unread q unheard"]
    assert summarised(pattern, f"{NS}other") == ([], set())


def test_every_pattern_of_the_query_counts_wherever_it_stands() -> None:
    pattern = (
        "?x :p ?y OPTIONAL { ?x :q ?z } MINUS { ?x a :B } FILTER NOT EXISTS { ?x :n 3 } { SELECT ?x { { ?x :is ?y } UNION { ?x a :A } } }"
    )
    kept, encoded = summarised(pattern)
    assert [line.split()[1] for line in kept] == ["p", "q", "type", "p", "q", "type", "q", "is"]
    assert not encoded & {'"1"', '"2"', "p2", "Unheard"}


def test_every_occurrence_is_kept() -> None:
    engine = Engine(f"{PREFIXES} SELECT * {{ ?x :p ?y }}")
    assert len(engine.encode(DATA + DATA)) == 4
    assert engine.encode(b"") == []
