"""A workload on disk: the stream, the queries, and a manifest that says what they are and how to run them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from prsp.errors import InputError
from prsp.workload.disorder import delayed
from prsp.workload.recipe import Workload

_FORMAT = "prsp-workload-1"
_PART = ".part"


def write_workload(
    workload: Workload,
    folder: Path,
    *,
    overwrite: bool = False,
    on_progress: Callable[[int, float], None] = lambda _elements, _fraction: None,
) -> dict[str, Any]:
    """The manifest of what was written; a folder that holds anything is refused, with ``overwrite`` one that no workload was written to.

    ``on_progress`` is told elements and the part done. Files appear under their names when all are complete.
    """
    earlier = _earlier(folder, overwrite)
    part = folder / _PART
    shutil.rmtree(part, ignore_errors=True)
    (part / "queries").mkdir(parents=True)
    try:
        manifest = _manifest(workload, _stream(workload, part / "stream.nts", on_progress))
        for query in workload.queries:
            (part / "queries" / f"{query.name}.rq").write_text(query.text, encoding="utf-8", newline="\n")
        (part / "README.md").write_text(_readme(manifest), encoding="utf-8", newline="\n")
        (part / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8", newline="\n")
        for stale in earlier:
            stale.unlink(missing_ok=True)
        (folder / "queries").mkdir(exist_ok=True)
        for name in ("stream.nts", *(q["file"] for q in manifest["queries"]), "README.md", "manifest.json"):
            (part / name).replace(folder / name)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return manifest


def _earlier(folder: Path, overwrite: bool) -> list[Path]:
    """The files of the workload that is there and may go."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is not a folder; --output names one")
    if not folder.exists() or not any(entry.name != _PART for entry in folder.iterdir()):
        return []
    if not overwrite:
        raise InputError(f"{folder} exists and is not empty; --overwrite replaces the workload in it")
    try:
        manifest = json.loads((folder / "manifest.json").read_bytes())
        if manifest["format"] != _FORMAT:
            raise ValueError
        names = [Path(query["file"]).name for query in manifest["queries"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{folder} holds files that no prsp workload wrote; give another folder") from None
    return [folder / "stream.nts", folder / "README.md", folder / "manifest.json", *(folder / "queries" / name for name in names)]


def _stream(workload: Workload, path: Path, on_progress: Callable[[int, float], None]) -> dict[str, Any]:
    digest, events, size, done = sha256(), 0, 0, 0
    first: int | None = None
    last = workload.start
    batches = workload.batches()
    with path.open("wb") as out:
        for batch in delayed(batches, workload.disorder, workload.seed) if workload.disorder else batches:
            data = "".join([text for _, text in batch]).encode("ascii")
            out.write(data)
            digest.update(data)
            events, size, done = events + len(batch), size + len(data), done + 1
            if batch:
                times = [at for at, _ in batch]
                first, last = min(times) if first is None else min(first, *times), max(last, *times)
            on_progress(events * workload.lines_per_event, min(1.0, done / workload.batch_count))
    elements = events * workload.lines_per_event
    return {"elements": elements, "events": events, "bytes": size, "first": first, "last": last, "sha256": digest.hexdigest()}


def _manifest(workload: Workload, written: dict[str, Any]) -> dict[str, Any]:
    options = f"--stream stream.nts --t0 {workload.start}" + (f" --lateness {workload.disorder}ms" if workload.disorder else "")
    return {
        "format": _FORMAT,
        "workload": workload.name,
        "parameters": {**workload.parameters, "seed": workload.seed, "start": workload.start, "disorder": workload.disorder},
        "stream": {"file": "stream.nts", "iri": workload.stream, **written},
        "queries": [
            {
                "file": f"queries/{query.name}.rq",
                "about": query.about,
                "sha256": sha256(query.text.encode()).hexdigest(),
                "command": f"prsp run queries/{query.name}.rq {options}",
            }
            for query in workload.queries
        ],
    }


def _readme(manifest: dict[str, Any]) -> str:
    stream = manifest["stream"]
    values = "\n".join(f"- {name}: {value}" for name, value in manifest["parameters"].items())
    asked = "\n".join(f"- `{query['file']}`: {query['about']}" for query in manifest["queries"])
    commands = "\n".join(query["command"] for query in manifest["queries"])
    return (
        f"# Workload {manifest['workload']}\n\n{stream['elements']:,} elements in `stream.nts` ({stream['bytes']:,} bytes), "
        f"times {stream['first']} to {stream['last']} ms.\n`manifest.json` has hashes and all figures.\n\n"
        f"## Parameters\n\n{values}\n\n## Queries\n\n{asked}\n\n## To run them, in this folder\n\n```sh\n{commands}\n```\n"
    )
