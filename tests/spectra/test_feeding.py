"""However it is fed and asked, the answer is the same: by events or by slides, whole or as changes, with static graphs read once."""

import pytest

from prsp.model.result import Boolean, Solutions, Triples
from prsp_backends.spectra import Engine, Mode
from tests.random.vocabulary import PREFIXES
from tests.spectra.ask import fed, ntriples, prepared, shown, static, windows

MODES = ["inc", "rev", "auto"]
QUERIES = {
    "cycle": "SELECT * { ?x :p ?y . ?y :p ?z . ?z :p ?x }",
    "optional": "SELECT * { ?x :p ?y OPTIONAL { ?y :n ?n FILTER(?n > 1) } }",
    "groups": "SELECT ?n (COUNT(DISTINCT ?x) AS ?c) (MIN(?x) AS ?m) { ?x :n ?n } GROUP BY ?n HAVING (COUNT(*) > 0)",
    "minus": "SELECT DISTINCT ?x { ?x ?p ?y MINUS { ?x :n 1 } }",
    "order": "SELECT ?x ?n { ?x :n ?n } ORDER BY DESC(?n) ?x LIMIT 2",
}
LINES = ntriples(":a :p :b ; :n 1 . :b :p :c ; :n 2 . :c :p :a ; :n 3 . :d :p :d ; :n 2 . :a :p :a .").splitlines(keepends=True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", QUERIES)
def test_feeding_event_by_event_gives_the_answers_of_feeding_by_slides(query: str, mode: str) -> None:
    """An element is one triple or a graph; the window holds the last six."""
    stream, size = [LINES[number % len(LINES)] for number in range(30)], 6
    by_event, by_graph, by_slide = (Engine(f"{PREFIXES} {QUERIES[query]}", mode=Mode(mode)) for _ in range(3))
    for engine in (by_event, by_graph, by_slide):
        engine.load({None: engine.encode(b"".join(stream[:size]))})
    for start in range(0, len(stream) - size, 3):
        came, went = stream[start + size : start + size + 3], stream[start : start + 3]
        for line in came:
            by_event.slide(by_event.encode(line), [])
            by_event.answer()
        for line in went:
            by_event.slide([], by_event.encode(line))
            by_event.answer()
        by_graph.slide(by_graph.encode(b"".join(came)), [])
        by_graph.slide([], by_graph.encode(b"".join(went)))
        by_slide.slide(by_slide.encode(b"".join(came)), by_slide.encode(b"".join(went)))
        answers = [engine.answer() for engine in (by_event, by_graph, by_slide)]
        assert shown(answers[0]) == shown(answers[1]) == shown(answers[2])
        assert len(answers[0]) == len(answers[0].rows())


@pytest.mark.parametrize("mode", MODES)
def test_changes_are_the_rows_of_istream_and_dstream_as_bags(mode: str) -> None:
    session = prepared("SELECT ?y { ?x :p ?y }", mode=mode)
    found = []
    contents = (":a :p :b .", ":a :p :b . :c :p :b . :c :p :d .", ":c :p :b .", ":c :p :b .", ":a :p :b .", "")
    for _ in fed(session, windows(*contents)):
        changes = session.changes()
        assert isinstance(changes.added, Solutions)
        assert isinstance(changes.removed, Solutions)
        found.append((shown(changes.added), shown(changes.removed)))
    assert found == [(["b"], []), (["b", "d"], []), ([], ["b", "d"]), ([], []), ([], []), ([], ["b"])]


@pytest.mark.parametrize("mode", MODES)
def test_changes_count_from_the_last_look_however_many_windows_were_skipped(mode: str) -> None:
    session = prepared("SELECT ?x ?y { ?x :p ?y }", mode=mode)
    steps = fed(session, windows(":a :p :b .", "", ":c :p :d .", ":a :p :b .", ":e :p :f . :c :p :d ."))
    next(steps)
    assert shown(session.evaluate()) == ["a b"]
    for _ in range(3):
        next(steps)
    changes = session.changes()
    assert (len(changes.added.rows()), len(changes.removed.rows())) == (0, 0)  # type: ignore[union-attr]
    next(steps)
    changes = session.changes()
    assert (shown(changes.added), shown(changes.removed)) == (["c d", "e f"], ["a b"])


@pytest.mark.parametrize("mode", MODES)
def test_loading_a_window_anew_does_not_lose_what_changes_count_from(mode: str) -> None:
    session = prepared("SELECT ?x ?y { ?x :p ?y }", mode=mode)
    first, second, third = windows(":a :p :b . :c :p :d .", ":c :p :d . :e :p :f .", ":e :p :f .")
    session.load(first)
    session.changes()
    session.load(second)
    changes = session.changes()
    assert (shown(changes.added), shown(changes.removed)) == (["e f"], ["a b"])
    session.load(third)
    assert shown(session.changes().removed) == ["c d"]


@pytest.mark.parametrize("mode", MODES)
def test_changes_of_constructed_triples_and_of_ask(mode: str) -> None:
    construct, ask = prepared("CONSTRUCT { ?y :of ?x } { ?x :p ?y }", mode=mode), prepared("ASK { ?x :p ?y }", mode=mode)
    contents = windows("", ":a :p :b .", ":a :p :b . :c :p :d .", ":c :p :d .", "")
    found = [construct.changes() for _ in fed(construct, contents)]
    sizes = [(len(list(part.lines())) if isinstance(part, Triples) else -1) for each in found for part in (each.added, each.removed)]
    assert sizes == [0, 0, 1, 0, 1, 0, 0, 1, 0, 1]
    answers = [ask.changes() for _ in fed(ask, contents)]
    assert [(each.added, each.removed) for each in answers] == [
        (Boolean(added), Boolean(removed))
        for added, removed in ((False, False), (True, False), (False, False), (False, False), (False, True))
    ]


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_stays_as_it_was_when_the_engine_goes_on(mode: str) -> None:
    session = prepared("SELECT ?x ?y { ?x :p ?y }", mode=mode)
    contents = [" ".join(f":a{n} :p :b{n} ." for n in range(start, start + 8)) for start in range(20)]
    answers = [session.evaluate() for _ in fed(session, windows(*contents))]
    for start, answer in enumerate(answers):
        assert shown(answer) == sorted(f"a{n} b{n}" for n in range(start, start + 8))


@pytest.mark.parametrize("mode", MODES)
def test_static_graphs_are_joined_and_never_read_again(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, encode = list[bytes](), Engine.encode

    def noted(engine: Engine, data: bytes, graph: str | None = None) -> list[tuple[int, int, int]]:
        read.append(data)
        return encode(engine, data, graph)

    monkeypatch.setattr(Engine, "encode", noted)
    given = static({None: ":a :is :A . :b :is :B . :a :p :b .", ":kb": ":A :name 'first' . :B :name 'second' ."})
    session = prepared("SELECT ?x ?n { ?x :p ?y . ?x :is ?c GRAPH :kb { ?c :name ?n } }", given, mode=mode)
    steps = windows(":b :p :a .", ":b :p :c . :a :p :b .", ":a :p :b .", "", ":b :p :a .")
    found = [shown(session.evaluate()) for _ in fed(session, steps, given)]
    assert found == [["a first", "b second"], ["a first", "b second"], ["a first"], ["a first"], ["a first", "b second"]]
    assert [read.count(data) for data in given.graphs.values()] == [1, 1]
    session.load(steps[0])
    assert shown(session.evaluate()) == ["a first", "b second"]
    assert [read.count(data) for data in given.graphs.values()] == [1, 1]
