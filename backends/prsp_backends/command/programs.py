"""Finds an engine's programs and says what its processes may see of the environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prsp.errors import EnvironmentProblem, InputError
from prsp_backends.command.description import Description, Directory


def found(description: Description, program: str | None) -> Description:
    """The description with the full path of every program; EnvironmentProblem with the install line when one is missing.

    ``program`` is the program itself, or the directory of an engine that has several.
    """
    place = None if program is None else Path(program).expanduser().absolute()
    if place is not None and place.is_file() and len({command[0] for command in description.commands}) > 1:
        raise InputError(f"{description.name} has several programs; --option program= names their directory, not {program}")
    if description.directory is Directory.PROGRAM and place is None:
        raise InputError(f"{description.name} is run in its own directory; say which with --option program=DIRECTORY")
    return replace(
        description,
        query=_located(description, description.query, place),
        load=_located(description, description.load, place),
        clean=_located(description, description.clean, place),
    )


def _located(description: Description, command: Sequence[str], place: Path | None) -> tuple[str, ...]:
    if not command:
        return ()
    name, *arguments = command
    wanted = place / name if place is not None and place.is_dir() else place
    path = shutil.which(name) if wanted is None else shutil.which(str(wanted))
    if path is None:
        where = f"there is no program {name}" if wanted is None else f"{wanted} is no program that can be run"
        how = description.install or "install it"
        raise EnvironmentProblem(f"{description.name}: {where}: {how}; --option program=PATH says where it is")
    return (str(Path(path).absolute()), *arguments)


def environment(description: Description, private: Path) -> dict[str, str]:
    """What the engine's processes get: where programs are, a home and a place for temporary files of their own, plain UTF-8, UTC."""
    fixed = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(private),
        "TMPDIR": str(private),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }
    return {name: os.environ[name] for name in description.environment if name in os.environ} | fixed
