"""Any instant, several streams, several windows on one stream: what each contributes."""

import random
from collections import Counter
from pathlib import Path

import pytest

from prsp.model.profile import Bounds, Strategy
from prsp.model.window import CountWindow, TimeWindow
from prsp.transform.evaluations import Evaluations
from prsp.transform.reference import Element, entries, exits, present, window_close
from prsp.transform.streams import CountStream, TimeStream
from prsp.trigger import Due, Grid, Policy, policy_of
from tests.transform.build import content, log_of, stream_of, triple
from tests.transform.cases import random_case

WC = policy_of((Strategy.WINDOW_CLOSE,), None)


def test_any_instant_gets_the_earliest_opened_window_up_to_it(tmp_path: Path) -> None:
    compared = 0
    for case in map(random_case, range(9_000, 9_080)):
        if isinstance(case.window, TimeWindow) and case.elements:
            log = log_of(tmp_path / str(case.number), case.elements, pane=case.pane, split_bytes=case.split_bytes)
            stream = stream_of(log, case.window, case.t0, case.bounds, case.lateness)
            chance = random.Random(case.number)
            for _ in range(20):
                at = chance.randint(log.smallest or 0, log.largest + 10)
                got = stream.contribution(Due(at, 0), window_close=False)
                want = present(case.elements, case.window, at, t0=case.t0, bounds=case.bounds, lateness=case.lateness)
                assert (got.open, got.close, content(got)) == (want.open, want.close, sorted(want.content)), (case, at)
                compared += bool(want.content)
    assert compared > 200


def two_streams(folder: Path, policy: Policy = WC) -> tuple[Evaluations, list[Element], list[Element]]:
    first = [Element(triple(f"a{i}"), i * 3) for i in range(20)]
    second = [Element(triple(f"b{i}"), i * 7) for i in range(12)]
    streams = [
        TimeStream("a", None, log_of(folder / "a", first), Grid(10, 5, 0, Bounds.CLOSED), None),
        TimeStream("b", "b", log_of(folder / "b", second), Grid(20, 8, 0, Bounds.CLOSED), None),
    ]
    return Evaluations(list(streams), policy, 0), first, second


@pytest.mark.parametrize("strategy", [Strategy.ARRIVAL, Strategy.CONTENT_CHANGE])
def test_every_change_of_content_is_an_instant(tmp_path: Path, strategy: Strategy) -> None:
    compared = 0
    for case in map(random_case, range(6_000, 6_120)):
        if not isinstance(case.window, TimeWindow) or not case.elements:
            continue
        about = {"t0": case.t0, "bounds": case.bounds, "lateness": case.lateness}
        came = entries(case.elements, case.window, **about)  # type: ignore[arg-type]
        want = sorted({*came, *exits(case.elements, case.window, **about)}) if strategy is Strategy.CONTENT_CHANGE else came  # type: ignore[arg-type]
        log = log_of(tmp_path / str(case.number), case.elements, pane=case.pane, split_bytes=case.split_bytes)
        stream = stream_of(log, case.window, case.t0, case.bounds, case.lateness)
        snapshots = list(Evaluations([stream], policy_of((strategy,), None), case.t0).flush())
        assert [s.at for s in snapshots] == want, case
        for snapshot in snapshots:
            present_now = present(case.elements, case.window, snapshot.at, **about)  # type: ignore[arg-type]
            assert content(snapshot) == sorted(present_now.content), (case, snapshot.at)
        compared += len(want)
        # Going on after any of them gives the rest; only what has passed is due before the end.
        for number in range(0, len(want), 7):
            last = Due(want[number], 0)
            assert [s.at for s in Evaluations([stream], policy_of((strategy,), None), case.t0, last).flush()] == want[number + 1 :]
        due = Evaluations([stream], policy_of((strategy,), None), case.t0).due()
        assert [s.at for s in due] == [at for at in want if at < log.largest - (case.lateness or 0)]
    assert compared > 500


