"""Engines as data and as tables: what is found here, what each can do, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from prsp.backend import Option, Requirement, backend_named, backend_names
from prsp.errors import EnvironmentProblem
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature

_SHOWN = (Ability.DELTA, Ability.CHANGES, Ability.DEADLINE, Ability.HELD_GRAPHS)


@dataclass(frozen=True, slots=True)
class Engine:
    """One backend found here; ``problem`` says why it cannot be used, with the line that installs what is missing."""

    name: str
    about: str
    problem: str | None
    options: tuple[Option, ...] = ()
    requires: tuple[Requirement, ...] = ()
    capabilities: Capabilities = field(default_factory=Capabilities)


def engines() -> Iterator[Engine]:
    """Every backend installed here, by name."""
    return map(engine_named, backend_names())


def engine_named(name: str, options: Mapping[str, str] | None = None) -> Engine:
    """One backend, as it is with these options; a backend that cannot be imported is told, too."""
    try:
        kind = backend_named(name)
    except EnvironmentProblem as problem:
        return Engine(name, "", str(problem))
    missing = "; ".join(f"needs {r.name}: {r.install}" for r in kind.requires if not r.is_met()) or None
    able = kind.from_options(options).capabilities if options else kind.capabilities
    # A backend whose capabilities all depend on its options has none to show on the class.
    return Engine(name, kind.about, missing, kind.options, kind.requires, able if isinstance(able, Capabilities) else Capabilities())


def document(engine: Engine) -> dict[str, Any]:
    """A backend as JSON."""
    return {
        "name": engine.name,
        "about": engine.about,
        "ready": engine.problem is None,
        "problem": engine.problem,
        "requires": [{"name": r.name, "kind": r.kind, "met": r.is_met(), "install": r.install} for r in engine.requires],
        "options": [
            {"name": o.name, "help": o.help, "default": o.default, "choices": list(o.choices), "required": o.required}
            for o in engine.options
        ],
        "gaps": _reasons(engine.capabilities.gaps),
        "faults": dict(engine.capabilities.faults),
    }


def table(found: Iterable[Engine]) -> list[str]:
    """Lines: a backend each, and what it needs where it cannot be used."""
    lines = [f"{'engine':<10} {'':<7} about"]
    for engine in found:
        lines.append(f"{engine.name:<10} {'missing' if engine.problem else 'ready':<7} {engine.about}")
        gaps = constructs(engine.capabilities)
        if gaps:
            lines.append(f"{'':<18} not: {', '.join(gaps)}")
        able = [ability for ability in _SHOWN if ability in engine.capabilities]
        if able and engine.about:
            lines.append(f"{'':<18} also: {', '.join(able)}")
        if engine.problem:
            lines.append(f"{'':<18} {engine.problem}")
    return lines


def details(engine: Engine) -> list[str]:
    """Lines: everything about one backend."""
    lines = [f"{engine.name}: {engine.about}"]
    sections: list[tuple[str, list[str]]] = [
        ("cannot be used here", [engine.problem] if engine.problem else []),
        ("needs", [f"{r.name} ({r.kind}): {'there' if r.is_met() else f'missing, {r.install}'}" for r in engine.requires]),
        ("options", [_option(option) for option in engine.options]),
        ("does not do", [f"{what}: {reason}" for what, reason in _reasons(engine.capabilities.gaps).items()]),
        ("gets wrong", [f"{case}: {what}" for case, what in sorted(engine.capabilities.faults.items())]),
    ]
    for title, entries in sections:
        if entries:
            lines += ["", f"{title}:", *(f"  {entry}" for entry in entries)]
    return lines


def markdown(found: Iterable[Engine]) -> str:
    """The table of the documentation: a row per construct or ability that some engine lacks, a column per engine."""
    able = {engine.name: engine.capabilities for engine in found}
    wanted: list[Feature | Ability] = [need for need in (*Feature, *Ability) if any(need not in each for each in able.values())]
    reasons: list[str] = []
    lines = ["| | " + " | ".join(able) + " |", "|---|" + "---|" * len(able)]
    for need in wanted:
        cells = [_cell(each.reason(need), reasons) for each in able.values()]
        lines.append(f"| {need} | " + " | ".join(cells) + " |")
    lines.append("| known faults | " + " | ".join(str(len(each.faults)) for each in able.values()) + " |")
    return "\n".join([*lines, "", *(f"{number}. {reason}" for number, reason in enumerate(reasons, 1))])


def _cell(reason: str | None, reasons: list[str]) -> str:
    if reason is None:
        return "yes"
    if reason not in reasons:
        reasons.append(reason)
    return f"no ({reasons.index(reason) + 1})"


def constructs(capabilities: Capabilities) -> list[str]:
    """The constructs of SPARQL that an engine does not do, but for those that none may."""
    return sorted(gap for gap in capabilities.gaps if isinstance(gap, Feature) and gap is not Feature.SERVICE)


def _reasons(gaps: Mapping[Feature | Ability, str]) -> dict[str, str]:
    return {str(what): reason for what, reason in sorted(gaps.items())}


def _option(option: Option) -> str:
    values = f" ({' or '.join(option.choices)})" if option.choices else ""
    default = f"; default {option.default}" if option.default is not None else "; required" if option.required else ""
    return f"{option.name}{values}: {option.help}{default}"
