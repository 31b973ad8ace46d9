"""All checks of the kit, in the order they are made."""

from __future__ import annotations

from functools import cache

from prsp.backend import Backend
from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.testing.checks import Check, Need
from prsp.testing.deltas import DELTA_CHECKS
from prsp.testing.failures import FAILURE_CHECKS
from prsp.testing.sessions import SESSION_CHECKS
from prsp.testing.snapshots import case_checks

# What no check of the kit can tell: nothing outside may be reached, other functions have no standard meaning, f:timestamp is
# prsp's own, and the rest says how prsp is to use the engine, which is a choice.
_UNTELLABLE: frozenset[Need] = frozenset(
    {
        Feature.SERVICE,
        Feature.CUSTOM_FUNCTIONS,
        Feature.TIMESTAMP,
        Ability.DEADLINE,
        Ability.DELTA,
        Ability.CHANGES,
        Ability.HELD_GRAPHS,
    }
)


@cache
def checks(*, quick: bool = False) -> tuple[Check, ...]:
    """Every check; with ``quick`` some of each group, for an engine that takes about a second an answer."""
    gaps = tuple(Check(name, f"If {need} is declared beyond it, that is true.", _nothing) for name, need in gap_checks().items())
    every = (*SESSION_CHECKS, *case_checks(), *DELTA_CHECKS, *FAILURE_CHECKS, *gaps)
    return tuple(check for check in every if check.quick or not quick)


@cache
def gap_checks() -> dict[str, Need]:
    """The names of the checks of declared gaps, and what each is about."""
    return {f"gaps/{need}": need for need in (*Feature, *Ability) if need not in _UNTELLABLE}


def _nothing(backend: Backend) -> None:
    """A declared gap is judged by the checks that need it."""
