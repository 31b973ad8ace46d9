"""The net change of a graph counts every place a triple can still be in."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from prsp.backend.occurrences import Occurrences, delta_between
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA, StaticData

LINES = [b"<urn:s> <urn:p> <urn:o%d> .\n" % i for i in range(4)]
STREAM = HeldSlice(tuple((i, LINES[i * i % 4]) for i in range(12)))


def window(number: int, first: int, last: int, graph: str | None = None) -> Contribution:
    cut = HeldSlice(STREAM.content[first:last], identity=number, start=first)
    return Contribution(f"s{number}", graph, first, last, (cut,) if first < last else ())


def snapshot(at: int, *contributions: Contribution) -> Snapshot:
    return Snapshot(at, 0, contributions)


bounds = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted)
snapshots = st.lists(st.tuples(bounds, bounds), min_size=2, max_size=6)


@given(snapshots, st.sets(st.sampled_from(LINES)), st.sets(st.integers(0, 5)))
def test_applied_blindly_it_gives_the_later_set(history: list[tuple[list[int], list[int]]], static: set[bytes], asked: set[int]) -> None:
    """Two streams in one graph, static triples among them, and deltas nobody looks at in between."""
    held = StaticData({None: b"".join(sorted(static))} if static else {})
    occurrences = Occurrences(held)
    steps = [snapshot(i, window(0, a[0], a[1]), window(1, b[0], b[1])) for i, (a, b) in enumerate(history)]
    for number, (before, after) in enumerate(pairwise(steps)):
        delta = delta_between(before, after, occurrences)
        if number in asked:
            continue
        net = delta.net()[None]
        earlier, later = set(before.data().splitlines()) | clean(static), set(after.data().splitlines()) | clean(static)
        assert not net.added & earlier
        assert net.removed <= earlier
        assert (earlier | net.added) - net.removed == later


def clean(lines: set[bytes]) -> set[bytes]:
    return {line.rstrip(b"\n") for line in lines}


def test_an_element_in_two_windows_of_one_graph_stays_until_it_has_left_both() -> None:
    both = snapshot(1, window(0, 0, 2), Contribution("s0", None, 0, 9, (HeldSlice(STREAM.content[0:2]),)))
    one = snapshot(2, window(0, 2, 2), Contribution("s0", None, 0, 9, (HeldSlice(STREAM.content[0:2]),)))
    none = snapshot(3, window(0, 2, 2), Contribution("s0", None, 0, 9, ()))
    occurrences = Occurrences(NO_STATIC_DATA)
    assert delta_between(both, one, occurrences).net()[None].removed == frozenset()
    assert delta_between(one, none, occurrences).net()[None].removed == set(none_lines())


def none_lines() -> list[bytes]:
    return [lines.rstrip(b"\n") for _, lines in STREAM.content[:2]]


def test_a_delta_in_memory_is_the_same_delta() -> None:
    delta = delta_between(snapshot(1, window(0, 0, 5)), snapshot(2, window(0, 3, 8)), Occurrences(NO_STATIC_DATA))
    copy = delta.in_memory()
    assert copy.net() == delta.net()
    assert copy.after.at == 2
    assert [s.data() for s in copy.changes[None].entered] == [s.data() for s in delta.changes[None].entered]
