"""Durations there and back."""

from hypothesis import given
from hypothesis import strategies as st

from prsp.model import MAX_MILLISECONDS
from prsp.parse.duration import UNITS, iso_duration, readable, unit_duration


@given(st.integers(1, MAX_MILLISECONDS))
def test_readable_is_read_back(milliseconds: int) -> None:
    text = readable(milliseconds)
    unit = text.lstrip("0123456789")
    assert unit in UNITS
    assert unit_duration(text.removesuffix(unit), unit) == milliseconds


@given(st.integers(0, 9_999), st.integers(0, 99), st.integers(0, 999), st.integers(0, 99_999))
def test_iso_durations_add_up(days: int, hours: int, minutes: int, thousandths: int) -> None:
    expected = days * 86_400_000 + hours * 3_600_000 + minutes * 60_000 + thousandths
    if expected:
        assert iso_duration(f"P{days}DT{hours}H{minutes}M{thousandths // 1000}.{thousandths % 1000:03}S") == expected
