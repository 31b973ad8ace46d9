"""The arithmetic of windows, against trying every window."""

from hypothesis import given
from hypothesis import strategies as st

from prsp.model.profile import Bounds
from prsp.transform.reference import contains, has_passed
from prsp.trigger import Grid

GRIDS = st.builds(Grid, st.integers(1, 12), st.integers(1, 12), st.integers(-20, 20), st.sampled_from(Bounds))
TIMES = st.integers(-40, 80)
WINDOWS = range(130)


@given(GRIDS, TIMES)
def test_the_earliest_window_that_contains_an_instant(grid: Grid, time: int) -> None:
    holding = [k for k in WINDOWS if contains(grid.bounds, grid.open(k), grid.close(k), time)]
    assert grid.earliest_containing(time) == (holding[0] if holding else None)


@given(GRIDS, TIMES)
def test_closes(grid: Grid, time: int) -> None:
    closes = [grid.close(k) for k in WINDOWS]
    assert grid.first_close_after(time) == next(c for c in closes if c > time)
    assert grid.closing_at(time) == (closes.index(time) if time in closes else None)


@given(GRIDS, TIMES)
def test_flush_reports_what_opens_in_time(grid: Grid, largest: int) -> None:
    opened = [k for k in WINDOWS if (grid.open(k) < largest if grid.bounds is Bounds.LEFT_OPEN else grid.open(k) <= largest)]
    assert grid.last_close(largest) == (grid.close(opened[-1]) if opened else None)


@given(GRIDS, TIMES, st.integers(0, 10))
def test_what_has_passed(grid: Grid, largest: int, lateness: int) -> None:
    passed = grid.passed(largest, lateness)
    for k in WINDOWS:
        assert (grid.close(k) <= passed) == has_passed(grid.bounds, grid.close(k), largest, lateness)
        assert (largest > grid.reach(grid.close(k), lateness)) == has_passed(grid.bounds, grid.close(k), largest, lateness)


@given(GRIDS, TIMES)
def test_the_interval_is_what_the_bounds_say(grid: Grid, time: int) -> None:
    for k in range(10):
        first, last = grid.interval(k)
        assert (first <= time <= last) == contains(grid.bounds, grid.open(k), grid.close(k), time)
