"""The http backend on real servers: what a user has there stays as it is, and joins with the windows only where that is asked for."""

import json
import pickle
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from prsp.backend import DeltaSession, open_backend
from prsp.errors import EngineError, InputError
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.snapshot import HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.parse import parse_query, parse_rho
from prsp.testing.answers import demand_same
from prsp.testing.windows import pane, snapshot_of, snapshot_of_panes
from prsp_backends.http import HttpBackend
from prsp_backends.http.exclusive import Lock
from tests.backends.recorder import Recorder, Request, path_of, recording
from tests.backends.user_store import MINE, SAYS, WAYS, answer, difference, fed, http, of_others, rows, update, values, words
from tests.cli.run import prsp
from tests.data import ROOT
from tests.servers import Endpoint

JOIN = parse_rho(
    """SELECT ?s ?o ?n ?k ?w { ?s <urn:p> ?o OPTIONAL { ?s <urn:kind> ?k } OPTIONAL { GRAPH <urn:test:window> { ?s <urn:q> ?n } }
    OPTIONAL { GRAPH <urn:test:kb> { ?n <urn:weight> ?w } } }"""
)
STATIC = StaticData(
    {
        None: b'<urn:a> <urn:kind> "static" .\n<urn:a> <urn:p> <urn:also> .\n_:k <urn:p> _:k .\n',
        "urn:test:kb": b'<urn:n1> <urn:weight> "1" .\n<urn:n2> <urn:weight> "2" .\n_:w <urn:weight> "3" .\n',
        "urn:test:window": b"<urn:a> <urn:q> <urn:n2> .\n",
    }
)


def sliding(size: int = 3, windows: int = 6) -> list[Snapshot]:
    """Windows over two streams, one of which is a named graph; they share a blank node, and triples with static data."""

    def at(n: int) -> tuple[list[bytes], list[bytes]]:
        one = [b'<urn:a> <urn:p> "%d" .\n' % n, b"_:s0_b%d <urn:p> <urn:o> .\n" % (n % 2), b"<urn:a> <urn:p> <urn:also> .\n"]
        two = [b"<urn:a> <urn:q> <urn:n%d> .\n" % (n % 4), b"_:s0_b%d <urn:q> _:s0_c .\n" % (n % 3)]
        return one[: n % 4 + 1], two

    def panes(start: int, place: int) -> list[HeldSlice]:
        return [pane(n * 2 + place, at(n)[place]) for n in range(start, start + size)]

    return [snapshot_of_panes([(("one", None), panes(n, 0)), (("two", "urn:test:window"), panes(n, 1))], at=n) for n in range(windows)]


@pytest.mark.parametrize("way", WAYS)
def test_what_a_user_has_is_the_same_after_a_run_and_plays_no_part_in_it(store: Endpoint, untouched: None, way: str) -> None:
    before = rows(store)
    with fed(http(store, way), JOIN, STATIC) as feed, fed(open_backend("oxigraph", {}), JOIN, STATIC) as alone:
        for number, snapshot in enumerate(sliding()):
            feed.give(snapshot)
            alone.give(snapshot)
            demand_same(alone.evaluate(), feed.evaluate(), what=f"{way}, window {number}: the answer")
            assert difference(before, of_others(rows(store), ("urn:test:window", "urn:test:kb"))) == ""
    assert http(store, way).leftovers() == []


@pytest.mark.parametrize("way", WAYS)
def test_a_query_that_fails_leaves_nothing(store: Endpoint, untouched: None, way: str) -> None:
    with pytest.raises(EngineError, match="could not take the query"):
        http(store, way).prepare(Rho("SELECT ?s {", SAYS.form, SAYS.variables, frozenset({Feature.SELECT})), STATIC)


def test_a_named_window_that_the_user_has_already_is_refused(store: Endpoint, untouched: None) -> None:
    rho = parse_rho("SELECT ?s { GRAPH <urn:mine:a> { ?s ?p ?o } }")
    for way in WAYS:
        with pytest.raises(EngineError, match="already holds a graph <urn:mine:a>, and prsp touches nothing"):
            answer(http(store, way), rho, {"urn:mine:a": b"<urn:s> <urn:p> <urn:o> .\n"})
        with pytest.raises(EngineError, match="already holds a graph <urn:mine:a>"):
            http(store, way).prepare(rho, StaticData({"urn:mine:a": b"<urn:s> <urn:p> <urn:o> .\n"}))