def test_what_changes_is_what_differs_from_one_millisecond_to_the_next() -> None:
    compared = 0
    for case in map(random_case, range(5_000, 5_060)):
        if not isinstance(case.window, TimeWindow) or not case.elements or max(e.time for e in case.elements) - case.t0 > 3_000:
            continue
        times = [e.time for e in case.elements]
        about = {"t0": case.t0, "bounds": case.bounds, "lateness": None}
        by_hand, before = {"came": [], "went": []}, Counter[tuple[int, str]]()  # type: ignore[var-annotated]
        for at in range(min(times) - 1, max(times) + case.window.range + case.window.step + 2):
            now = Counter(present(case.elements, case.window, at, **about).content)  # type: ignore[arg-type]
            by_hand["came"] += [at] if now - before else []
            by_hand["went"] += [at] if before - now else []
            before = now
        assert entries(case.elements, case.window, **about) == by_hand["came"]  # type: ignore[arg-type]
        assert exits(case.elements, case.window, **about) == by_hand["went"]  # type: ignore[arg-type]
        compared += 1
    assert compared > 20


def test_strategies_that_are_joined_hold_at_once(tmp_path: Path) -> None:
    elements = [Element(triple(i), time) for i, time in enumerate((2, 2, 5, 7, 12))]
    log = log_of(tmp_path, elements)
    stream = stream_of(log, TimeWindow(5, 2), 1, Bounds.LEFT_OPEN)

    def instants(*strategies: Strategy, every: int | None = None) -> list[int]:
        return [s.at for s in Evaluations([stream], policy_of(strategies, every), 1).flush()]

    assert instants(Strategy.CONTENT_CHANGE) == [2, 5, 7, 9, 11, 12, 17]
    assert instants(Strategy.ARRIVAL) == [2, 5, 7, 12]
    assert instants(Strategy.CONTENT_CHANGE, Strategy.NON_EMPTY) == [2, 5, 7, 9, 12]
    assert instants(Strategy.WINDOW_CLOSE, Strategy.CONTENT_CHANGE) == [12]
    assert instants(Strategy.PERIODIC, Strategy.CONTENT_CHANGE, every=4) == [5, 9]
    assert instants(Strategy.PERIODIC, Strategy.ARRIVAL, Strategy.WINDOW_CLOSE, every=11) == [12]


