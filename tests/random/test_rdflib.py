"""rdflib against the naive evaluator on random cases: every disagreement is a listed one."""

from functools import lru_cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from prsp.backend import backend_named
from prsp.errors import EngineError
from prsp.model.result import Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData
from prsp.parse import parse_rho
from tests.random.agree import disagreement, is_empty
from tests.random.case import Case, case
from tests.random.causes import Causes
from tests.random.deviations import Deviation
from tests.random.rdflib_deviations import RDFLIB_DEVIATIONS
from tests.random.references import Naive
from tests.random.test_deviations import is_explained, window, written
from tests.random.vocabulary import PREFIXES, Flavour

CASES, STREAMS = 4_000, 5
"""A query is asked of several streams."""
EACH = 0
"""How many disagreements that a deviation may excuse are reduced to see whether it is the cause: rdflib answers some
queries differently from process to process, so that is for the long run, where a person looks at what it finds."""

pytestmark = pytest.mark.filterwarnings("ignore")  # rdflib warns of its own ways


_rho = lru_cache(maxsize=8)(parse_rho)


def ask(text: str, snapshot: Snapshot, static: StaticData) -> Result:
    session = backend_named("rdflib").from_options({}).prepare(_rho(text), static)
    session.load(snapshot)
    return session.evaluate()


def disagrees(made: Case) -> tuple[str | None, bool]:
    """What is wrong with rdflib's answer about the first window that has one, and whether there is an answer at all."""
    for snapshot in made.snapshots():
        naive = Naive(snapshot, made.static)
        expected = naive.ask(made.query.text)
        if not is_empty(expected):
            break
    try:
        return disagreement(made.query, expected, ask(made.query.text, snapshot, made.static), naive.ask), not is_empty(expected)
    except (EngineError, SyntaxError) as error:  # also when what it gives is no RDF
        return str(error), not is_empty(expected)


def _check(flavour: Flavour, each: int | None) -> None:
    causes = Causes(ask, RDFLIB_DEVIATIONS, each)
    answered: dict[tuple[int, int], bool] = {}
    differing: set[tuple[int, int]] = set()

    @settings(
        max_examples=CASES // 2 // STREAMS * 101 // 100,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(min_value=0, max_value=2**40))
    def check(seed: int) -> None:
        for stream in range(STREAMS):
            made = case(seed, flavour, stream)
            wrong, answered[seed, stream] = disagrees(made)
            if wrong is not None:
                differing.add((seed, stream))
            if wrong is not None and (new := causes.unexplained(made, wrong)) is not None:
                pytest.fail(new, pytrace=False)

    check()
    assert len(answered) >= CASES // 2
    assert sum(answered.values()) >= len(answered) / 2, "half of the cases should have an answer"
    assert len(differing) <= len(answered) * 0.3, "what is listed explains a quarter of the cases; more is something new"


@pytest.mark.parametrize("flavour", Flavour, ids=lambda flavour: flavour.value)
def test_every_disagreement_is_listed(flavour: Flavour) -> None:
    _check(flavour, EACH)


@pytest.mark.long
@pytest.mark.parametrize("flavour", Flavour, ids=lambda flavour: flavour.value)
def test_every_disagreement_has_a_listed_cause(flavour: Flavour) -> None:
    _check(flavour, None)


@pytest.mark.parametrize("deviation", RDFLIB_DEVIATIONS, ids=lambda deviation: deviation.name)
def test_it_still_deviates(deviation: Deviation) -> None:
    text, data = PREFIXES + deviation.query, window(deviation.data)
    assert written(Naive(data, NO_STATIC_DATA).ask(text)) == deviation.right
    complaint = deviation.complaint
    try:
        answer = ask(text, data, NO_STATIC_DATA)
        theirs, explained = written(answer), is_explained(deviation, answer)
    except EngineError as error:
        theirs, complaint = "fails", str(error)
        explained = deviation.explains(text, deviation.data, complaint)
    if deviation.sometimes:  # its columns come in any order
        assert sorted(theirs.split()) == sorted(deviation.theirs.split())
    else:
        assert theirs == deviation.theirs
    assert deviation.right != deviation.theirs
    assert deviation.may_show(text, complaint)
    assert explained
