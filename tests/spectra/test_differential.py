"""SPECTRA row for row against re-evaluation, by definition and by pyoxigraph, on every window of random cases.

A failing case is printed as ``case(seed, flavour)`` with the smallest case found that fails; a run of 100,000 cases: ``pytest -m long``.
"""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from prsp.errors import PrspError
from tests.random.case import Case, case
from tests.random.causes import Causes, complaint, oxigraph
from tests.random.deviations import DEVIATIONS
from tests.random.reduce import minimise, windows_alone
from tests.random.vocabulary import Flavour
from tests.spectra.drive import Sessions, outcome

EACH = 0
"""How many disagreements of pyoxigraph that a known deviation may excuse are reduced to see whether it is the cause: the long run
reduces all of them."""
STREAMS = 10
"""Streams a query is asked of: planning it costs more than a window."""
CASES = 5_000
LONG_CASES = 100_000


def _fails(made: Case) -> bool:
    try:
        return outcome(made).wrong is not None
    except (PrspError, SyntaxError, AssertionError, KeyError, ValueError, IndexError):
        return False  # a cut left no query, or one that nobody answers


def _check(cases: int, first: int, flavour: Flavour, each: int | None, streams: int = STREAMS) -> None:
    """So many cases of different numbers, from a first one on."""
    causes = Causes(oxigraph, DEVIATIONS, each)
    answered: dict[tuple[int, int], bool] = {}
    deviating: set[tuple[int, int]] = set()

    @settings(
        max_examples=cases // streams * 101 // 100,  # a number may be drawn twice
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(min_value=first, max_value=first + 2**40))
    def check(seed: int) -> None:
        sessions: Sessions = {}
        for stream in range(streams):
            made = case(seed, flavour, stream)
            found = outcome(made, sessions)
            answered[seed, stream] = found.answered
            if found.deviates:
                deviating.add((seed, stream))
                if (new := _unexplained(made, causes)) is not None:
                    pytest.fail(new, pytrace=False)
            if found.wrong is not None:
                small = minimise(made, _fails)
                pytest.fail(f"{found.wrong}\n\n{made}\n\nThe smallest found that fails: {outcome(small).wrong}\n\n{small}", pytrace=False)

    check()
    assert len(answered) >= cases
    assert sum(answered.values()) >= len(answered) / 2, "half of the cases should have an answer"
    assert len(deviating) <= len(answered) * 0.06, "pyoxigraph answers a few cases in its own way; more is something new"


def _unexplained(made: Case, causes: Causes) -> str | None:
    """What is to be said of windows that pyoxigraph answers otherwise, when no listed deviation is the cause."""
    for alone in windows_alone(made):
        if (wrong := complaint(alone, oxigraph)) is not None and (new := causes.unexplained(alone, wrong)) is not None:
            return new
    return None


@pytest.mark.parametrize("first", [0, 2**41])
@pytest.mark.parametrize("flavour", Flavour, ids=lambda flavour: flavour.value)
def test_every_window_is_answered_as_by_re_evaluation(first: int, flavour: Flavour) -> None:
    _check(CASES // 4, first, flavour, EACH)


@pytest.mark.long
@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("flavour", Flavour, ids=lambda flavour: flavour.value)
def test_every_window_of_a_hundred_thousand_cases(block: int, flavour: Flavour) -> None:
    _check(LONG_CASES // 8, (block + 2) * 2**41, flavour, None)
