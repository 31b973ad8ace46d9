"""``prsp doctor``: what this machine has, what is missing, and the line that installs it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption, ExitCode
from prsp.errors import EnvironmentProblem

if TYPE_CHECKING:
    from prsp.backend import Requirement

HELP = "Check Java, Spark, its Python workers and the engines found here; say what is missing and how to install it."
EXAMPLE = "Example: prsp doctor"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked. ``needed`` tells whether prsp works without it; ``install`` is what to do when it is missing."""

    name: str
    found: str | None
    install: str
    needed: bool


def doctor(
    quick: Annotated[bool, typer.Option("--quick", help="Do not start Spark.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Print what was found; exit 3 when something prsp needs is missing."""
    missing = False
    for finding in findings(quick=quick):
        if finding.found is not None:
            mark = "ok     "
        elif finding.needed:
            mark, missing = "MISSING", True
        else:
            mark = "absent "
        typer.echo(f"{mark}  {finding.name:<17} {finding.found if finding.found is not None else finding.install}")
    if missing:
        raise typer.Exit(ExitCode.FAILED)


def findings(*, quick: bool = False) -> Iterator[Finding]:
    """Everything doctor looks at, cheapest first."""
    from prsp.transform import INSTALL_JAVA, find_java

    yield Finding("Python", f"{sys.version.split()[0]} ({sys.executable})", "", needed=True)
    yield from _engines()
    try:
        java = find_java()
        yield Finding("Java", f"{java.version} ({java.home}, from {java.origin})", INSTALL_JAVA, needed=True)
        java_found = True
    except EnvironmentProblem as problem:
        yield Finding("Java", None, str(problem), needed=True)
        java_found = False
    yield Finding("Spark", _package("pyspark"), "pip install pyspark", needed=True)
    if not java_found:
        yield Finding("Python workers", None, "not tried: Spark does not start without Java", needed=True)
    elif not quick:
        yield _python_workers()


def _engines() -> Iterator[Finding]:
    """Each backend and the programs it can drive."""
    from prsp.backend import backend_named, backend_names

    for name in backend_names():
        try:
            backend = backend_named(name)
        except EnvironmentProblem as problem:
            yield Finding(name, None, str(problem), needed=False)
            continue
        absent = [requirement for requirement in backend.requires if not requirement.is_met()]
        there = ", ".join(filter(None, (_package(r.name) for r in backend.requires))) or backend.about
        yield Finding(name, None if absent else there, absent[0].install if absent else "", needed=False)
        for program in _driven(backend):
            yield Finding(f"  {program.name}", shutil.which(program.name), program.install, needed=False)


def _driven(backend: object) -> tuple[Requirement, ...]:
    from prsp.backend import DrivesPrograms

    return backend.drives() if isinstance(backend, DrivesPrograms) else ()


def _python_workers() -> Finding:
    from prsp.transform import check_workers

    if sys.stderr.isatty():
        typer.echo("starting Spark …", err=True)
    try:
        return Finding("Python workers", check_workers(), "", needed=True)
    except EnvironmentProblem as problem:
        return Finding("Python workers", None, str(problem), needed=True)


def _package(name: str) -> str | None:
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return None
