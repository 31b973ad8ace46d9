"""The profile in force, from the options that name it and override it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.model import Profile
    from prsp.model.profile import Strategy

_Value = TypeVar("_Value", bound=StrEnum)
_LATER = "mapping-expire"


def profile_in_force(
    name: str,
    *,
    bounds: str | None = None,
    t0: Sequence[str] = (),
    operator: str | None = None,
    report: str | None = None,
    every: str | None = None,
) -> tuple[Profile, dict[str, int]]:
    """The profile with its overrides, and t0 of single streams."""
    from prsp.model import PROFILES, Bounds
    from prsp.model.profile import Operator
    from prsp.parse.duration import parse_duration

    if name not in PROFILES:
        raise InputError(f"there is no profile '{name}'; there is {', '.join(PROFILES)}")
    profile = PROFILES[name]
    if bounds is not None:
        profile = replace(profile, bounds=_named(Bounds, "bounds", bounds))
    if operator is not None:
        profile = replace(profile, operator=_named(Operator, "operator", operator))
    if report is not None:
        strategies, bound = parse_report(report)
        profile = replace(profile, report=strategies, bound=bound)
    if every is not None:
        profile = replace(profile, every=parse_duration(every))
    origins: dict[str, int] = {}
    for text in t0:
        iri, _, value = text.rpartition("=")
        try:
            instant = int(value)
        except ValueError:
            raise InputError(f"--t0 {text}: not an integer of milliseconds") from None
        if iri:
            origins[iri] = instant
        else:
            profile = replace(profile, t0=instant)
    return profile, origins


def parse_report(text: str) -> tuple[tuple[Strategy, ...], tuple[str, ...]]:
    """The strategies of ``--report`` and the streams they are bound to, as in ``window-close@IRI+non-empty@IRI``."""
    from prsp.model.profile import Strategy

    names = "|".join([*Strategy, _LATER])
    # An IRI may hold a '+' itself: only one before the name of a strategy joins.
    parts = [part.partition("@") for part in re.split(rf"\+(?=(?:{names})(?:[@+]|$))", text)]
    strategies: list[Strategy] = []
    bound: list[str] = []
    for name, at, iri in parts:
        if name == _LATER:
            raise InputError(f"--report: {_LATER} comes with TPF-QS; there is {', '.join(Strategy)}")
        if name not in [*Strategy] or (at and not iri):
            raise InputError(
                f"--report {text}: '{name}{at}{iri}' is none of {', '.join(Strategy)}, joined with '+', each with @IRI or without"
            )
        strategies.append(Strategy(name))
        bound += [iri] if iri else []
    return tuple(dict.fromkeys(strategies)), tuple(dict.fromkeys(bound))


def _named(kind: type[_Value], what: str, name: str) -> _Value:
    try:
        return kind(name)
    except ValueError:
        raise InputError(f"there is no {what} '{name}'; there is {', '.join(kind)}") from None
