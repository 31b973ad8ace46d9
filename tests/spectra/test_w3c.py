"""Every W3C evaluation test on SPECTRA: what it declares it takes is right, what it does not is refused, or right by falling back."""

from collections.abc import Iterator

import pytest

from prsp.backend import open_backend
from prsp.errors import EngineError
from prsp.model.snapshot import Snapshot
from prsp.model.static import NO_STATIC_DATA
from prsp.parse import parse_rho
from tests.backends.w3c_faults import OXIGRAPH
from tests.data import needs_data
from tests.w3c.answers import outcome, recorded, window
from tests.w3c.cases import EvaluationCase, cases

pytestmark = [needs_data, pytest.mark.filterwarnings("ignore")]  # rdflib warns of what its tests are made of


def inside() -> list[EvaluationCase]:
    """The tests within the declared algebra."""
    declared = open_backend("spectra", {}).capabilities
    return [case for case in cases() if all(feature in declared for feature in case.features)]


def outside() -> list[EvaluationCase]:
    taken = {case.name for case in inside()}
    return [case for case in cases() if case.name not in taken]


def thirds(data: bytes) -> list[bytes]:
    """Three slices of some lines."""
    lines = data.splitlines(keepends=True)
    return [b"".join(lines[place::3]) for place in range(3)]


def crossed(data: bytes) -> bytes:
    """Lines that are not in the data but match with it: the subject of one and the rest of the next."""
    lines = data.splitlines(keepends=True)
    pairs = [(one.partition(b" ")[0], other.partition(b" ")[2]) for one, other in zip(lines, lines[1:] + lines[:1], strict=True)]
    return b"".join(sorted({b"%s %s" % pair for pair in pairs} - set(lines)))


def sequence(case: EvaluationCase) -> list[Snapshot]:
    """Windows up to the dataset of the test: in thirds, the first one for a while twice, and with other triples that leave again."""

    def steps(data: bytes) -> Iterator[list[bytes]]:
        first, second, third = thirds(data)
        other = crossed(data)
        yield [first, b"", b"", other, b""]
        yield [first, second, b"", other, first]
        yield [first, second, third, b"", b""]

    slices = {graph: list(steps(data)) for graph, data in case.graphs.items()}
    return [window(step, {graph: found[step] for graph, found in slices.items()}) for step in range(3)]


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_every_test_within_the_declared_algebra_passes_as_a_snapshot(mode: str) -> None:
    backend = open_backend("spectra", {"mode": mode})
    wrong = [told for case in inside() if (told := outcome(case, backend)) is not None]
    assert not wrong, "\n".join(wrong)
    print(f"spectra, mode {mode}: {len(inside())} of {len(inside())} right as snapshots, {len(outside())} refused")
    assert recorded("spectra") == (len(inside()), 0)


@pytest.mark.parametrize("mode", ["inc", "rev"])
def test_every_test_within_the_declared_algebra_passes_as_a_sequence_of_deltas(mode: str) -> None:
    backend = open_backend("spectra", {"mode": mode})
    wrong = [told for case in inside() if (told := outcome(case, backend, sequence(case))) is not None]
    assert not wrong, "\n".join(wrong)
    print(f"spectra, mode {mode}: {len(inside())} of {len(inside())} right as deltas")


def test_the_sequence_takes_triples_out_again_and_ends_with_the_test_data() -> None:
    for case in cases():
        *before, last = sequence(case)
        for graph, data in case.graphs.items():
            assert sorted(last.data(graph).splitlines()) == sorted(data.splitlines())
            if data.count(b"\n") > 3:
                assert len(before[1].data(graph).splitlines()) > 2
    assert sum(any(crossed(data) for data in case.graphs.values()) for case in cases()) > len(cases()) / 2


def test_what_is_outside_is_refused_with_the_declared_reason() -> None:
    backend = open_backend("spectra", {})
    assert outside()
    for case in outside():
        (reason,) = [backend.capabilities.reason(feature) for feature in case.features if feature not in backend.capabilities]
        assert reason is not None
        with pytest.raises(EngineError, match="is a fixpoint") as caught:
            backend.prepare(parse_rho(case.rho), NO_STATIC_DATA)
        assert reason.partition(" without")[0] in str(caught.value)


def test_falling_back_every_test_is_answered_as_by_oxigraph_where_it_is_not_by_spectra() -> None:
    backend = open_backend("spectra", {"fallback": "oxigraph"})
    known = {case.name for case in outside() if case.name in OXIGRAPH}
    for windows in (None, sequence):
        wrong = {case.name: told for case in cases() if (told := outcome(case, backend, windows and windows(case))) is not None}
        assert set(wrong) == known, "\n".join(told for name, told in wrong.items() if name not in known)
    print(f"spectra, fallback=oxigraph: {len(cases()) - len(known)} of {len(cases())} right")
    assert recorded("spectra, fallback=oxigraph") == (len(cases()), len(known))
