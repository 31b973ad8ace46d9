"""Parameters out of range, refused by name."""

from __future__ import annotations

from prsp.errors import InputError
from prsp.workload.recipe import Window


def at_least(name: str, value: float, least: float) -> None:
    """Nothing, or InputError where the value is too small or no number."""
    if not value >= least or value == float("inf"):
        raise InputError(f"--{name} {value}: must be at least {least}")


def check_common(skew: float, disorder: int, windows: tuple[Window, ...]) -> None:
    """Nothing, or InputError for what every workload has."""
    at_least("skew", skew, 0)
    if skew > 5:
        raise InputError(f"--skew {skew}: at most 5; 1 already gives the first of 1,000 sensors an eighth of all readings")
    at_least("disorder", disorder, 0)
    for size, step in windows:
        at_least("range", size, 1)
        at_least("step", step, 1)