def test_a_named_window_that_another_session_has_is_refused_and_stays(store: Endpoint, untouched: None) -> None:
    rho = parse_rho("SELECT ?o { GRAPH <urn:w> { ?s ?p ?o } }")
    with fed(http(store), rho) as feed:
        feed.give(snapshot_of({"urn:w": b"<urn:s> <urn:p> <urn:mine> .\n"}))
        with pytest.raises(EngineError, match="graph <urn:w> of the endpoint is in use by another run"):
            answer(http(store), rho, {"urn:w": b"<urn:s> <urn:p> <urn:yours> .\n"})
        assert values(feed.evaluate()) == [("<urn:mine>",)]


def test_closing_again_takes_nothing_from_whoever_has_the_name_now(store: Endpoint, untouched: None) -> None:
    rho, window = parse_rho("SELECT ?o { GRAPH <urn:w> { ?s ?p ?o } }"), snapshot_of({"urn:w": b"<urn:s> <urn:p> <urn:o> .\n"})
    for way in ("graph", "graph by update"):
        first = http(store, way).prepare(rho, NO_STATIC_DATA)
        first.load(window)
        first.close()
        with fed(http(store, way), rho) as second:
            second.give(window)
            first.close()
            assert len(values(second.evaluate())) == 1


def test_an_interrupted_run_cleans_up(store: Endpoint, untouched: None) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # Some seconds, not for ever: the Oxigraph server goes on with it when nobody waits any more.
    long = parse_rho("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d || ?g != ?a) }")
    usual = signal.signal(signal.SIGALRM, interrupt)
    try:
        with fed(http(store), long) as feed:
            feed.give(snapshot_of({None: b"".join(b"<urn:%d> <urn:p> <urn:o> .\n" % n for n in range(400))}))
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with pytest.raises(KeyboardInterrupt):
                feed.evaluate()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)


SHARED = {None: b'_:x <urn:p> "1" .\n_:y <urn:p> "2" .\n', "urn:w": b"_:x <urn:q> <urn:o> .\n_:z <urn:q> <urn:o> .\n"}


@pytest.mark.parametrize("way", [*WAYS, "replace", "replace by store", "replace by update"])
def test_a_blank_node_in_two_graphs_is_one_node(store: Endpoint, way: str) -> None:
    update(store, "DROP ALL")
    mode, _, by = way.partition(" by ")
    backend = http(store, f"graph by {by}" if by else "graph", mode=mode)
    unseeing = parse_rho("SELECT ?o { ?s <urn:p> ?o . GRAPH <urn:w> { ?s <urn:q> ?r } }")
    assert answer(backend, unseeing, SHARED) == [('"1"',)]
    seeing = parse_rho("SELECT ?o { ?s <urn:p> ?o . GRAPH <urn:w> { ?s <urn:q> ?r } FILTER(isBlank(?s)) }")
    if by == "store":
        with pytest.raises(EngineError, match=r"a blank node is in several of its graphs.*give --option update=URL"):
            answer(backend, seeing, SHARED)
    else:
        assert answer(backend, seeing, SHARED) == [('"1"',)]
    assert rows(store) == []


KB = "urn:mine:kb"
KNOWN = f'GRAPH <{KB}> {{ <urn:a> <urn:name> "A" . <urn:b> <urn:name> "B" . <urn:a> <urn:p> <urn:both> . [] <urn:name> "?" }}'
NAMES = parse_rho("SELECT ?n ?o { ?s <urn:p> ?o . ?s <urn:name> ?n }")
COUNT = parse_rho("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }")
WINDOWS = [
    b"<urn:a> <urn:p> <urn:both> .\n<urn:b> <urn:p> <urn:x> .\n<urn:c> <urn:p> <urn:x> .\n",
    b"<urn:b> <urn:p> <urn:x> .\n<urn:b> <urn:p> <urn:y> .\n",
    b"<urn:a> <urn:p> <urn:both> .\n",
    b"",
]
BOTH = ('"A"', "<urn:both>")
NAMED_ROWS = [[BOTH, ('"B"', "<urn:x>")], [BOTH, ('"B"', "<urn:x>"), ('"B"', "<urn:y>")], [BOTH], [BOTH]]
COUNTS = [3, 3, 1, 1]
"""<urn:a> <urn:p> <urn:both> is held, and at times in the window too: it is there once."""


def demand_held(backend: HttpBackend, static: StaticData) -> None:
    with fed(backend, NAMES, static) as names, fed(backend, COUNT, static) as count:
        for number, window in enumerate(WINDOWS):
            for feed in (names, count):
                feed.give(snapshot_of({None: window}, number=number))
            assert values(names.evaluate()) == NAMED_ROWS[number]
            assert values(count.evaluate())[0][0].startswith(f'"{COUNTS[number]}"')


