"""The cases as checks: each window is handed to the engine, and its answer compared."""

from __future__ import annotations

from functools import cache, partial

from prsp.backend import Backend, open_feed
from prsp.testing.answers import demand_description, demand_same
from prsp.testing.cases import Case, load_cases
from prsp.testing.checks import Check
from prsp.testing.windows import snapshot_of

_QUICK_IN_A_GROUP = 3


@cache
def case_checks() -> tuple[Check, ...]:
    """A check per case; the first few of each group are the quick ones."""
    seen: dict[str, int] = {}
    checks = []
    for case in load_cases():
        group = case.name.partition("/")[0]
        seen[group] = seen.get(group, 0) + 1
        checks.append(Check(case.name, case.about, partial(answer_case, case), case.needs, quick=seen[group] <= _QUICK_IN_A_GROUP))
    return tuple(checks)


def answer_case(case: Case, backend: Backend) -> None:
    """Violation when the engine answers one of the case's windows wrongly."""
    feed = open_feed(backend, case.rho, case.static)
    try:
        for number, window in enumerate(case.windows):
            feed.give(snapshot_of(window.graphs, number=number))
            got = feed.evaluate()
            if case.at_least:
                demand_description(window.expected, got, [*window.graphs.values(), *case.static.graphs.values()])
            else:
                place = f"the answer to window {number + 1}" if len(case.windows) > 1 else "the answer"
                demand_same(window.expected, got, ordered=case.ordered, what=place)
    finally:
        feed.close()
