"""The streams of a suite on disk, each made once."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from pathlib import Path

from prsp._version import __version__
from prsp.compare.suites.suite import Experiment
from prsp.workload import write_workload

_LINES = 100_000


def stream_of(experiment: Experiment, folder: Path) -> tuple[Path, str, str]:
    """The stream's file, its IRI, and the text of the experiment's query."""
    key = sha256(json.dumps([__version__, dict(experiment.parameters)], sort_keys=True).encode()).hexdigest()[:12]
    place = folder / f"{experiment.parameters['workload']}-{key}"
    workload = experiment.workload()
    text = next(query.text for query in workload.queries if query.name == experiment.query)
    if not (place / "manifest.json").exists():
        shutil.rmtree(place, ignore_errors=True)
        write_workload(workload, place)
    if experiment.event is None:
        return place / "stream.nts", workload.stream, text
    retimed = place / f"events-{experiment.event}.nts"
    if not retimed.exists():
        _retime(place / "stream.nts", retimed, experiment.event)
    return retimed, workload.stream, text


def _retime(stream: Path, to: Path, event: int) -> None:
    """The same triples a millisecond apart, but for those of one event, which come together."""
    part = to.with_suffix(".part")
    with stream.open("rb") as lines, part.open("wb") as out:
        for number, line in enumerate(lines):
            out.write(b"%s\t%d\n" % (line.rpartition(b"\t")[0], number // event * event))
    part.replace(to)
