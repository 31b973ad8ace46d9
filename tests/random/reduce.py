"""Makes a failing case small: leaves out what the failure does not need."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.random.case import Case, cuts


def minimise(failing: Case, fails: Callable[[Case], bool], *, seconds: float = 20) -> Case:
    """A small case that still fails; a cut that is no query any more must count as not failing."""
    until = time.monotonic() + seconds
    smallest, shrunk = failing, True
    while shrunk and time.monotonic() < until:
        shrunk = False
        for cut in cuts(smallest):
            if time.monotonic() > until:
                break
            if fails(cut):
                smallest, shrunk = cut, True
                break
    return smallest