def test_an_instant_between_ends_gets_the_count_window_that_ended_last(tmp_path: Path) -> None:
    log = log_of(tmp_path, [Element(triple(i), i // 4) for i in range(12)])
    counted = CountStream("s", None, log, CountWindow(2, 1), None)
    list(counted.account(list(log.parts())))
    snapshots = list(Evaluations([counted], policy_of((Strategy.ARRIVAL,), None), 0).flush())
    assert [(s.at, s.seq, len(content(s))) for s in snapshots] == [(0, 0, 2), (1, 0, 2), (2, 0, 2)]
    assert content(snapshots[1]) == [(1, triple(6)), (1, triple(7))]


def test_two_streams_are_evaluated_whenever_a_window_of_either_closes(tmp_path: Path) -> None:
    evaluations, first, second = two_streams(tmp_path)
    snapshots = list(evaluations.flush())
    largest = max(e.time for e in first + second)
    closes = {k * 5 + 10 for k in range(largest // 5 + 1)} | {k * 8 + 20 for k in range(largest // 8 + 1)}
    assert [s.at for s in snapshots] == sorted(closes)
    for snapshot in snapshots:
        for contribution, elements, window in zip(
            snapshot.contributions, (first, second), (TimeWindow(10, 5), TimeWindow(20, 8)), strict=True
        ):
            closing = {
                w.at: w for w in window_close([*elements, Element("x", largest)], window, t0=0, bounds=Bounds.CLOSED, lateness=None).windows
            }
            want = closing.get(snapshot.at) or present(elements, window, snapshot.at, t0=0, bounds=Bounds.CLOSED, lateness=None)
            assert (contribution.open, contribution.close) == (want.open, want.close)
            assert content(contribution) == sorted(item for item in want.content if item[1] != "x")
        assert set(snapshot.graphs) == {None, "b"}


def test_a_policy_bound_to_one_stream_asks_only_when_its_windows_close(tmp_path: Path) -> None:
    evaluations, _, _ = two_streams(tmp_path, Policy(frozenset({Strategy.WINDOW_CLOSE}), bound=frozenset({"b"})))
    assert {(s.at - 20) % 8 for s in evaluations.flush()} == {0}


def test_a_stream_not_heard_from_is_waited_for_unless_idle(tmp_path: Path) -> None:
    evaluations, _, _ = two_streams(tmp_path)
    assert [s.at for s in evaluations.due()][-1] <= 19 * 3
    evaluations.idle = {"a"}
    assert [s.at for s in evaluations.due()][-1] > 19 * 3


def test_a_window_by_time_and_one_by_count_on_the_same_stream(tmp_path: Path) -> None:
    log = log_of(tmp_path, [Element(triple(i), i // 2) for i in range(12)])
    counted = CountStream("s", None, log, CountWindow(4, 3), None)
    list(counted.account(list(log.parts())))
    timed = TimeStream("s", None, log, Grid(2, 2, 0, Bounds.RIGHT_OPEN), None)
    snapshots = list(Evaluations([timed, counted], WC, 0).flush())
    shown = [(s.at, s.seq, s.contributions[0].elements, s.contributions[1].elements) for s in snapshots]
    # Elements 3, 6, 9, 12 have times 1, 2, 4, 5; windows by time close at 2, 4, 6.
    assert shown == [(1, 0, 4, 3), (2, 0, 4, 4), (4, 0, 4, 4), (5, 0, 4, 4), (6, 0, 4, 4)]
    assert len(snapshots[0].data().splitlines()) == 7, "both windows are in the default graph"


def test_a_restart_after_any_evaluation_goes_on_with_the_next(tmp_path: Path) -> None:
    for case in map(random_case, range(7_000, 7_030)):
        log = log_of(tmp_path / str(case.number), case.elements, pane=case.pane)

        def evaluations(last: Due | None, case: object = case, log: object = log) -> Evaluations:
            stream = stream_of(log, case.window, case.t0, case.bounds)  # type: ignore[attr-defined, arg-type]
            list(stream.account(list(stream.log.parts())))
            return Evaluations([stream], WC, case.t0, last)  # type: ignore[attr-defined]

        everything = [(s.at, s.seq) for s in evaluations(None).flush()]
        for number, (at, seq) in enumerate(everything):
            assert [(s.at, s.seq) for s in evaluations(Due(at, seq)).flush()] == everything[number + 1 :]


def test_the_ends_of_64_bits_are_counted_rightly(tmp_path: Path) -> None:
    least, most = -(2**63), 2**63 - 1
    for times in ([least, least + 5, least + 9], [most - 9, most - 5, most], [most - 5, most - 9, most], [most, least], [least, most]):
        elements = [Element(triple(i), time) for i, time in enumerate(times)]
        for bounds in Bounds:
            for lateness in (None, 2):
                t0 = min(times) - (bounds is Bounds.LEFT_OPEN)
                log = log_of(tmp_path / f"{times[0]}{times[1]}{bounds}{lateness}", elements)
                stream = stream_of(log, TimeWindow(4, 2), t0, bounds, lateness)
                list(stream.account(list(log.parts())))
                tally = stream.tally
                assert tally.in_windows + tally.in_no_window + tally.late == len(elements)
                if max(times) - min(times) < 100:
                    want = window_close(elements, TimeWindow(4, 2), t0=t0, bounds=bounds, lateness=lateness)
                    assert (tally.in_windows, tally.late) == (want.in_windows, want.late)
                    snapshots = list(Evaluations([stream], WC, t0).flush())
                    assert [(s.at, content(s)) for s in snapshots] == [(w.at, sorted(w.content)) for w in want.windows]
                counted = stream_of(log, CountWindow(2, 1), t0, bounds, lateness)
                list(counted.account(list(log.parts())))
                assert counted.tally.late == window_close(elements, CountWindow(2, 1), t0=t0, bounds=bounds, lateness=lateness).late
