"""The oracle's streaming half: RSP-QL's own examples, with instants and contents written by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from prsp.errors import InputError
from prsp.model import PROFILES, Bounds, CountWindow, Operator, Strategy
from prsp.model.profile import Profile
from prsp.oracle import Dataset, Solutions, read_ntriples
from prsp.oracle.continuous import Bound, Setting, answers, contributions
from prsp.oracle.stream import Element, read_stream
from prsp.parse import parse_query
from prsp.transform.reference import window_close
from tests.data import ROOT
from tests.transform.cases import random_case

NEARBY = [("diana", "a", 2), ("eve", "b", 2), ("carl", "a", 5), ("eve", "a", 7), ("diana", "b", 12)]


def nearby() -> list[Element]:
    """Example 3; its time units are milliseconds here."""
    return read_stream("".join(f"<http://e/{w}> <http://e/isNearby> <http://e/{s}> .\t{t}\n" for w, s, t in NEARBY).encode())


def setting(t0: int | None, *strategies: Strategy, bounds: Bounds = Bounds.LEFT_OPEN, operator: Operator = Operator.RSTREAM) -> Setting:
    base = PROFILES["csparql"]
    return Setting(Profile("csparql", bounds, strategies or base.report, operator, base.placement, base.origin, t0))


def query(size: int, step: int, body: str = "SELECT ?w ?s { ?w <http://e/isNearby> ?s }") -> str:
    head, _, rest = body.partition("{")
    return f"REGISTER QUERY q AS {head} FROM STREAM <http://e/s> [RANGE {size}ms STEP {step}ms] {{{rest}"


def instants(size: int, step: int, chosen: Setting) -> list[int]:
    return [at for at, _, _ in contributions(parse_query(query(size, step)), {"http://e/s": nearby()}, chosen)]


def subjects(elements: tuple[Element, ...]) -> list[str]:
    return sorted(str(s)[len("<http://e/") : -1] for e in elements for s, _, _ in e.triples)


def test_example_3_is_read_and_example_6_holds_carl_and_eve() -> None:
    assert [e.time for e in nearby()] == [2, 2, 5, 7, 12]
    (first, *_) = contributions(parse_query(query(4, 100)), {"http://e/s": nearby()}, setting(4, Strategy.WINDOW_CLOSE))
    assert (first[2][0].open, first[2][0].close, subjects(first[2][0].elements)) == (4, 8, ["carl", "eve"])


def test_example_7_the_present_window_is_the_earliest_that_contains_the_instant() -> None:
    chosen = Setting(setting(1, Strategy.PERIODIC).profile, every=8)
    (first, *_) = contributions(parse_query(query(5, 2)), {"http://e/s": nearby()}, chosen)
    assert (first[0], first[2][0].open, first[2][0].close, subjects(first[2][0].elements)) == (9, 5, 10, ["eve"])


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [
        ((Strategy.ARRIVAL,), [2, 5, 7, 12]),
        ((Strategy.CONTENT_CHANGE,), [2, 5, 7, 9, 11, 12, 17]),
        ((Strategy.WINDOW_CLOSE, Strategy.NON_EMPTY), [6, 8, 10, 12, 14, 16]),
        ((Strategy.WINDOW_CLOSE, Strategy.ARRIVAL), [12]),
        ((Strategy.WINDOW_CLOSE, Strategy.CONTENT_CHANGE), [12]),
        ((Strategy.CONTENT_CHANGE, Strategy.NON_EMPTY), [2, 5, 7, 9, 12]),
    ],
)
def test_instants_of_the_semantics_and_example_13(strategies: tuple[Strategy, ...], expected: list[int]) -> None:
    assert instants(5, 2, setting(1, *strategies)) == expected


def test_example_11_with_our_values() -> None:
    found = []
    for t0 in (0, 1, 2):
        (first, *_) = contributions(parse_query(query(5, 2)), {"http://e/s": nearby()}, setting(t0, Strategy.WINDOW_CLOSE))
        found.append(sorted(e.time for e in first[2][0].elements))
    assert found == [[2, 2, 5], [2, 2, 5], [5, 7]]


SHOPS = b"<http://e/alice> <http://e/owns> <http://e/a> .\n<http://e/bob> <http://e/owns> <http://e/b> .\n"


@pytest.mark.parametrize("named", [True, False])
def test_examples_9_10_and_12(named: bool) -> None:
    coupons = read_stream(b'<http://e/alice> <http://e/offers> "10%" .\t8\n<http://e/bob> <http://e/offers> "coffee" .\t15\n')
    near, offer = "?who <http://e/isNearby> ?shop", "?owner <http://e/offers> ?coupon"
    word = "NAMED STREAM" if named else "STREAM"
    if named:
        near, offer = f"GRAPH <http://e/near> {{ {near} }}", f"GRAPH <http://e/coupon> {{ {offer} }}"
    text = f"""REGISTER QUERY q AS SELECT ?who ?shop ?owner ?coupon
        FROM {word} <http://e/near> [RANGE 5ms STEP 2ms] FROM {word} <http://e/coupon> [RANGE 2ms STEP 2ms] FROM <http://e/shops>
        {{ {near} {"" if named else "."} {offer} {"" if named else "."} ?owner <http://e/owns> ?shop }}"""
    base = PROFILES["prsp" if named else "csparql"]
    profile = Profile(base.name, Bounds.LEFT_OPEN, base.report, base.operator, base.placement, base.origin, 1)
    report: tuple[Bound, ...] = ((Strategy.WINDOW_CLOSE, "http://e/coupon"), (Strategy.NON_EMPTY, "http://e/coupon"))
    chosen = Setting(profile, {"http://e/coupon": 0}, report, static=Dataset(read_ntriples(SHOPS)))
    done = answers(parse_query(text), {"http://e/near": nearby(), "http://e/coupon": coupons}, chosen)
    assert [e.at for e in done] == [8, 16]
    rows = [
        sorted(" ".join(map(str, row)).replace("http://e/", "") for row in e.answer.rows) for e in done if isinstance(e.answer, Solutions)
    ]
    assert rows == [['<carl> <a> <alice> "10%"', '<eve> <a> <alice> "10%"'], ['<diana> <b> <bob> "coffee"']]


def test_operators_are_bag_differences() -> None:
    text = query(5, 2, "SELECT ?w { ?w <http://e/isNearby> ?s }")
    got = {}
    for operator in Operator:
        done = answers(parse_query(text), {"http://e/s": nearby()}, setting(1, operator=operator))
        got[operator] = [sorted(str(r[0])[10:-1] for r in e.answer.rows) for e in done if isinstance(e.answer, Solutions)]
    assert got[Operator.RSTREAM] == [["carl", "diana", "eve"], ["carl", "eve"], ["eve"], ["diana"], ["diana"], ["diana"]]
    assert got[Operator.ISTREAM][0] == got[Operator.RSTREAM][0]
    assert got[Operator.DSTREAM][:2] == [[], ["diana"]]


def test_non_empty_alone_is_refused() -> None:
    with pytest.raises(InputError, match="non-empty alone"):
        instants(5, 2, setting(1, Strategy.NON_EMPTY))


def test_prsp_tables() -> None:
    text = (ROOT / "examples" / "sensor.rq").read_text(encoding="utf-8")
    stream = read_stream(Path(ROOT / "examples" / "sensors.nts").read_bytes())
    done = answers(parse_query(text), {"SensorStreams": stream}, Setting(replace(PROFILES["prsp"], t0=1_483_850_232_556)))
    assert [(e.at, len(e.windows[0].elements)) for e in done] == [(1_483_850_237_556, 4), (1_483_850_241_556, 4)]


@pytest.mark.parametrize("number", range(300))
def test_agrees_with_the_transformers_reference(number: int) -> None:
    case = random_case(number)
    wanted = window_close(case.elements, case.window, t0=case.t0, bounds=case.bounds, lateness=None)
    count = isinstance(case.window, CountWindow)
    size = case.window.size if isinstance(case.window, CountWindow) else case.window.range
    clause = f"[RANGE TRIPLES {size} STEP {case.window.step}]" if count else f"[RANGE {size}ms STEP {case.window.step}ms]"
    parsed = parse_query(f"REGISTER QUERY q AS SELECT * FROM STREAM <http://e/s> {clause} {{ ?s ?p ?o }}")
    text = "".join(f"{e.content}\t{e.time}\n" for e in case.elements)
    got = contributions(parsed, {"http://e/s": read_stream(text.encode())}, setting(case.t0, Strategy.WINDOW_CLOSE, bounds=case.bounds))
    assert [(at, seq, c.open, c.close, sorted(e.time for e in c.elements)) for at, seq, (c,) in got] == [
        (w.at, w.seq, w.open, w.close, sorted(time for time, _ in w.content)) for w in wanted.windows
    ]
