"""A check of the kit as a value: what it is called, what it needs of an engine, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from prsp.backend import Backend
from prsp.model.ability import Ability
from prsp.model.feature import Feature

Need = Feature | Ability


@dataclass(frozen=True, slots=True)
class Check:
    """Something that has to hold for every engine that does what the check needs.

    ``run`` raises when it does not hold. ``quick`` checks cover every group with few evaluations, for engines that take a second each.
    """

    name: str
    about: str
    run: Callable[[Backend], None] = field(repr=False)
    needs: frozenset[Need] = frozenset()
    quick: bool = True
    seconds: float = 120.0
    """How long it may take before it counts as hanging."""

    def __str__(self) -> str:
        return self.name