@pytest.mark.parametrize("way", WAYS)
def test_a_graph_the_endpoint_holds_joins_with_the_window_as_one_set(store: Endpoint, way: str) -> None:
    update(store, f"INSERT DATA {{ {KNOWN} }}")
    before = rows(store)
    backend = http(store, way, graphs=KB)
    assert backend.held_graphs == (KB,)
    static = StaticData({None: b'<urn:b> <urn:name> "B" .\n'}, held_default=(KB,))
    if (way, store.name) == ("graph by store", "Oxigraph server"):
        # It does not make one set of its default graphs, and without updates a triple cannot be kept from counting twice.
        with pytest.raises(EngineError, match="counts a triple once per default graph it is in; give --option update=URL"):
            demand_held(backend, static)
    else:
        demand_held(backend, static)
    assert difference(before, rows(store)) == ""


@pytest.mark.parametrize("way", WAYS)
def test_a_graph_the_endpoint_holds_is_seen_under_its_name(store: Endpoint, untouched: None, way: str) -> None:
    rho = parse_rho("SELECT ?g ?o { ?s <urn:p> ?x . GRAPH ?g { ?s <urn:p> ?o } }")
    window: dict[str | None, bytes] = {None: b"<urn:mine:s> <urn:p> <urn:x> .\n<urn:a> <urn:p> <urn:x> .\n"}
    static = StaticData(held_named=("urn:mine:a", "urn:mine:b"))
    found = answer(http(store, way, graphs="urn:mine:a <urn:mine:b>"), rho, window, static)
    assert found == [("<urn:mine:a>", "<urn:o>"), ("<urn:mine:b>", "<urn:o>")]
    only = answer(http(store, way, graphs="urn:mine:a urn:mine:b"), rho, window, StaticData(held_named=("urn:mine:b",)))
    assert only == [("<urn:mine:b>", "<urn:o>")]


@pytest.mark.parametrize("way", WAYS)
def test_the_unnamed_graph_joins_where_the_engine_has_a_name_for_it(store: Endpoint, way: str) -> None:
    update(store, "DROP ALL")
    update(store, f"INSERT DATA {{ {KNOWN.partition('{')[2].removesuffix('}')} }}")
    before = rows(store)
    name = store.unnamed or "urn:x-arq:DefaultGraph"
    backend = http(store, way, default=name)
    if store.unnamed is None:
        with pytest.raises(EngineError, match="not this endpoint's name for its unnamed graph; copy the data to a named graph"):
            demand_held(backend, StaticData(held_default=(name,)))
        if way != "graph by store":
            update(store, f"COPY DEFAULT TO <{KB}>")
            demand_held(http(store, way, graphs=KB), StaticData(held_default=(KB,)))
            update(store, f"DROP GRAPH <{KB}>")
    else:
        demand_held(backend, StaticData(held_default=(name,)))
    assert difference(before, rows(store)) == ""


def test_the_unnamed_graph_without_a_name_is_refused(store: Endpoint, untouched: None) -> None:
    with pytest.raises(InputError, match=r"has no name for the unnamed graph.*--option default=IRI"):
        http(store, graphs="default")


@pytest.mark.parametrize("urls", [{"query", "store"}, {"query", "update"}])
def test_a_dataset_of_its_own_is_replaced_and_left_empty(store: Endpoint, urls: set[str]) -> None:
    update(store, "DROP ALL")
    update(store, "INSERT DATA { <urn:old> <urn:p> <urn:o> }")
    backend = open_backend("http", {name: getattr(store, name) for name in urls} | {"mode": "replace"})
    with fed(backend, JOIN, STATIC) as feed, fed(open_backend("oxigraph", {}), JOIN, STATIC) as alone:
        for snapshot in sliding():
            feed.give(snapshot)
            alone.give(snapshot)
            demand_same(alone.evaluate(), feed.evaluate())
    assert rows(store) == []


def test_a_dataset_of_its_own_has_the_static_data_also_when_every_window_is_named(store: Endpoint) -> None:
    update(store, "DROP ALL")
    update(store, "INSERT DATA { <urn:old> <urn:p> <urn:o> }")
    backend = http(store, mode="replace")
    found = answer(backend, SAYS, {"urn:w": b"<urn:s> <urn:p> <urn:o> .\n"}, StaticData({None: b"<urn:kb> <urn:p> <urn:o> .\n"}))
    assert found == [("<urn:kb>", "<urn:o>")]
    assert rows(store) == []


