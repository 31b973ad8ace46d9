"""Refuses, before the first element, a query that uses what the engine declares it cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prsp.backend import Backend, Explains, backend_named, backend_names, open_backend
from prsp.backend.options import demand
from prsp.errors import PrspError, UnsupportedQuery
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.profile import Placement, Profile
from prsp.model.query import ContinuousQuery
from prsp.plan.dataset import Dataset

_TIMES = "f:timestamp is looked up in a named graph of times, which every window is given with"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an installed engine can run a query, and if not, what it lacks and why."""

    backend: str
    reasons: tuple[str, ...]
    plan: str | None = None
    """How the engine would go about it, where it can say so."""

    @property
    def can(self) -> bool:
        """Whether nothing stands against it."""
        return not self.reasons


def refuse(query: ContinuousQuery, profile: Profile, backend: Backend, dataset: Dataset) -> None:
    """UnsupportedQuery with the construct, the reason and the installed engines that can; nothing when it will run."""
    reasons = _reasons(query, [*_wanted(query, profile), *_held(dataset)], backend.capabilities) or _unplanned(query, backend)
    if reasons:
        able = [v.backend for v in verdicts(query, profile) if v.can and v.backend != backend.name]
        others = f"installed engines that can: {', '.join(able)}" if able else "no installed engine can"
        raise UnsupportedQuery(f"the {backend.name} backend cannot run this query: {'; '.join(reasons)}; {others}")


def verdicts(query: ContinuousQuery, profile: Profile) -> Iterator[Verdict]:
    """For each installed engine, by its defaults, whether it can run the query."""
    wanted = _wanted(query, profile)
    for name in backend_names():
        try:
            kind = backend_named(name)
            demand(name, kind.requires)
        except PrspError as error:
            yield Verdict(name, (str(error),))
            continue
        declared: object = kind.capabilities
        if isinstance(declared, Capabilities):
            yield Verdict(name, tuple(_reasons(query, wanted, declared) or _unplanned_by_default(query, kind)))


def verdict_on(query: ContinuousQuery, profile: Profile, name: str, options: Mapping[str, str]) -> Verdict:
    """Whether one engine, with its options, can run the query, and how it would."""
    backend = open_backend(name, options)
    reasons = tuple(_reasons(query, _wanted(query, profile), backend.capabilities))
    if reasons:
        return Verdict(name, reasons)
    unplanned = _unplanned(query, backend)
    if unplanned:
        return Verdict(name, tuple(unplanned))
    told = [backend.explain(query.rho)] if isinstance(backend, Explains) else []
    return Verdict(name, (), "\n".join([_TIMES, *told] if query.rho.times is not None else told) or None)


def _unplanned(query: ContinuousQuery, backend: Backend) -> list[str]:
    """Why an engine that plans for itself finds that it cannot, although no construct by itself is beyond it."""
    try:
        if isinstance(backend, Explains):
            backend.explain(query.rho)
    except UnsupportedQuery as error:
        return [str(error)]
    return []


def _unplanned_by_default(query: ContinuousQuery, kind: type[Backend]) -> list[str]:
    """The same of an engine with its defaults; one that has to be told more first is taken at its word."""
    try:
        return _unplanned(query, kind.from_options({}))
    except PrspError:
        return []


def _wanted(query: ContinuousQuery, profile: Profile) -> list[Feature | Ability]:
    wanted: list[Feature | Ability] = sorted(query.features)
    if query.static.default or query.static.named:
        wanted.append(Ability.STATIC_DATA)
    if profile.placement is Placement.AS_WRITTEN and any(stream.named for stream in query.streams):
        wanted.append(Ability.NAMED_WINDOWS)
    return wanted


def _held(dataset: Dataset) -> list[Feature | Ability]:
    return [Ability.HELD_GRAPHS] if dataset.held_default or dataset.held_named else []


def _reasons(query: ContinuousQuery, wanted: list[Feature | Ability], capabilities: Capabilities) -> list[str]:
    reasons = [f"{feature} ({reason})" for feature in wanted if (reason := capabilities.reason(feature)) is not None]
    if Feature.TIMESTAMP in wanted and Feature.TIMESTAMP in capabilities:
        reasons += _against_times(query, capabilities)
    return reasons


def _against_times(query: ContinuousQuery, capabilities: Capabilities) -> list[str]:
    """Why f:timestamp cannot be looked up, told of f:timestamp and not of the lookup's parts, which are nothing the user wrote."""
    if query.untimed is not None:
        return [f"{Feature.TIMESTAMP} ({query.untimed})"]
    needed: list[Feature | Ability] = [Feature.NAMED_GRAPHS, Ability.NAMED_WINDOWS, *sorted(query.rho.features - query.features)]
    lacking = ((need, capabilities.reason(need)) for need in needed)
    return [f"{Feature.TIMESTAMP} (needs {need.replace('-', ' ')}: {reason})" for need, reason in lacking if reason is not None][:1]
