"""Engines and runtimes a test needs: without them it skips with the install line, or fails where PRSP_REQUIRE_ENGINES=1."""

import importlib.util
import os
import shutil
from typing import NoReturn

import pytest


def absent(reason: str) -> NoReturn:
    if os.environ.get("PRSP_REQUIRE_ENGINES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def require_package(name: str, install: str) -> None:
    if importlib.util.find_spec(name) is None:
        absent(f"{name} is not installed: {install}")


def require_command(name: str, install: str) -> str:
    """The program's full path."""
    found = shutil.which(name)
    if found is None:
        absent(f"{name} is not installed: {install}")
    return found
