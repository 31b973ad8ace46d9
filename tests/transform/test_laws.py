"""Laws of windows that hold whatever the stream is."""

from itertools import pairwise
from pathlib import Path

import pytest

from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.profile import Bounds
from prsp.model.snapshot import Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.model.window import CountWindow, TimeWindow
from prsp.transform.reference import Element
from tests.transform.build import content, evaluations_of, log_of, stream_of, triple
from tests.transform.cases import random_case

CASES = [case for case in map(random_case, range(5_000, 5_060)) if len(case.elements) > 1]


def shown(snapshots: list[Snapshot]) -> list[tuple[int, list[tuple[int, str]]]]:
    return [(s.at, content(s)) for s in snapshots]


def test_an_origin_shifted_by_n_steps_gives_the_same_windows_from_there_on(tmp_path: Path) -> None:
    for case in CASES:
        if isinstance(case.window, TimeWindow):
            log = log_of(tmp_path / str(case.number), case.elements, pane=case.pane)
            shift = 3 * case.window.step
            here = shown(list(evaluations_of(stream_of(log, case.window, case.t0, case.bounds), case.t0).flush()))
            there = shown(list(evaluations_of(stream_of(log, case.window, case.t0 + shift, case.bounds), case.t0 + shift).flush()))
            assert here[3:] == there


def test_deltas_rebuild_snapshots(tmp_path: Path) -> None:
    compared = 0
    for case in CASES:
        log = log_of(tmp_path / str(case.number), case.elements, pane=case.pane, split_bytes=case.split_bytes)
        stream = stream_of(log, case.window, case.t0, case.bounds, case.lateness)
        snapshots = list(evaluations_of(stream, case.t0).flush())
        for earlier, later in [*pairwise(snapshots), *zip(snapshots, snapshots[5:], strict=False)]:
            delta = delta_between(earlier, later, Occurrences(NO_STATIC_DATA))
            change, slices = delta.net()[None], delta.changes[None]
            before, after = set(earlier.data().splitlines()), set(later.data().splitlines())
            assert not change.added & before
            assert change.removed <= before
            assert (before | change.added) - change.removed == after
            assert sorted(content(earlier) + raw(slices.entered)) == sorted(content(later) + raw(slices.left))
            compared += 1
    assert compared > 500


def raw(slices: object) -> list[tuple[int, str]]:
    return [(t, line.decode()) for s in slices for t, line in zip(s.times(), s.data().splitlines(), strict=True)]  # type: ignore[attr-defined]


def test_a_log_made_for_one_query_serves_another(tmp_path: Path) -> None:
    """Slicing the log made for query A for query B equals cutting for B: the grid is storage, not semantics."""
    for case, other in pairwise(CASES):
        made_for_a = log_of(tmp_path / f"a{case.number}", case.elements, pane=other.pane)
        made_for_b = log_of(tmp_path / f"b{case.number}", case.elements, pane=case.pane)
        a, b = (
            shown(list(evaluations_of(stream_of(log, case.window, case.t0, case.bounds, case.lateness), case.t0).flush()))
            for log in (made_for_a, made_for_b)
        )
        assert a == b


@pytest.mark.parametrize("bounds", list(Bounds))
def test_elements_exactly_on_the_bounds(tmp_path: Path, bounds: Bounds) -> None:
    log = log_of(tmp_path, [Element(triple(t), t) for t in (10, 15, 20, 25)])
    windows = list(evaluations_of(stream_of(log, TimeWindow(10, 5), 10, bounds), 10).flush())
    times = [[time for time, _ in content(w)] for w in windows]
    assert (
        times
        == {
            Bounds.CLOSED: [[10, 15, 20], [15, 20, 25], [20, 25], [25]],
            Bounds.LEFT_OPEN: [[15, 20], [20, 25], [25]],
            Bounds.RIGHT_OPEN: [[10, 15], [15, 20], [20, 25], [25]],
        }[bounds]
    )


def test_several_count_windows_that_end_at_one_instant_are_evaluations_of_their_own(tmp_path: Path) -> None:
    log = log_of(tmp_path, [Element(triple(i), 7 if i < 5 else 9) for i in range(6)])
    windows = list(evaluations_of(stream_of(log, CountWindow(3, 2), 0, Bounds.CLOSED), 0).flush())
    assert [(w.at, w.seq, w.contributions[0].elements) for w in windows] == [(7, 0, 2), (7, 1, 3), (9, 0, 3)]


def test_a_triple_leaves_with_its_last_occurrence(tmp_path: Path) -> None:
    log = log_of(tmp_path, [Element(triple("a"), 0), Element(triple("a"), 6), Element(triple("b"), 12)])
    first, second, third = list(evaluations_of(stream_of(log, TimeWindow(5, 5), 0, Bounds.CLOSED), 0).flush())
    assert delta_between(first, second, Occurrences(NO_STATIC_DATA)).net()[None].removed == frozenset()
    assert delta_between(first, second, Occurrences(NO_STATIC_DATA)).net()[None].added == frozenset()
    assert delta_between(second, third, Occurrences(NO_STATIC_DATA)).net()[None].removed == {triple("a").encode()}


def test_blank_nodes_are_kept_apart_by_stream(tmp_path: Path) -> None:
    from prsp.transform.slices import scoped

    lines = b'_:a <http://e/p> _:b .\n<http://e/s> <http://e/p> "_:c <http://e/p> _:d ." .\n<http://e/s> <http://e/p> _:e .\n'
    assert scoped(lines, "s0_") == (
        b'_:s0_a <http://e/p> _:s0_b .\n<http://e/s> <http://e/p> "_:c <http://e/p> _:d ." .\n<http://e/s> <http://e/p> _:s0_e .\n'
    )
