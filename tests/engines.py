"""Engines and runtimes a test needs: without them it skips with the install line, or fails where PRSP_REQUIRE_ENGINES=1."""

import importlib.util
import os

import pytest


def require_package(name: str, install: str) -> None:
    if importlib.util.find_spec(name) is None:
        reason = f"{name} is not installed: {install}"
        if os.environ.get("PRSP_REQUIRE_ENGINES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
