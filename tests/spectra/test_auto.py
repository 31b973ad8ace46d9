"""``auto`` takes S-Inc for small changes and S-Rev for large ones, by what both took so far, and gives the same answers."""

import pytest

from prsp_backends.spectra import Engine, Mode
from prsp_backends.spectra.auto import Chooser
from tests.random.vocabulary import PREFIXES
from tests.spectra.ask import shown

QUERY = f"{PREFIXES} SELECT ?x ?z {{ ?x :p ?y . ?y :q ?z }}"


def lines(start: int, count: int) -> bytes:
    """Triples, every other of which joins with the one before."""
    return b"".join(
        b"<http://e/a%d> <http://e/p> <http://e/b%d> .\n" % (n, n)
        if n % 2
        else b"<http://e/b%d> <http://e/q> <http://e/c%d> .\n" % (n + 1, n)
        for n in range(start, start + count)
    )


class Sliding:
    """A window of so many triples in an engine, which is asked after each slide."""

    def __init__(self, mode: Mode, size: int) -> None:
        self.engine, self._size, self._at = Engine(QUERY, mode=mode), size, 0
        self.engine.load({None: self.engine.encode(lines(0, size))})
        self.ask()

    def slide(self, by: int) -> None:
        engine, start = self.engine, self._at
        engine.slide(engine.encode(lines(start + self._size, by)), engine.encode(lines(start, by)))
        self._at += by
        self.ask()

    def ask(self) -> None:
        self.answer = shown(self.engine.answer())
        self.engine.settle()

    @property
    def incremental(self) -> bool:
        return self.engine._kept


@pytest.mark.parametrize("by", [2, 40])
def test_small_slides_are_answered_from_the_change_also_after_an_answer_from_scratch(by: int) -> None:
    sliding, modes = Sliding(Mode.AUTO, 4_000), list[bool]()
    assert not sliding.incremental
    for _ in range(12):
        sliding.slide(by)
        modes.append(sliding.incremental)
    assert all(modes)


def test_tumbling_windows_are_answered_from_scratch() -> None:
    sliding, modes = Sliding(Mode.AUTO, 1_000), list[bool]()
    for _ in range(6):
        sliding.slide(1_000)
        modes.append(sliding.incremental)
    assert not modes[0]
    assert sum(modes) <= 3


def test_it_switches_there_and_back_and_answers_like_both() -> None:
    all_three = [Sliding(mode, 600) for mode in (Mode.AUTO, Mode.INC, Mode.REV)]
    modes = []
    for by in (6, 6, 600, 600, 6, 6, 1, 300, 6):
        for sliding in all_three:
            sliding.slide(by)
        modes.append(all_three[0].incremental)
        assert all_three[0].answer == all_three[1].answer == all_three[2].answer != []
    assert modes[0] is True
    assert modes[2] is False
    assert [sliding.incremental for sliding in all_three[1:]] == [True, False]


def test_before_anything_is_measured_the_ratio_decides() -> None:
    chooser = Chooser(Mode.AUTO)
    assert chooser.incremental(300, 1_000, kept=True)
    assert not chooser.incremental(301, 1_000, kept=True)
    assert Chooser(Mode.INC).incremental(5_000, 1_000, kept=False)
    assert not Chooser(Mode.REV).incremental(1, 1_000, kept=True)


def test_measured_times_move_the_break_even() -> None:
    chooser = Chooser(Mode.AUTO)
    chooser.measured(incremental=True, changed=100, window=10_000, seconds=0.01)
    chooser.measured(incremental=False, changed=0, window=10_000, seconds=0.1)
    assert chooser.incremental(1_500, 10_000, kept=True)
    assert not chooser.incremental(2_500, 10_000, kept=True)


def test_one_disturbed_measurement_changes_nothing() -> None:
    chooser = Chooser(Mode.AUTO)
    chooser.measured(incremental=False, changed=0, window=10_000, seconds=0.1)
    for seconds in (0.001, 0.001, 5.0):
        chooser.measured(incremental=True, changed=100, window=10_000, seconds=seconds)
    assert chooser.incremental(100, 10_000, kept=True)


def test_a_choice_against_the_break_even_is_doubted_until_it_is_measured_again() -> None:
    chooser = Chooser(Mode.AUTO)
    chooser.measured(incremental=False, changed=0, window=10_000, seconds=0.01)
    chooser.measured(incremental=True, changed=100, window=10_000, seconds=0.02)
    choices = [chooser.incremental(100, 10_000, kept=False) for _ in range(200)]
    assert not any(choices[:50])
    assert any(choices)


def test_a_slow_start_on_a_small_window_is_no_lesson_for_a_large_one() -> None:
    chooser = Chooser(Mode.AUTO)
    chooser.measured(incremental=False, changed=0, window=5, seconds=0.0001)
    chooser.measured(incremental=True, changed=1_000, window=100_000, seconds=0.005)
    assert chooser.incremental(1_000, 100_000, kept=True)
    assert not chooser.incremental(200_000, 100_000, kept=True)
