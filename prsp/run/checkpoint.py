"""The checkpoint of a bounded run: the panes it has cut already, of which files, and the outputs it wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prsp.errors import InputError
from prsp.run.options import RunOptions
from prsp.source import SourceFile
from prsp.transform.storage import Storage

BOUNDED_INPUT = "input.json"

Files = Mapping[str, list[SourceFile]]


def outputs_are_its_own(options: RunOptions, files: Files) -> bool:
    """Whether the checkpoint wrote these very outputs before, so that they may be written again.

    A checkpoint of a live run, or of other input than these files, is refused.
    """
    if options.checkpoint is None:
        return False
    storage = Storage(options.checkpoint)
    if storage.read("progress.json") is not None:
        raise InputError(f"{options.checkpoint} is the checkpoint of a live run: add --follow, or use another one")
    content = storage.read(BOUNDED_INPUT)
    if content is None:
        return False
    held: dict[str, Any] = json.loads(content)
    if held["input"] != _input(files):
        raise InputError(f"{options.checkpoint} holds panes of other files, or of these files before they changed: use another checkpoint")
    return bool(held["outputs"] == _outputs(options))


def record(options: RunOptions, files: Files) -> None:
    """Write down what the checkpoint is made from and writes to."""
    if options.checkpoint is not None:
        storage = Storage(options.checkpoint)
        storage.make("")
        storage.write(BOUNDED_INPUT, json.dumps({"input": _input(files), "outputs": _outputs(options)}).encode())


def _input(files: Files) -> dict[str, list[list[str | int]]]:
    return {iri: [[file.path, file.size, Path(file.path).stat().st_mtime_ns] for file in described] for iri, described in files.items()}


def _outputs(options: RunOptions) -> list[str | None]:
    names = (options.output, options.late, options.rejected)
    return [*(None if name is None else str(Path(name).absolute()) for name in names), options.format]
