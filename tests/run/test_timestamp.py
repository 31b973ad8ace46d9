"""f:timestamp on every engine, window by window, as the oracle has it: by its own definition, on the user's own text."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prsp.backend import Backend, open_backend, open_feed
from prsp.backend.occurrences import Occurrences, delta_between
from prsp.backend.times import Times
from prsp.errors import UnsupportedQuery
from prsp.model import PROFILES
from prsp.model.query import TIMES, ContinuousQuery
from prsp.model.result import Boolean, Result, Solutions, Triples, solutions
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import Literal
from prsp.oracle import Dataset, read_ntriples
from prsp.oracle import Solutions as Rows
from prsp.oracle.continuous import Evaluation, Setting, answers
from prsp.oracle.stream import Element
from prsp.parse import parse_query
from prsp.plan import dataset_of, refuse, verdict_on
from prsp.testing.answers import demand_same
from tests.engines import require_command
from tests.parse.test_timestamps import ORDERED, PREFIXES, SHAPES
from tests.servers import arq_script
from tests.servers.endpoint import Endpoint

PROFILE = PROFILES["prsp"]
WINDOWS = "FROM STREAM :a [RANGE 9ms STEP 6ms] FROM NAMED STREAM :b [RANGE 12ms STEP 6ms] FROM :kb FROM NAMED :kc"
XSD = "http://www.w3.org/2001/XMLSchema#"
PLAIN = (
    "<http://e/a>",
    "<http://e/b>",
    "_:x",
    '"x"',
    '"x"@en',
    '"x"@de',
    f'"1"^^<{XSD}integer>',
    f'"1"^^<{XSD}decimal>',
    '"a \\"b\\" . \u00e9"',
)
ODD = (f'"01"^^<{XSD}integer>', f'"1.5"^^<{XSD}float>', f'"01.50"^^<{XSD}float>', f'"+1"^^<{XSD}integer>', '"1"^^<http://e/type>')


@dataclass(frozen=True)
class Streams:
    """Two streams, and static graphs that hold some of their triples, too."""

    elements: dict[str, list[Element]]
    static: dict[str | None, bytes]

    @property
    def setting(self) -> Setting:
        default, named = (read_ntriples(self.static[graph]) for graph in (None, "http://e/kc"))
        return Setting(PROFILE, static=Dataset(default, {"http://e/kc": named}))


@cache
def streams(seed: int, *, odd: bool) -> Streams:
    """Triples that come back at other times, in graph events, too; they are few, so that queries find some."""
    chance = random.Random(seed)
    objects = PLAIN + (ODD if odd else ())

    def triple(blank: str = "_:x") -> str:
        subject = chance.choice(("<http://e/a>", "<http://e/b>", blank))
        return f"{subject} <http://e/{chance.choice('pq')}> {chance.choice(objects).replace('_:x', blank)} ."

    def element(known: list[str]) -> Element:
        return Element(read_ntriples("\n".join(chance.sample(known, chance.choice((1, 1, 2)))).encode()), chance.randrange(18))

    drawn = {iri: [triple() for _ in range(12)] for iri in ("http://e/a", "http://e/b")}
    elements = {iri: [element(known) for _ in range(14)] for iri, known in drawn.items()}
    # Some of what is static is in a stream as well.
    both = [line for known in drawn.values() for line in known if "_:" not in line][:3]
    static = {graph: sorted({*both, *(triple("_:g0_x") for _ in range(3))}) for graph in (None, "http://e/kc")}
    return Streams(elements, {graph: "".join(f"{line}\n" for line in lines).encode() for graph, lines in static.items()})


def registered(sparql: str) -> ContinuousQuery:
    """A shape as a continuous query: its windows stand before the first brace that is not a template's."""
    form, _, rest = sparql.partition(" ")
    if form == "CONSTRUCT":
        template, _, where = rest.partition("WHERE")
        return parse_query(f"REGISTER QUERY q AS {PREFIXES}CONSTRUCT {template}{WINDOWS} WHERE{where}")
    at = sparql.index("{", sparql.index(" AS ") if "SELECT ?s (EXISTS" in sparql else 0)
    return parse_query(f"REGISTER QUERY q AS {PREFIXES}{sparql[:at]}{WINDOWS} {sparql[at:]}")


