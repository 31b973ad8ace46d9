"""f:timestamp on every engine, window by window, as the oracle has it: by its own definition, on the user's own text."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from prsp.backend import Backend, open_backend, open_feed
from prsp.errors import UnsupportedQuery
from prsp.model import PROFILES
from prsp.model.query import TIMES, ContinuousQuery
from prsp.model.result import Boolean, Result, Solutions, Triples, solutions
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.model.term import IRI, Literal
from prsp.oracle import Dataset, read_ntriples
from prsp.oracle import Solutions as Rows
from prsp.oracle.continuous import Evaluation, Setting, answers
from prsp.oracle.stream import Element
from prsp.parse import parse_query
from prsp.plan import dataset_of, refuse, verdict_on
from prsp.testing.answers import Violation, demand_same
from tests.engines import require_command
from tests.parse.test_timestamps import PREFIXES, SHAPES
from tests.servers import arq_script
from tests.servers.endpoint import Endpoint

PROFILE = PROFILES["prsp"]
WINDOWS = "FROM STREAM :a [RANGE 9ms STEP 4ms] FROM NAMED STREAM :b [RANGE 12ms STEP 4ms] FROM :kb FROM NAMED :kc"
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
        return Element(read_ntriples("\n".join(chance.sample(known, chance.choice((1, 1, 2)))).encode()), chance.randrange(24))

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
        for clause, given in zip(query.streams, evaluation.windows, strict=True):
            slices = []
            for element in given.elements:
                lines = "".join(f"{s} {p} {o} .\n" for s, p, o in sorted(element.triples, key=str))
                slices.append(HeldSlice(((element.time, lines.encode()),), identity=numbers.setdefault(id(element), len(numbers))))
            contributions.append(Contribution(given.stream, clause.iri if clause.named else None, given.open, given.close, tuple(slices)))
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
    query, given = registered(SHAPES[shape]), streams(seed, odd=odd)
    return query, answers(query, given.elements, given.setting)


def check(backend: Backend, shape: str, seed: int, *, odd: bool = False, isolate: bool = False) -> None:
    """Violation where an engine's answer to one of the windows is not the oracle's."""
    query, evaluations = expected(shape, seed, odd=odd)
    assert len(evaluations) > 4
    feed = open_feed(backend, query.rho, StaticData(streams(seed, odd=odd).static), isolate=isolate)
    try:
        for evaluation, snapshot in zip(evaluations, snapshots(query, evaluations), strict=True):
            feed.give(snapshot)
            demand_same(result_of(evaluation), feed.evaluate(), what=f"{shape}, seed {seed}, window at {evaluation.at}: the answer")
    finally:
        feed.close()
