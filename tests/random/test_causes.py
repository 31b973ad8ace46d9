"""A disagreement is excused by its own cause, not by what else stands in the query."""

from prsp.model.result import Result, Solutions, solutions
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from tests.random.case import Case, case
from tests.random.causes import Causes, complaint, oxigraph
from tests.random.deviations import DEVIATIONS
from tests.random.reduce import windows_alone
from tests.random.references import Naive
from tests.random.vocabulary import PREFIXES, Flavour


def _without_optional(text: str, snapshot: Snapshot, static: StaticData) -> Result:
    """An engine with a fault of its own: it loses a row where there is an OPTIONAL."""
    answer = Naive(snapshot, static).ask(text)
    if "OPTIONAL" not in text or not isinstance(answer, Solutions):
        return answer
    return solutions(answer.variables, answer.rows()[1:])


def _excused() -> list[Case]:
    """Cases that the fault shows in, and whose query is one that a known deviation can show in as well."""
    alone = (window for seed in range(400) for window in windows_alone(case(seed, Flavour.TYPED)))
    found = (one for one in alone if "OPTIONAL" in one.query.text and (wrong := complaint(one, _without_optional)) and _known(one, wrong))
    return [one for one, _ in zip(found, range(4), strict=False)]


def _known(one: Case, wrong: str) -> bool:
    return any(known.may_show(one.query.text, wrong) for known in DEVIATIONS)


def test_an_unknown_fault_is_found_beside_known_deviations() -> None:
    found = _excused()
    assert found
    for one in found:
        causes = Causes(_without_optional, DEVIATIONS, None)
        said = causes.unexplained(one, complaint(one, _without_optional) or "")
        assert said is not None
        assert "What remains" in said
        assert "OPTIONAL" in said.split("What remains")[1]


def test_a_known_deviation_is_what_remains() -> None:
    causes = Causes(oxigraph, DEVIATIONS, None)
    alone = (window for seed in range(400) for window in windows_alone(case(seed, Flavour.TYPED)))
    one, wrong = next((one, wrong) for one in alone if (wrong := complaint(one, oxigraph)))
    assert causes.unexplained(one, wrong) is None
    assert sum(causes.found.values()) >= 1


def test_what_remains_is_the_same_each_time() -> None:
    causes = Causes(_without_optional, DEVIATIONS, None)
    first = next(iter(_excused()))
    small, again = causes.reduced(first), causes.reduced(first)
    assert small is not None
    assert str(small) == str(again)
    assert len(small.query.text.removeprefix(PREFIXES)) < 60