def snapshots(query: ContinuousQuery, evaluations: list[Evaluation]) -> Iterator[Snapshot]:
    """What the streams contribute, an element a slice, so that any two windows differ by whole slices."""
    numbers: dict[int, int] = {}
    for evaluation in evaluations:
        contributions = []
        for clause, part in zip(query.streams, evaluation.windows, strict=True):
            slices = []
            for element in part.elements:
                lines = "".join(f"{s} {p} {o} .\n" for s, p, o in sorted(element.triples, key=str))
                slices.append(HeldSlice(((element.time, lines.encode()),), identity=numbers.setdefault(id(element), len(numbers))))
            contributions.append(Contribution(part.stream, clause.iri if clause.named else None, part.open, part.close, tuple(slices)))
        yield Snapshot(evaluation.at, evaluation.seq, tuple(contributions))


def result_of(evaluation: Evaluation) -> Result:
    match evaluation.answer:
        case Rows(variables, rows):
            return solutions(variables, rows)
        case bool(value):
            return Boolean(value)
        case triples:
            return Triples(b"".join(f"{s} {p} {o} .\n".encode() for s, p, o in triples))


@cache
def expected(shape: str, seed: int, *, odd: bool) -> tuple[ContinuousQuery, list[Evaluation]]:
    query, recorded = registered(SHAPES[shape]), streams(seed, odd=odd)
    return query, answers(query, recorded.elements, recorded.setting)


def check(backend: Backend, shape: str, seed: int, *, odd: bool = False, isolate: bool = False, windows: int | None = None) -> None:
    """Violation where an engine's answer to one of the windows is not the oracle's."""
    query, evaluations = expected(shape, seed, odd=odd)
    assert len(evaluations) > 4  # so that there are deltas
    feed = open_feed(backend, query.rho, StaticData(streams(seed, odd=odd).static), isolate=isolate)
    try:
        for evaluation, snapshot in list(zip(evaluations, snapshots(query, evaluations), strict=True))[:windows]:
            feed.give(snapshot)
            what = f"{shape}, seed {seed}, window at {evaluation.at}: the answer"
            demand_same(result_of(evaluation), feed.evaluate(), ordered=shape in ORDERED, what=what)
    finally:
        feed.close()


