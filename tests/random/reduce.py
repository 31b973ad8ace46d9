"""Makes a failing case small: leaves out what the failure does not need."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

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


def isolated(failing: Case, fails: Callable[[Case], bool]) -> Case:
    """A case of which no single piece can be left out; the same on every machine, since no clock ends the search.

    After a cut the search goes on where it was: what could not be left out before seldom can be after it. Only when a whole round
    was without success is it the end.
    """
    smallest, shrunk, known = failing, True, set[str]()
    while shrunk:
        shrunk, place = False, 0
        while (found := _next(smallest, place, fails, known)) is not None:
            (place, smallest), shrunk = found, True
    return smallest


def _next(case: Case, place: int, fails: Callable[[Case], bool], known: set[str]) -> tuple[int, Case] | None:
    for number, cut in enumerate(cuts(case)):
        if number < place or (name := str(cut)) in known:
            continue
        known.add(name)
        if fails(cut):
            return number, cut
    return None


def windows_alone(case: Case) -> Iterator[Case]:
    """The case with each of its windows as the only one, its elements one triple each."""
    found = case.windows
    for number in range(found.evaluations):
        there = [o for o in found.occurrences if o.enters <= number < o.leaves]
        lines = dict.fromkeys((o.graph, line) for o in there for line in o.lines.splitlines(keepends=True))
        first = {(o.graph, line): o for o in reversed(there) for line in o.lines.splitlines(keepends=True)}
        alone = tuple(replace(first[key], time=1, lines=key[1], enters=0, leaves=1) for key in lines)
        yield replace(case, windows=replace(found, occurrences=alone, evaluations=1))
