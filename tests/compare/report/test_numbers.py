"""Numbers are told with three significant digits in a unit that fits."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prsp.compare.report.axis import Axis, bar_axis, load_axis, measure_axis, share_axis
from prsp.compare.report.lettering import shortened, width, wrapped
from prsp.compare.report.numbers import Quantity, count, digits, duration, load, memory, share, times

POSITIVE = st.floats(min_value=1e-9, max_value=1e9)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.0000004, "400 ns"), (0.0000123, "12.3 µs"), (0.001234, "1.23 ms"), (0.9994, "999 ms"), (0.9996, "1.00 s"), (0.09996, "100 ms"),
        (1234.5, "1,230 s"), (0, "0 ns"), (None, "–"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_times(seconds: float | None, told: str) -> None:
    assert duration(seconds) == told


def test_other_quantities() -> None:
    assert [memory(n) for n in (0, 512, 1536, 60 * 2**20, 3 * 2**30)] == ["0 B", "512 B", "1.50 KiB", "60.0 MiB", "3.00 GiB"]
    assert [share(n) for n in (1, 0.99999, 0.5, 0.0004, 0, None)] == ["1.000", "0.999", "0.500", "<0.001", "0", "–"]
    assert [times(1.0), times(67.84), times(None)] == ["1.00×", "67.8×", "–"]
    assert [count(1234567), count(None)] == ["1,234,567", "–"]
    assert [load(1250), load(0.5)] == ["1,250", "0.5000"]
    assert [digits(n) for n in (123456, 999.6, 0.012345, -2.5)] == ["123,000", "1,000", "0.0123", "-2.50"]


@given(POSITIVE)
def test_digits_are_right_to_one_in_two_hundred(value: float) -> None:
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=0.00501)


@given(st.floats(min_value=0, max_value=1))
def test_only_all_is_told_as_all_and_only_nothing_as_nothing(value: float) -> None:
    assert (share(value) == "1.000") == (value > 1 - 1e-9 / 999)
    assert (share(value) == "0") == (value == 0)


@given(st.lists(POSITIVE, min_size=1, max_size=8), st.sampled_from([Quantity.TIME, Quantity.MEMORY, Quantity.RATE]))
def test_axes_hold_what_was_measured_and_have_ticks_in_order(values: list[float], quantity: Quantity) -> None:
    for axis in (measure_axis(quantity, values), bar_axis(quantity, values)):
        holds(axis, values)


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=20))
def test_axes_hold_loads_and_have_ticks_in_order(loads: list[int]) -> None:
    for each in (False, True):
        holds(load_axis(loads, each=each), loads)


def holds(axis: Axis, values: Sequence[float]) -> None:
    assert all(-1e-9 <= axis.place(value) <= 1 + 1e-9 for value in values)
    ticks = [value for value, _ in axis.ticks]
    assert ticks == sorted(set(ticks))
    assert 1 <= len({label for _, label in axis.ticks}) == len(ticks) <= 12


def test_shares_have_an_axis_that_shows_them() -> None:
    assert [share_axis(values).low for values in ([1.0], [0.8, 1], [0.2])] == [0.9, 0.5, 0.0]


@given(st.text(max_size=200), st.floats(min_value=60, max_value=400))
def test_texts_fit_the_room_they_have(text: str, room: float) -> None:
    assert width(shortened(text, room, 13), 13) <= room
    lines = wrapped(text, room, 14, bold=True)
    assert 1 <= len(lines) <= 2
    assert all(width(line, 14, bold=True) <= room for line in lines)
