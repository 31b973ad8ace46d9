"""What prsp has to know about a command-line engine: its commands, its formats, and what it cannot do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from prsp.backend.decode import Format
from prsp.model.ability import Ability, Capabilities
from prsp.model.feature import Feature
from prsp.model.query import QueryForm

COMMON_GAPS: Mapping[Feature | Ability, str] = {
    Ability.DELTA: "a command is given whole windows",
    Ability.CHANGES: "it answers anew each time",
    Ability.HELD_GRAPHS: "its data is made for the run",
    Feature.CUSTOM_FUNCTIONS: "it knows no function of that name",
    Feature.SERVICE: "a query may reach nothing outside",
}


class Data(StrEnum):
    """How the window is written for the engine."""

    NT = "nt"
    """N-Triples: the default graph alone."""
    NQ = "nq"
    """N-Quads: the default graph and the named ones in one file."""


class Directory(StrEnum):
    """Where the commands are run."""

    PRIVATE = "private"
    """In the session's temporary directory."""
    PROGRAM = "program"
    """In the directory that ``--option program`` names, for engines that keep their databases beside themselves."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How the answer of one query form comes: its format, the engine's own word for it, and the exit codes of success."""

    format: Format
    word: str
    exit: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Description:
    """One engine. A command is a list of arguments with placeholders, never a line for a shell."""

    name: str
    query: tuple[str, ...]
    results: Mapping[QueryForm, Answer]
    load: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()
    """Run after a load, before the next one and at the end, by engines that keep databases in a place of their own."""
    data: Data = Data.NT
    stdin: str | None = None
    """``query`` when the engine reads the query from its standard input."""
    directory: Directory = Directory.PRIVATE
    environment: tuple[str, ...] = ()
    """Variables of the user's environment that it is given beside the fixed ones."""
    errors: tuple[str, ...] = ()
    """Regular expressions: a line of the engine's messages that matches one means failure, whatever the exit code."""
    about: str = ""
    install: str = ""
    verified: bool = True
    gaps: Mapping[Feature | Ability, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        """The commands it has."""
        return tuple(command for command in (self.load, self.query, self.clean) if command)

    @property
    def capabilities(self) -> Capabilities:
        """What it cannot do: what no command can, what follows from the formats, and what the description says."""
        gaps = dict(COMMON_GAPS)
        if self.data is Data.NT:
            reason = "it is given N-Triples, which hold one graph"
            gaps |= {Feature.NAMED_GRAPHS: reason, Ability.NAMED_WINDOWS: reason}
        gaps |= {Feature(form): "its description names no result format for it" for form in QueryForm if form not in self.results}
        return Capabilities({**gaps, **self.gaps}, dict(self.faults))
