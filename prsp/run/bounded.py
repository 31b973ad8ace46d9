"""A run over bounded input: cut everything, then evaluate every window in order."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack

from prsp.errors import InputError
from prsp.run.evaluator import Evaluator
from prsp.run.options import RunOptions
from prsp.run.side import write_late, write_rejected
from prsp.run.streams import check_gaps, evaluations_of, open_logs, origin_of
from prsp.run.summary import StreamCounts, Summary
from prsp.sink import NdjsonSink
from prsp.source import SourceFile, resolve
from prsp.transform import spark_session
from prsp.transform.evaluations import Evaluations
from prsp.transform.job import Cutting, cut_files
from prsp.transform.log import PaneLog
from prsp.transform.session import is_ours


def run_bounded(options: RunOptions) -> Summary:
    """Run to the end of the input; the summary's counts add up."""
    name = options.query.registration.name
    summary = Summary(name)
    files = {iri: resolve(options.sources[iri]) for iri in dict.fromkeys(s.iri for s in options.query.streams)}
    with ExitStack() as stack:
        evaluator = Evaluator(options.query, options.backend, summary)
        stack.callback(evaluator.close)
        sink = stack.enter_context(NdjsonSink(options.output, overwrite=options.overwrite))
        root = options.checkpoint or stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-"))
        logs = open_logs(options, root)
        _check_checkpoint(files, logs)
        _cut(options, files, logs, summary)
        origin = origin_of(options, logs)
        if origin is not None:
            summary.origin = origin
            evaluations = evaluations_of(options, logs, origin, options.lateness)
            _evaluate(options, logs, evaluations, evaluator, sink, summary)
            summary.streams = [
                StreamCounts(
                    name, s.stream, s.log.accepted + s.log.rejected, s.tally.in_windows, s.tally.in_no_window, s.tally.late, s.log.rejected
                )
                for s in evaluations.streams
            ]
        else:
            summary.streams = [StreamCounts(name, iri, log.rejected, 0, 0, 0, log.rejected) for iri, log in logs.items()]
        if options.rejected is not None:
            write_rejected(options.rejected, logs, overwrite=options.overwrite)
    return summary


def _cut(options: RunOptions, files: dict[str, list[SourceFile]], logs: dict[str, PaneLog], summary: Summary) -> None:
    with summary.stage("start"):
        spark = spark_session(options.master)
    try:
        with summary.stage("cut"):
            # A checkpoint may hold the cut already.
            new = [
                (log, Cutting(options.sources[iri], files[iri], log.storage, log.pane, split_bytes=options.split_bytes))
                for iri, log in logs.items()
                if not log.files
            ]

            def progress(fraction: float) -> None:
                options.on_progress(0, 0, fraction)

            for (log, cutting), reports in zip(new, cut_files(spark, [c for _, c in new], progress), strict=True):
                log.commit(0, reports, len(cutting.files))
    finally:
        if is_ours(spark):
            spark.stop()


def _evaluate(
    options: RunOptions, logs: dict[str, PaneLog], evaluations: Evaluations, evaluator: Evaluator, sink: NdjsonSink, summary: Summary
) -> None:
    evaluator.resolve(options.profile, evaluations.origin, options.lateness)
    late = [(s.log, part, positions) for s in evaluations.streams for part, positions in s.account(list(s.log.parts()))]
    if options.late is not None:
        write_late(options.late, late, overwrite=options.overwrite)
    for log in logs.values():
        check_gaps(options, evaluations, log)
    elements = sum(log.accepted for log in logs.values())
    span = max(1, max(log.largest for log in logs.values()) - evaluations.origin)
    for snapshot in evaluations.flush() if options.flush else evaluations.due():
        line = evaluator.answer(snapshot)
        with summary.stage("output"):
            sink.write(line)
        evaluations.let_go()
        options.on_progress(elements, summary.reported, min(1.0, (snapshot.at - evaluations.origin) / span))
        if options.windows is not None and summary.reported >= options.windows:
            break
    summary.skipped = evaluations.skipped


def _check_checkpoint(files: dict[str, list[SourceFile]], logs: dict[str, PaneLog]) -> None:
    for iri, log in logs.items():
        held = {split.file for split in log.splits}
        if log.files and held != {file.path for file in files[iri] if file.size}:
            raise InputError(
                f"the checkpoint holds other files of stream {iri} than {', '.join(f.path for f in files[iri][:3])}: use another one"
            )
