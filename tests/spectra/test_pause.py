"""Bulk work and the cycle collector: what was set stays set, and what was made is old at once."""

import gc
import weakref

import pytest

from prsp_backends.spectra.pause import Bulk, collector_paused

MANY = 100_000


class Ring:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize("paused", [collector_paused, lambda: Bulk().made(MANY), lambda: Bulk().made(1)])
@pytest.mark.parametrize("fails", [False, True])
def test_the_collector_is_left_as_it_was(paused: object, *, fails: bool) -> None:
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            with paused():  # type: ignore[operator]
                assert not gc.isenabled()
                if fails:
                    raise KeyError
        except KeyError:
            assert fails
        assert gc.isenabled() is enabled
    gc.enable()


def test_what_is_made_in_bulk_is_old_at_once() -> None:
    with Bulk().made(MANY):
        made = [[] for _ in range(3)]  # type: ignore[var-annotated]
    old = {id(item) for item in gc.get_objects(generation=2)}
    assert all(id(item) in old for item in made)


def test_garbage_of_others_is_collected_before() -> None:
    ring = Ring()
    seen = weakref.ref(ring)
    del ring
    with Bulk().made(MANY):
        assert seen() is None


def test_what_others_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    try:
        with Bulk().made(MANY):
            pass
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