def test_a_dataset_of_its_own_has_one_session_at_a_time(store: Endpoint) -> None:
    update(store, "DROP ALL")
    backend = http(store, mode="replace")
    with fed(backend, SAYS) as feed:
        feed.give(snapshot_of({None: b"<urn:s> <urn:p> <urn:o> .\n"}))
        other = "import sys, pickle; from prsp.parse import parse_rho; from prsp.model.static import NO_STATIC_DATA as none\n"
        other += "pickle.load(sys.stdin.buffer).prepare(parse_rho('ASK {}'), none)"
        elsewhere = subprocess.run([sys.executable, "-c", other], input=pickle.dumps(backend), capture_output=True, check=False)
        assert b"has the dataset for itself, and another session is using" in elsewhere.stderr
        with pytest.raises(EngineError, match="has the dataset for itself, and another session is using"):
            backend.prepare(SAYS, NO_STATIC_DATA)
        assert values(feed.evaluate()) == [("<urn:s>", "<urn:o>")]
    assert answer(backend, SAYS, {None: b""}) == []
    assert not Lock(store.query).path.exists()


def test_a_dataset_with_graphs_of_others_is_refused_for_replacing(store: Endpoint, untouched: None) -> None:
    backend = http(store, mode="replace")
    with pytest.raises(EngineError, match=r"wants a dataset of its own.*<urn:mine:a>, <urn:mine:b>, <urn:prsp>"):
        answer(backend, SAYS, {None: b"<urn:s> <urn:p> <urn:o> .\n"})
    with pytest.raises(EngineError, match="has the dataset for itself"):
        backend.prepare(SAYS, StaticData(held_default=("urn:mine:a",)))


def test_one_graph_of_others_is_found_among_many_of_our_own(store: Endpoint) -> None:
    static = StaticData({f"urn:test:{n}": b"<urn:s> <urn:p> <urn:o> .\n" for n in range(40)})
    update(store, f"DROP ALL ; INSERT DATA {{ {' '.join(f'GRAPH <{graph}> {{ <urn:s> <urn:p> <urn:old> }}' for graph in static.graphs)} }}")
    update(store, "INSERT DATA { GRAPH <urn:zzz> { <urn:s> <urn:p> <urn:o> } }")
    before = rows(store)
    with pytest.raises(EngineError, match="this one holds <urn:zzz>, which the query would see"):
        answer(http(store, mode="replace"), SAYS, {None: b""}, static)
    assert difference(before, rows(store)) == ""


def lines_of(request: Request) -> list[bytes]:
    return [line for line in request.body.split(b"\n") if line.endswith(b" .")]


@pytest.mark.parametrize("way", ["delta", "delta by update"])
def test_only_the_change_is_sent(recorder: Recorder, store: Endpoint, untouched: None, way: str) -> None:
    log = [pane(n, [b'_:s0_b%d <urn:p> "%d" .\n' % (k, n) for k in range(100)]) for n in range(30)]

    def window(n: int) -> Snapshot:
        return snapshot_of_panes([(("x", None), log[n : n + 20]), (("y", "urn:w"), log[n : n + 20])], at=n)

    rho = parse_rho("SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o . GRAPH <urn:w> { ?s <urn:p> ?w } }")
    with fed(http(recorder.endpoint, way), rho) as feed:
        feed.give(window(0))
        whole = max(len(request.body) for request in recorder.requests)
        for n in range(1, 4):
            start = len(recorder.requests)
            feed.give(window(n))
            (sent,) = recorder.since(start)
            assert (sent.method, sent.path) == ("POST", path_of(store.update))
            assert re.findall(rb"\b[A-Z]{4,} [A-Z]{4,}\b", sent.body) == [b"DELETE DATA", b"INSERT DATA"] * 2
            assert sorted(Counter(lines_of(sent)).values()) == [2] * (100 + 100), "what went and what came, in each of two graphs"
            assert len(sent.body) < whole / 4
            feed.evaluate()
        start = len(recorder.requests)
        feed.give(window(3))
        assert recorder.since(start) == [], "nothing has changed"


