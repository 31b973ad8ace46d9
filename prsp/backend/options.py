"""Options of a backend and what it needs to run, as data that the command line and the documentation read."""

from __future__ import annotations

import difflib
import importlib.util
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from prsp.errors import EnvironmentProblem, InputError


@dataclass(frozen=True, slots=True)
class Option:
    """One ``--option name=value``; ``choices`` are the only values it takes, where there are any."""

    name: str
    help: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    required: bool = False


class Kind(StrEnum):
    """What a requirement is looked for as."""

    PACKAGE = "package"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A Python package (by import name) or a program that an engine needs, and the line that installs it."""

    name: str
    install: str
    kind: Kind = Kind.PACKAGE

    def is_met(self) -> bool:
        """Whether it is there."""
        if self.kind is Kind.COMMAND:
            return shutil.which(self.name) is not None
        try:
            return importlib.util.find_spec(self.name) is not None
        except ModuleNotFoundError:  # of a.b where there is no a
            return False


def chosen(backend: str, known: tuple[Option, ...], given: Mapping[str, str]) -> dict[str, str]:
    """The value of every option that is given or has a default; InputError for unknown, missing or impossible ones."""
    names = [option.name for option in known]
    for key in given:
        if key not in names:
            close = difflib.get_close_matches(key, names, 1)
            there = f"it has {', '.join(names)}" if names else "it has none"
            raise InputError(f"the {backend} backend has no option '{key}'" + (f"; did you mean '{close[0]}'?" if close else f"; {there}"))
    values: dict[str, str] = {}
    for option in known:
        value = given.get(option.name, option.default)
        if value is None:
            if option.required:
                raise InputError(f"the {backend} backend needs --option {option.name}=…: {option.help}")
            continue
        if option.choices and value not in option.choices:
            raise InputError(f"--option {option.name}={value}: it is {' or '.join(option.choices)}")
        values[option.name] = value
    return values


def demand(backend: str, requirements: tuple[Requirement, ...]) -> None:
    """EnvironmentProblem with the install line when something is missing."""
    for requirement in requirements:
        if not requirement.is_met():
            raise EnvironmentProblem(f"the {backend} backend needs the {requirement.kind} {requirement.name}: {requirement.install}")
