"""Runs the installed command as a user would."""

import subprocess
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("prsp")


def prsp(*arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, input=stdin, timeout=300, check=False)
