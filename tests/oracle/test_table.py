"""What the papers' comparison table says of each system, on the stream of Example 3; SECRET's strategies on streams made by hand."""

from dataclasses import replace

import pytest

from prsp.model import PROFILES, Bounds, Operator, Placement, Strategy
from prsp.model.profile import Profile
from prsp.oracle import Solutions
from prsp.oracle.continuous import Setting, answers, contributions
from prsp.oracle.stream import Element, read_stream
from prsp.parse import parse_query
from tests.oracle.test_continuous import nearby

WC, NC, CC, ARRIVAL, P = (
    Strategy.WINDOW_CLOSE,
    Strategy.NON_EMPTY,
    Strategy.CONTENT_CHANGE,
    Strategy.ARRIVAL,
    Strategy.PERIODIC,
)
CSPARQL = replace(PROFILES["csparql"], t0=1)
CQELS = replace(CSPARQL, report=(ARRIVAL,), operator=Operator.ISTREAM, placement=Placement.AS_WRITTEN)
QUERY = "REGISTER QUERY q AS SELECT ?w FROM STREAM <http://e/s> [RANGE 5ms STEP 2ms] { ?w <http://e/isNearby> ?s }"


def said(profile: Profile) -> list[tuple[int, list[str]]]:
    """Who is named at which instant."""
    found = []
    for evaluation in answers(parse_query(QUERY), {"http://e/s": nearby()}, Setting(profile)):
        assert isinstance(evaluation.answer, Solutions)
        found.append((evaluation.at, sorted(str(row[0])[len("<http://e/") : -1] for row in evaluation.answer.rows)))
    return found


def test_csparql_reports_whole_windows_at_their_close_and_no_empty_one() -> None:
    assert (CSPARQL.report, CSPARQL.operator, CSPARQL.placement) == ((WC, NC), Operator.RSTREAM, Placement.DEFAULT_GRAPH)
    assert said(CSPARQL) == [
        (6, ["carl", "diana", "eve"]),
        (8, ["carl", "eve"]),
        (10, ["eve"]),
        (12, ["diana"]),
        (14, ["diana"]),
        (16, ["diana"]),
    ]


def test_cqels_reports_what_is_new_when_something_comes() -> None:
    # At 7 eve is near a second shop; she was near another when diana, carl and she were all in the window.
    assert said(CQELS) == [(2, ["diana", "eve"]), (5, ["carl"]), (7, []), (12, ["diana"])]


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (Operator.RSTREAM, [["carl", "diana", "eve"], ["carl", "eve"], ["eve"], ["diana"], ["diana"], ["diana"]]),
        (Operator.ISTREAM, [["carl", "diana", "eve"], [], [], ["diana"], [], []]),
        (Operator.DSTREAM, [[], ["diana"], ["carl"], ["eve"], [], []]),
    ],
)
def test_sparqlstream_reports_as_csparql_under_each_operator(operator: Operator, expected: list[list[str]]) -> None:
    assert said(replace(CSPARQL, operator=operator)) == list(zip((6, 8, 10, 12, 14, 16), expected, strict=True))


def stream(*times: int) -> list[Element]:
    return read_stream("".join(f"<http://e/x{i}> <http://e/p> <http://e/o> .\t{time}\n" for i, time in enumerate(times)).encode())


def instants(size: int, step: int, times: tuple[int, ...], bounds: Bounds, *strategies: Strategy, every: int | None = None) -> list[int]:
    query = parse_query(f"REGISTER QUERY q AS SELECT * FROM STREAM <http://e/s> [RANGE {size}ms STEP {step}ms] {{ ?s ?p ?o }}")
    profile = replace(PROFILES["prsp"], t0=0, bounds=bounds, report=strategies, every=every)
    return [at for at, _, _ in contributions(query, {"http://e/s": stream(*times)}, Setting(profile))]


@pytest.mark.parametrize(
    ("window", "times", "bounds", "strategies", "expected"),
    [
        # Tumbling windows of 10 with a silence: [0, 10], [10, 20], … closed, so that the element at 10 is in two of them.
        ((10, 10), (3, 10, 34), Bounds.CLOSED, (WC,), [10, 20, 30, 40]),
        ((10, 10), (3, 10, 34), Bounds.CLOSED, (WC, NC), [10, 20, 40]),
        ((10, 10), (3, 10, 34), Bounds.CLOSED, (ARRIVAL,), [3, 10, 34]),
        ((10, 10), (3, 10, 34), Bounds.CLOSED, (CC,), [3, 10, 11, 21, 34, 41]),
        ((10, 10), (3, 10, 34), Bounds.RIGHT_OPEN, (CC,), [3, 10, 20, 34, 40]),
        ((10, 10), (3, 10, 34), Bounds.LEFT_OPEN, (CC,), [3, 10, 11, 34, 41]),
        # A window in the making has something in it, too; where none contains the instant there is nothing.
        ((10, 10), (3, 10, 34), Bounds.LEFT_OPEN, (CC, NC), [3, 10, 34]),
        # Gaps: windows [0, 4], [10, 14], [20, 24]; the element at 7 is in none.
        ((4, 10), (1, 7, 12, 20), Bounds.CLOSED, (WC,), [4, 14, 24]),
        ((4, 10), (1, 7, 12, 20), Bounds.CLOSED, (ARRIVAL,), [1, 12, 20]),
        ((4, 10), (1, 7, 12, 20), Bounds.CLOSED, (CC,), [1, 5, 12, 15, 20, 25]),
        # Overlapping windows of 6 every 3: what comes at 4 is in [0, 6] and [3, 9] and leaves when both are over.
        ((6, 3), (4,), Bounds.CLOSED, (WC,), [6, 9]),
        ((6, 3), (4,), Bounds.CLOSED, (CC,), [4, 10]),
        ((6, 3), (4,), Bounds.RIGHT_OPEN, (CC,), [4, 9]),
        ((6, 3), (4,), Bounds.CLOSED, (WC, CC), []),
        ((6, 3), (4, 6), Bounds.CLOSED, (WC, CC), [6]),
    ],
)
def test_the_strategies_of_secret(
    window: tuple[int, int], times: tuple[int, ...], bounds: Bounds, strategies: tuple[Strategy, ...], expected: list[int]
) -> None:
    assert instants(*window, times, bounds, *strategies) == expected


def test_periods_that_are_skipped_and_joined() -> None:
    assert instants(4, 10, (1, 7, 12, 20), Bounds.CLOSED, P, every=2) == [2, 4, 10, 12, 14, 20]
    assert instants(4, 10, (1, 7, 12, 20), Bounds.CLOSED, P, NC, every=2) == [2, 4, 12, 14, 20]
    assert instants(4, 10, (1, 7, 12, 20), Bounds.CLOSED, P, CC, every=5) == [20], "no window contains 5, 15 and 25"
