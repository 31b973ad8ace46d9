"""How to see a window of a comparison again: the commands that save it and ask an engine of it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from prsp.compare.contender import Contender


def replaying(comparison: Sequence[str], engine: Contender) -> str:
    """Save window number {window} of the comparison these words make, and replay it on an engine."""
    options = "".join(f" --option {shlex.quote(f'{key}={value}')}" for key, value in engine.options.items())
    saving = f"{shlex.join(comparison)} --save-window {{window}} window-{{window}}"
    return f"{saving}; prsp bundle run window-{{window}} --backend {engine.backend.name}{options}"


def comparing(query: str, stream: str, engine: Contender) -> list[str]:
    """The words of a comparison of one engine with the oracle."""
    options = [f"--option={engine.label}.{key}={value}" for key, value in engine.options.items()]
    return ["prsp", "compare", query, "--stream", stream, f"--backend={engine.label}={engine.backend.name}", *options]
