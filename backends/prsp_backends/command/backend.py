"""The ``command`` backend: its options, and the description they choose or make."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from prsp.backend import Kind, Option, Requirement, Session, chosen
from prsp.backend.decode import Format
from prsp.errors import InputError
from prsp.model.ability import Capabilities
from prsp.model.query import QueryForm, Rho
from prsp.model.static import StaticData
from prsp_backends.command.description import COMMON_GAPS, Answer, Data, Description
from prsp_backends.command.placeholders import PLACEHOLDERS, unknown
from prsp_backends.command.programs import found
from prsp_backends.command.reading import read_description, shipped
from prsp_backends.command.session import CommandSession

_SHIPPED = ", ".join(name if read_description(path).verified else f"{name} (unverified)" for name, path in shipped().items())
_ANY = Capabilities(COMMON_GAPS)
_DIRECT = ("load", "query", "results", "data")


@dataclass(frozen=True)
class CommandBackend:
    """An engine that is a program, run anew for every window."""

    name: ClassVar[str] = "command"
    about: ClassVar[str] = "any command-line engine: Jena arq, roqet, RDF-3X, gStore, or one described in a TOML file"
    options: ClassVar[tuple[Option, ...]] = (
        Option("engine", f"a description that comes with prsp: {_SHIPPED}"),
        Option("description", "a TOML file that describes the engine"),
        Option("query", "the query command, where a description is not needed: PROGRAM ARGUMENTS with {data}, {query} …"),
        Option("load", "the command that loads the window, for engines that have one"),
        Option("results", f"formats of the answer, separated by commas: {', '.join(Format)}", "json"),
        Option("data", "how the window is written", "nt", tuple(Data)),
        Option("program", "where the engine's program is, or the directory of its programs"),
        Option("args", "further arguments of the query command"),
        Option("limit", "the largest answer that is taken, in MiB", "1024"),
    )
    requires: ClassVar[tuple[Requirement, ...]] = ()

    description: Description
    program: str | None = None
    args: tuple[str, ...] = ()
    limit: int = 1 << 30
    capabilities: Capabilities = _ANY

    @classmethod
    def from_options(cls, options: Mapping[str, str], /) -> Self:
        """Made from one of ``engine``, ``description`` and ``query``."""
        values = chosen(cls.name, cls.options, options)
        ways = [name for name in ("engine", "description", "query") if name in values]
        if len(ways) != 1:
            given = " and ".join(ways) or "none"
            raise InputError(f"the command backend needs one of --option engine=, description= or query=; given: {given}")
        if ways != ["query"] and (direct := [name for name in _DIRECT if name in options]):
            raise InputError(f"--option {direct[0]}= goes with query=; with {ways[0]}= the description says it")
        description = {"engine": _shipped, "description": _own, "query": _direct}[ways[0]](values)
        limit = values["limit"]
        if not limit.isascii() or not limit.isdigit() or not int(limit):
            raise InputError(f"--option limit={limit}: it is a number of MiB")
        args = _split("args", values.get("args", ""))
        return cls(description, values.get("program"), args, int(limit) << 20, description.capabilities)

    @classmethod
    def drives(cls) -> tuple[Requirement, ...]:
        """The engines that come described, by their query programs."""
        described = map(read_description, shipped().values())
        return tuple(Requirement(Path(d.query[0]).name, d.install, Kind.COMMAND) for d in described)

    def prepare(self, rho: Rho, static: StaticData, /) -> Session:
        """A session with a directory of its own; EnvironmentProblem when the program is not there."""
        place = None if self.program is None else Path(self.program).expanduser().absolute()
        return CommandSession(found(self.description, self.program), rho, static, program=place, args=self.args, limit=self.limit)

    def explain(self, rho: Rho, /) -> str:  # noqa: ARG002  # the same for every query
        """Which program is run, and whether anybody has tried it with prsp."""
        described = self.description
        told = f"{described.name} is run anew for every window" + (f": {described.about}" if described.about else "")
        return told if described.verified else f"{told}\nunverified: nobody has run this description against the engine"


def _shipped(values: Mapping[str, str]) -> Description:
    there = shipped()
    if values["engine"] not in there:
        raise InputError(
            f"there is no description of '{values['engine']}'; there are {', '.join(there)}; your own: --option description=FILE"
        )
    return read_description(there[values["engine"]])


def _own(values: Mapping[str, str]) -> Description:
    return read_description(Path(values["description"]).expanduser())


def _direct(values: Mapping[str, str]) -> Description:
    query, load = _command("query", values["query"]), _command("load", values.get("load", ""))
    if not query:
        raise InputError("--option query= is empty")
    formats: list[Format] = []
    for word in values["results"].split(","):
        if word.strip() not in [*Format]:
            raise InputError(f"--option results={values['results']}: '{word}' is none of {', '.join(Format)}")
        formats.append(Format(word.strip()))
    fitting = {form: next((written for written in formats if written.carries(form)), None) for form in QueryForm}
    results = {form: Answer(written, written.value) for form, written in fitting.items() if written is not None}
    return Description(Path(query[0]).name, query, results, load, data=Data(values["data"]))


def _command(name: str, line: str) -> tuple[str, ...]:
    command = _split(name, line)
    word = unknown(command)
    if word is not None:
        known = ", ".join(f"{{{p}}}" for p in PLACEHOLDERS)
        raise InputError(f"--option {name}=: there is no placeholder {{{word}}}; known are {known}")
    return command


def _split(name: str, line: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(line))
    except ValueError as error:
        raise InputError(f"--option {name}={line}: {error}") from error
