"""What the engine holds follows the window: over a hundred windows of ever-new terms, and when the window becomes small."""

from collections.abc import Iterator

import pytest

from prsp_backends.spectra import Engine, Mode, dictionary
from tests.random.vocabulary import PREFIXES

QUERIES = {
    "join": "SELECT * { ?x :p ?y . ?y :q ?z . ?x :n ?n FILTER(?n >= 0) }",
    "self-join": "SELECT ?x { ?x :p ?y . ?y :p ?z }",
    "predicate variable": "SELECT * { ?x ?p ?y . ?x :n ?n }",
    "computed": "SELECT ?x (STR(?n) AS ?s) { ?x :n ?n BIND(?n + 1 AS ?m) FILTER(?m > 0) }",
    "groups": "SELECT ?x (SUM(?n) AS ?s) (MAX(?n) AS ?m) (SAMPLE(?n) AS ?a) (COUNT(DISTINCT ?n) AS ?c) { ?x :n ?n } GROUP BY ?x",
    "one group": 'SELECT (AVG(?n) AS ?a) (MIN(?n) AS ?m) (GROUP_CONCAT(?n; SEPARATOR=",") AS ?g) { ?x :n ?n }',
    "distinct": "SELECT DISTINCT ?y { ?x :p ?y }",
    "optional": "SELECT * { ?x :p ?y OPTIONAL { ?x :n ?n FILTER EXISTS { ?y :q ?z } } }",
    "minus": "SELECT * { ?x :p ?y MINUS { ?y :q ?x } }",
    "exists": "SELECT * { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z FILTER NOT EXISTS { ?x :p ?z } } }",
    "union": "SELECT * { { ?x :p ?y } UNION { ?x :q ?y } }",
    "order": "SELECT ?x ?n { ?x :n ?n } ORDER BY DESC(?n) LIMIT 3",
    "subquery": "SELECT * { ?x :p ?y { SELECT ?x (COUNT(*) AS ?c) { ?x ?p ?o } GROUP BY ?x } }",
    "now": "SELECT ?x (NOW() AS ?now) (BNODE(STR(?n)) AS ?b) { ?x :n ?n }",
}
SLACK = 64


@pytest.fixture(autouse=True)
def _small_slack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sweep small dictionaries too, so that small windows show what large ones do."""
    monkeypatch.setattr(dictionary, "_SLACK", SLACK)


def lines(start: int, count: int) -> bytes:
    """Triples whose terms never come again: pairs of resources, each with a number."""

    def triples() -> Iterator[str]:
        for number in range(start, start + count):
            node, kind = divmod(number, 3)
            other = node + (-1 if node % 2 else 1)
            targets = (f"<http://e/r{other}>", f"<http://e/r{other if node % 4 < 2 else node}>")
            yield f"<http://e/r{node}> <http://e/{'pqn'[kind]}> " + (
                targets[kind] if kind < 2 else f'"{node}"^^<http://www.w3.org/2001/XMLSchema#integer>'
            )

    return "".join(f"{triple} .\n" for triple in triples()).encode()


def entries(thing: object) -> int:
    """How many members all the containers inside an engine have together."""
    total, stack, seen = 0, [thing], set[int]()
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        inside: list[object] = []
        if isinstance(item, dict):
            inside += [*item.keys(), *item.values()]
        elif isinstance(item, (list, set, frozenset, tuple)):
            inside += item
        total += len(inside)
        if type(item).__module__.startswith("prsp_backends.spectra"):
            slots = [name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())]
            inside += [*getattr(item, "__dict__", {}).values(), *(getattr(item, name, None) for name in slots)]
        stack += inside
    return total


@pytest.mark.parametrize("mode", ["inc", "rev"])
@pytest.mark.parametrize("query", QUERIES)
def test_nothing_grows_over_a_hundred_windows_of_new_terms(query: str, mode: str) -> None:
    engine = Engine(f"{PREFIXES} {QUERIES[query]}", mode=Mode(mode))
    size, step = 60, 30
    engine.load({None: engine.encode(lines(0, size))})
    held, terms, answered = list[int](), list[int](), 0
    for window in range(200):
        at = window * step
        engine.slide(engine.encode(lines(at + size, step)), engine.encode(lines(at, step)))
        answered += len(engine.answer())
        engine.difference()
        held.append(entries(engine))
        terms.append(len(engine.dictionary.ids))
    assert answered
    assert len(engine.dictionary.nodes) <= len(engine.dictionary.ids) == len(engine.dictionary.ids.text)
    assert max(terms[100:]) <= max(terms[:100]) <= 6 * size + SLACK
    assert max(held[100:]) <= 1.2 * max(held[:100])


@pytest.mark.parametrize("mode", ["inc", "rev", "auto"])
@pytest.mark.parametrize("query", QUERIES)
def test_dictionary_indexes_and_states_shrink_when_the_window_does(query: str, mode: str) -> None:
    engine = Engine(f"{PREFIXES} {QUERIES[query]}", mode=Mode(mode))
    few, many = 12, 1_200
    engine.load({None: engine.encode(lines(0, few))})
    engine.answer()
    small = entries(engine)
    engine.slide(engine.encode(lines(few, many)), [])
    engine.answer()
    engine.settle()
    large, terms = entries(engine), len(engine.dictionary.ids)
    assert terms > 400
    assert large > 5 * small
    for start in range(few, few + many, 120):
        engine.slide([], engine.encode(lines(start, 120)))
        engine.answer()
        engine.settle()
    assert 0 < engine.size <= few
    assert len(engine.dictionary.ids) < terms / 3
    assert entries(engine) < large / 3


def test_answers_nobody_reads_or_asks_for_do_not_pile_up() -> None:
    engine = Engine(f"{PREFIXES} {QUERIES['union']}", mode=Mode.INC)
    engine.load({None: engine.encode(lines(0, 60))})
    engine.slide(engine.encode(lines(60, 3)), engine.encode(lines(0, 3)))
    before = entries(engine)
    for _ in range(500):
        engine.answer()
    assert entries(engine) < before + 100
    engine.settle()
    held = []
    for step in range(500):
        engine.slide(engine.encode(lines(63 + step * 3, 3)), engine.encode(lines(3 + step * 3, 3)))
        held.append(entries(engine))
    assert max(held[250:]) <= 1.2 * max(held[:250])
    added, removed = engine.difference()
    assert len(added) == len(removed) == 40
