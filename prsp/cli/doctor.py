"""``prsp doctor``: what this machine has, what is missing, and the line that installs it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Annotated

import typer

from prsp.cli.common import DebugOption, ExitCode
from prsp.errors import EnvironmentProblem

HELP = "Check Java, Spark, its Python workers and the engines found here; say what is missing and how to install it."
EXAMPLE = "Example: prsp doctor"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked. ``needed`` tells whether prsp works without it; ``install`` is what to do when it is missing."""

    name: str
    found: str | None
    install: str
    needed: bool


_PYTHON_ENGINES = {"oxigraph": ("pyoxigraph", "pip install pyoxigraph"), "rdflib": ("rdflib", "pip install rdflib")}
_COMMANDS = {
    "oxigraph server": ("oxigraph", "pip install oxigraph"),
    "roqet": ("roqet", "apt-get install rasqal-utils"),
    "arq": ("arq", "Apache Jena's command line, then put its bin directory on PATH"),
    "RDF-3X": ("rdf3xquery", "build it from source, then put it on PATH"),
    "gStore": ("gquery", "build it from source, then put it on PATH"),
}


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
    for name, (package, install) in _PYTHON_ENGINES.items():
        yield Finding(name, _package(package), install, needed=True)
    for name, (command, install) in _COMMANDS.items():
        yield Finding(name, shutil.which(command), install, needed=False)
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