RDFLIB = {
    "aggregates": "an aggregate leaves out what has no value, where it should have none itself",
    "having": "the same",
    "one group": "the same",
    "subquery": "GROUP BY over no solutions gives a row",
    "exists selected": "EXISTS cannot stand in SELECT",
}
SPECTRA = {
    "describe": "DESCRIBE has no delta; it is refused",
}
ENGINES: dict[str, tuple[str, dict[str, str], bool, dict[str, str]]] = {
    # Oxigraph and rdflib take spellings of a number for one, so they are not asked about these.
    "oxigraph": ("oxigraph", {}, False, {}),
    "oxigraph by deltas": ("oxigraph", {"mode": "delta"}, False, {}),
    "rdflib": ("rdflib", {}, False, RDFLIB),
    "S-Inc": ("spectra", {"mode": "inc"}, True, SPECTRA),
    "S-Rev": ("spectra", {"mode": "rev"}, True, SPECTRA),
}
"""Engines by name and options, whether odd spellings are in their streams, and the shapes they are known to fail, with the reason."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_engine_answers_as_the_oracle(engine: str, shape: str) -> None:
    name, options, odd, faults = ENGINES[engine]
    if shape in faults:
        with pytest.raises(Exception, match=r"\w"):  # wrong or refused, and not right by now
            check(open_backend(name, options), shape, 1, odd=odd)
    else:
        check(open_backend(name, options), shape, 1, odd=odd)


@pytest.mark.long
@pytest.mark.parametrize("engine", [*ENGINES, "rdflib by deltas"])
def test_every_engine_answers_as_the_oracle_on_many_streams(engine: str) -> None:
    name, options, odd, faults = ENGINES.get(engine, ("rdflib", {"mode": "delta"}, False, RDFLIB))
    for shape in SHAPES.keys() - faults.keys():
        for seed in range(2, 22):
            check(open_backend(name, options), shape, seed, odd=odd)


SOME = ("unbound argument named", "of what is grouped by", "the latest", "every window")


@pytest.mark.parametrize("mode", ["graph", "delta"])
def test_on_an_endpoint(endpoint: Endpoint, mode: str) -> None:
    backend = open_backend("http", {"query": endpoint.query, "update": endpoint.update, "store": endpoint.store, "mode": mode})
    for shape in SOME:
        check(backend, shape, 1)


def test_two_queries_at_one_endpoint_have_times_of_their_own(oxigraph_server: Endpoint) -> None:
    backend = open_backend("http", {"query": oxigraph_server.query, "update": oxigraph_server.update, "store": oxigraph_server.store})
    query = parse_query(
        f"REGISTER QUERY q AS {PREFIXES}SELECT ?t FROM STREAM :a [RANGE 9ms] {{ ?s ?p ?o BIND(f:timestamp(?s, ?p, ?o) AS ?t) }}"
    )
    feeds = [open_feed(backend, query.rho, NO_STATIC_DATA) for _ in range(2)]
    for time, feed in enumerate(feeds):
        feed.give(at(time, "<http://e/a>"))
    assert [times_in(feed.evaluate()) for feed in feeds] == [["0"], ["1"]]
    for feed in feeds:
        feed.close()


def test_on_the_command_line() -> None:
    backend = open_backend("command", {"engine": "arq", "program": str(arq_script())})
    check(backend, "the latest", 1, windows=2)


@pytest.mark.parametrize("engine", ["oxigraph by deltas", "S-Inc"])
def test_in_a_process_of_its_own(engine: str) -> None:
    name, options, *_ = ENGINES[engine]
    check(open_backend(name, options), "bind and filter", 1, isolate=True)


def test_an_engine_without_named_graphs_refuses_it_by_its_name() -> None:
    require_command("roqet", "apt-get install -y rasqal-utils")
    query = parse_query(
        f"REGISTER QUERY q AS {PREFIXES}SELECT ?s FROM STREAM :a [RANGE 9ms] {{ ?s ?p ?o FILTER(f:timestamp(?s, ?p, ?o) > 1) }}"
    )
    reason = "timestamp (needs named graphs: it is given N-Triples, which hold one graph)"
    assert verdict_on(query, PROFILE, "command", {"engine": "roqet"}).reasons == (reason,)
    backend = open_backend("command", {"engine": "roqet"})
    with pytest.raises(UnsupportedQuery, match=r"timestamp \(needs named graphs.*engines that can: .*oxigraph"):
        refuse(query, PROFILE, backend, dataset_of(query, (), backend))


def test_what_cannot_be_looked_up_is_refused_before_anything_runs() -> None:
    query = parse_query(
        f"REGISTER QUERY q AS {PREFIXES}SELECT ?s FROM STREAM :a [RANGE 9ms]\n{{ ?s ?p ?o FILTER(f:timestamp(?s, ?p) > 1) }}"
    )
    backend = open_backend("oxigraph", {})
    with pytest.raises(UnsupportedQuery, match=r"timestamp \(line 3: it takes a subject, .*\); no installed engine can"):
        refuse(query, PROFILE, backend, dataset_of(query, (), backend))


def test_explain_says_how_it_works() -> None:
    query = registered(SHAPES["filter"])
    assert "f:timestamp is looked up in a named graph of times" in (verdict_on(query, PROFILE, "oxigraph", {}).plan or "")


# --- the graph of times ---


def at(time: int, *objects: str) -> Snapshot:
    """A window with these objects, all of one time."""
    content = tuple((time, f"<http://e/s> <http://e/p> {o} .\n".encode()) for o in objects)
    return Snapshot(time, 0, (Contribution("http://e/a", None, 0, 9, (HeldSlice(content, identity=time),)),))


def times_in(result: Result) -> list[str]:
    assert isinstance(result, Solutions)
    return sorted(cell.lexical for row in result.rows() for cell in row if isinstance(cell, Literal))


@pytest.mark.parametrize("engine", ["oxigraph", "oxigraph by deltas", "rdflib"])
def test_a_row_is_never_there_twice_where_an_engine_takes_two_spellings_for_one(engine: str) -> None:
    name, options, *_ = ENGINES[engine]
    query = registered("SELECT (f:timestamp(?s, :p, ?o) AS ?t) { ?s :p ?o }")
    feed = open_feed(open_backend(name, options), query.rho, NO_STATIC_DATA)
    first, second = at(3, f'"1.5"^^<{XSD}float>'), at(5, f'"01.50"^^<{XSD}float>')
    both = Snapshot(6, 0, (*first.contributions, *second.contributions))
    nothing = Snapshot(7, 0, tuple(Contribution("http://e/a", None, None, None, ()) for _ in range(2)))
    for snapshot, right in ((both, ["5"]), (nothing, []), (both, ["5"])):
        feed.give(snapshot)
        assert times_in(feed.evaluate()) == right
    feed.close()


def test_the_graph_has_each_triple_once_with_its_largest_time_and_stays_out_of_what_was_given() -> None:
    window = Snapshot(9, 0, (*at(7, "<http://e/a>", "_:x").contributions, *at(3, "<http://e/a>").contributions))
    extended = Times().added_to(window)
    assert len(window.contributions) == 2
    assert extended.contributions[:2] == window.contributions
    lines = extended.data(extended.contributions[2].graph).decode().splitlines()
    assert len(lines) == 8
    assert [line for line in lines if line.endswith(" _:x .")]
    assert len([line for line in lines if '"7"' in line]) == 2
    assert not [line for line in lines if '"3"' in line]


def test_a_delta_has_only_the_times_that_changed() -> None:
    times = Times()
    kept, gone, back = (
        HeldSlice(((t, f"<http://e/s> <http://e/p> <http://e/{o}> .\n".encode()),), identity=t) for t, o in ((1, "k"), (2, "g"), (3, "g"))
    )
    snapshots = [
        times.added_to(Snapshot(n, 0, (Contribution("a", None, 0, 1, slices),))) for n, slices in enumerate(((kept, gone), (kept, back)))
    ]
    delta = delta_between(snapshots[0], snapshots[1], Occurrences(NO_STATIC_DATA))
    (graph,) = (graph for graph in delta.changes if graph is not None)
    assert [piece.elements for piece in (*delta.changes[graph].entered, *delta.changes[graph].left)] == [1, 1]
    net = delta.net()[graph]
    assert [b'"3"' in line for line in net.added] == [True]
    assert [b'"2"' in line for line in net.removed] == [True]
    assert graph.startswith(f"{TIMES}:")


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=6), min_size=2, max_size=5))
def test_deltas_of_times_add_up(windows: list[list[tuple[int, int]]]) -> None:
    times, occurrences, held, last = Times(), Occurrences(NO_STATIC_DATA), set[bytes](), None
    for number, window in enumerate(windows):
        pieces = tuple(
            HeldSlice(((t, f"<http://e/s> <http://e/p> <http://e/{o}> .\n".encode()),), identity=10 * o + t) for o, t in set(window)
        )
        now = times.added_to(Snapshot(number, 0, (Contribution("a", None, 0, 1, pieces),)))
        graph = now.contributions[-1].graph
        if last is None:
            held = set(now.data(graph).splitlines())
        else:
            net = delta_between(last, now, occurrences).net()[graph]
            held = held - net.removed | net.added
        assert held == set(now.data(graph).splitlines())
        last = now