def test_whole_windows_are_sent_when_the_query_can_tell_a_blank_node(recorder: Recorder, store: Endpoint, untouched: None) -> None:
    backend = http(recorder.endpoint, "delta")
    rho = parse_rho("SELECT ?s { ?s <urn:p> ?o FILTER(isBlank(?s)) }")
    assert "whole windows, although mode=delta" in backend.explain(rho)
    assert "one update sends what changed" in backend.explain(SAYS)
    with fed(backend, rho) as feed:
        for n in range(3):
            start = len(recorder.requests)
            feed.give(snapshot_of({None: b"_:b <urn:p> <urn:o> .\n<urn:i%d> <urn:p> <urn:o> .\n" % n}, number=n))
            (sent,) = recorder.since(start)
            assert (sent.method, len(lines_of(sent))) == ("PUT", 2)
            assert len(values(feed.evaluate())) == 1
    session = backend.prepare(rho, NO_STATIC_DATA)
    assert not isinstance(session, DeltaSession)
    session.close()


def test_a_query_over_the_endpoints_own_time_is_not_asked_again(fuseki: Endpoint) -> None:
    with recording(fuseki) as recorder:
        there = recorder.endpoint
        backend = open_backend("http", {"query": f"{there.query}?timeout=2", "store": there.store})
        long = parse_rho("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o . FILTER(?a != ?d || ?g != ?j) }")
        with fed(backend, long) as feed:
            feed.give(snapshot_of({None: b"".join(b"<urn:%d> <urn:p> <urn:o> .\n" % n for n in range(300))}))
            start = len(recorder.requests)
            with pytest.raises(EngineError, match="answered 503: Query timed out"):
                feed.evaluate()
            assert len(recorder.since(start)) == 1


@pytest.mark.spark
def test_a_run_from_the_command_line_joins_with_the_store_and_leaves_it_as_it_was(
    oxigraph_server: Endpoint, fuseki: Endpoint, tmp_path: Path
) -> None:
    query = f"""REGISTER QUERY q AS SELECT ?n ?o ?k FROM STREAM <urn:stream> [RANGE 10ms STEP 10ms] FROM <{KB}> FROM NAMED <urn:mine:b>
        WHERE {{ ?s <urn:p> ?o . ?s <urn:name> ?n OPTIONAL {{ GRAPH <urn:mine:b> {{ ?s <urn:kind> ?k }} }} }}"""
    (tmp_path / "q.rq").write_text(query, encoding="utf-8")
    stream = "<urn:a> <urn:p> <urn:both> .\t1\n<urn:b> <urn:p> <urn:x> .\t2\n_:b <urn:p> <urn:x> .\t3\n<urn:b> <urn:p> <urn:y> .\t15\n"
    (tmp_path / "s.nts").write_text(stream, encoding="utf-8")
    command = ["run", str(tmp_path / "q.rq"), "--stream", str(tmp_path / "s.nts"), "--t0", "0", "--backend", "http"]
    command += ["--checkpoint", str(tmp_path / "checkpoint"), "--output", str(tmp_path / "out")]
    refused = prsp(*command, *words(fuseki))
    assert (refused.returncode, f"--option graphs={KB}" in refused.stderr) == (2, True)
    for there in (oxigraph_server, fuseki):
        update(there, f"DROP ALL ; {MINE} ; INSERT DATA {{ {KNOWN} }}")
        before = rows(there)
        for mode in ("graph", "delta"):
            done = prsp(*command, *words(there, mode=mode, graphs=f"{KB} urn:mine:b"))
            assert done.returncode == 0, done.stderr
            found = [json.loads(line)["results"]["bindings"] for line in (tmp_path / "out").read_text(encoding="utf-8").splitlines()]
            assert [
                sorted((row["n"]["value"], row["o"]["value"], row.get("k", {}).get("value")) for row in window) for window in found
            ] == [
                [("A", "urn:both", "mine"), ("B", "urn:x", None)],
                [("A", "urn:both", "mine"), ("B", "urn:y", None)],
            ]
            assert difference(before, rows(there)) == ""
        assert prsp("backends", "leftovers", "http", *words(there)).stdout == "nothing is left of earlier runs\n"
        update(there, "DROP ALL")


PAGE = (ROOT / "docs" / "backends" / "http.md").read_text(encoding="utf-8")


def test_the_page_has_every_option_with_its_default_and_a_query_that_parses() -> None:
    table = PAGE.partition("| option | |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([\w-]+)=", table)) == {option.name for option in HttpBackend.options}
    told = dict(re.findall(r"`([\w-]+)=[A-Z]+` \| .*\(default ([^)]*)\)", table)) | {"mode": "graph", "max-bytes": str(1 << 30)}
    assert told == {option.name: option.default for option in HttpBackend.options if option.default is not None}
    (query,) = re.findall(r"```\n(REGISTER QUERY .*?)```", PAGE, re.DOTALL)
    assert parse_query(query).static.default == ("http://example.org/rooms",)
