"""Apache Jena from Maven Central, fetched once into a cache: the Fuseki server and the ``arq`` command line are in one jar."""

import fcntl
import os
import shlex
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prsp.errors import EnvironmentProblem
from prsp.transform import find_java
from tests.engines import absent, require_command

VERSION = "5.6.0"  # the newest for Java 17; 6.x wants 21
_ARTIFACT = f"org.apache.jena:jena-fuseki-server:{VERSION}"
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"


def cache() -> Path:
    """The folder downloads are kept in: PRSP_TEST_CACHE, or ``prsp-tests`` in the user's cache folder."""
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = Path(os.environ.get("PRSP_TEST_CACHE", home / "prsp-tests"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def java() -> str:
    """A Java 17 or newer that starts, also where none is on PATH."""
    try:
        return str(find_java().home / "bin" / "java")
    except EnvironmentProblem as problem:
        absent(str(problem))


def jena_jar() -> Path:
    """The jar of Jena, fetched with Maven when it is not in the cache yet."""
    jar = cache() / f"jena-fuseki-server-{VERSION}.jar"
    with _locked(cache() / "lock"):
        if not jar.exists():
            _fetch(jar)
    return jar


def arq_command() -> list[str]:
    """The words that start ``arq``: append its arguments."""
    logging = Path(__file__).with_name("log4j2.properties")
    return [java(), f"-Dlog4j2.configurationFile={logging}", "-cp", str(jena_jar()), "arq.arq"]


def arq_script() -> Path:
    """An executable named ``arq`` in the cache, for what wants a program: its folder can be put on PATH."""
    script = cache() / "bin" / "arq"
    text = f'#!/bin/sh\nexec {shlex.join(arq_command())} "$@"\n'
    with _locked(cache() / "lock"):
        if not script.exists() or script.read_text(encoding="utf-8") != text:
            script.parent.mkdir(exist_ok=True)
            script.write_text(text, encoding="utf-8")
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def _fetch(jar: Path) -> None:
    maven = require_command("mvn", "apt-get install -y maven")
    new = jar.parent / "new"
    environment = os.environ | {"JAVA_HOME": str(Path(java()).parent.parent)}
    done = subprocess.run(
        [maven, "-q", "-B", _COPY, f"-Dartifact={_ARTIFACT}", f"-DoutputDirectory={new}"],
        cwd=jar.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode != 0:
        absent(f"Jena could not be fetched; try: mvn {_COPY} -Dartifact={_ARTIFACT}\n{(done.stdout + done.stderr)[-1000:]}")
    (new / jar.name).rename(jar)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
