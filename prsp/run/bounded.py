"""A run over bounded input: cut everything, then evaluate every window in order."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from prsp.errors import InputError
from prsp.model.pane import AFTER_ALL, Part
from prsp.run.evaluator import Evaluator
from prsp.run.options import RunOptions
from prsp.run.output import closing_sink, sink_of
from prsp.run.side import refuse_existing, write_late, write_rejected
from prsp.run.streams import check_gaps, check_origin, evaluations_of, open_logs, origin_of, stream_counts
from prsp.run.summary import Summary
from prsp.sink import Sink
from prsp.source import SourceFile, resolve
from prsp.transform import spark_session
from prsp.transform.evaluations import Evaluations
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.session import is_ours
from prsp.transform.storage import Storage

BOUNDED_INPUT = "input.json"
_PARTS_AT_ONCE = 64


def run_bounded(options: RunOptions) -> Summary:
    """Run to the end of the input; the summary's counts add up."""
    name = options.query.registration.name
    summary = Summary(name)
    files = {iri: resolve(options.sources[iri]) for iri in dict.fromkeys(s.iri for s in options.query.streams)}
    with ExitStack() as stack:
        evaluator = Evaluator(options, summary)
        stack.callback(evaluator.close)
        held = None if options.checkpoint is None else _held_by(options.checkpoint, files)
        if held is not None and held["outputs"] == _outputs(options):
            options = replace(options, overwrite=True)  # they are what this checkpoint wrote before
        refuse_existing(options.late, options.rejected, overwrite=options.overwrite)
        sink = stack.enter_context(closing_sink(sink_of(options)))
        if options.checkpoint is not None:
            _record(options.checkpoint, files, options)
        root = options.checkpoint or stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-"))
        logs = open_logs(options, root)
        _cut(options, files, logs, summary)
        origin = origin_of(options, logs)
        evaluations = None
        if origin is not None:
            summary.origin = origin
            evaluations = evaluations_of(options, logs, origin, options.lateness)
            _evaluate(options, logs, evaluations, evaluator, sink, summary)
        summary.streams = stream_counts(name, evaluations, logs)
        if options.rejected is not None:
            write_rejected(options.rejected, logs, overwrite=options.overwrite)
    return summary


def _cut(options: RunOptions, files: dict[str, list[SourceFile]], logs: dict[str, PaneLog], summary: Summary) -> None:
    new = [
        (log, Cutting(options.sources[iri], files[iri], log.storage, log.pane, split_bytes=options.split_bytes))
        for iri, log in logs.items()
        if not log.files
    ]
    if not new:
        return  # the checkpoint holds the cut already
    with summary.stage("start"):
        spark = spark_session(options.master)
    try:
        with summary.stage("cut"):

            def progress(fraction: float) -> None:
                options.on_progress(0, 0, fraction, None)

            for (log, cutting), reports in zip(new, cut_files(spark, [c for _, c in new], progress), strict=True):
                log.commit(0, reports, len(cutting.files))
    finally:
        if is_ours(spark):
            spark.stop()


def _evaluate(
    options: RunOptions, logs: dict[str, PaneLog], evaluations: Evaluations, evaluator: Evaluator, sink: Sink, summary: Summary
) -> None:
    evaluator.resolve(options.profile, evaluations.origin, options.lateness, options.origins, evaluations.snapshot)
    check_origin(options, evaluations)
    check_gaps(options, evaluations, logs)
    with write_late(options.late, overwrite=options.overwrite) as late:
        for stream in evaluations.streams:
            for parts in batched(stream.log.parts(), _PARTS_AT_ONCE):
                for part, positions in stream.account(parts):
                    late(stream.log, part, positions)
                stream.log.forget_before(AFTER_ALL)
    elements = sum(log.accepted for log in logs.values())
    span = max(1, max(log.largest for log in logs.values()) - evaluations.origin)
    for snapshot in evaluations.flush() if options.flush else evaluations.due():
        line = evaluator.answer(snapshot)
        with summary.stage("output"):
            sink.write(line)
        evaluations.let_go()
        options.on_progress(elements, summary.reported, min(1.0, (snapshot.at - evaluations.origin) / span), None)
        if options.windows is not None and summary.reported >= options.windows:
            break
    summary.skipped = evaluations.skipped


def batched(parts: Iterable[Part], size: int) -> Iterator[list[Part]]:
    """Parts a few at a time, so that what is read of them can be let go."""
    items = iter(parts)
    while chunk := list(islice(items, size)):
        yield chunk


def _held_by(checkpoint: str, files: dict[str, list[SourceFile]]) -> dict[str, Any] | None:
    """What a checkpoint says it was made from and wrote to; one of other input than these files is refused."""
    storage = Storage(checkpoint)
    if storage.read("progress.json") is not None:
        raise InputError(f"{checkpoint} is the checkpoint of a live run: add --follow, or use another one")
    content = storage.read(BOUNDED_INPUT)
    if content is None:
        return None
    held: dict[str, Any] = json.loads(content)
    if held["input"] != _input(files):
        raise InputError(f"{checkpoint} holds panes of other files, or of these files before they changed: use another checkpoint")
    return held


def _record(checkpoint: str, files: dict[str, list[SourceFile]], options: RunOptions) -> None:
    storage = Storage(checkpoint)
    storage.make("")
    storage.write(BOUNDED_INPUT, json.dumps({"input": _input(files), "outputs": _outputs(options)}).encode())


def _input(files: dict[str, list[SourceFile]]) -> dict[str, list[list[str | int]]]:
    return {iri: [[file.path, file.size, Path(file.path).stat().st_mtime_ns] for file in described] for iri, described in files.items()}


def _outputs(options: RunOptions) -> list[str | None]:
    return [None if name is None else str(Path(name).absolute()) for name in (options.output, options.late, options.rejected)] + [
        options.format
    ]
