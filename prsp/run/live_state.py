"""The state of a live run on the driver: each batch is cut, due windows are evaluated, progress is committed.

The order of a commit: panes of the batch, results of the windows now due, one atomic progress file, then (when ``on_batch`` has
returned) Spark's own checkpoint of the source. A batch that was interrupted is done again, with the same outcome.
"""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from prsp.errors import InputError
from prsp.model.pane import Part
from prsp.model.profile import Operator
from prsp.run.bounded import BOUNDED_INPUT
from prsp.run.evaluator import Evaluator
from prsp.run.options import RunOptions
from prsp.run.output import sink_of
from prsp.run.progress import Progress, load_origin, save_origin
from prsp.run.side import create, late_lines
from prsp.run.streams import check_origin, evaluations_of, open_logs, origin_of, smallest_step, stream_counts
from prsp.run.summary import Summary
from prsp.source.files import describe
from prsp.transform.evaluations import Evaluations
from prsp.transform.follow import NewFiles
from prsp.transform.job import Cutting, cut_files
from prsp.transform.merge import merge_closed
from prsp.transform.storage import Storage
from prsp.transform.streams import CountStream, TimeStream
from prsp.trigger import Due

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class LiveRun:
    """The state of one live query on the driver."""

    def __init__(self, options: RunOptions, checkpoint: str) -> None:
        self.options = options
        self.storage = Storage(checkpoint)
        self.storage.make("")
        self.summary = Summary(options.query.registration.name)
        if self.storage.read(BOUNDED_INPUT) is not None:
            raise InputError(f"{checkpoint} is the checkpoint of a bounded run: use another one")
        held = Progress.load(self.storage)
        self.progress = held or Progress(identity=_identity(options), outputs=_outputs(options), format=options.format)
        if self.progress.identity != _identity(options):
            raise InputError(f"{checkpoint} is the checkpoint of another query, profile or set of streams")
        if self.progress.outputs != _outputs(options):
            raise InputError(
                f"this checkpoint writes to {' and '.join(filter(None, self.progress.outputs))}: say the same outputs to resume it"
            )
        if self.progress.format != options.format:
            raise InputError(f"this checkpoint writes its results as {self.progress.format}: say the same --format to resume it")
        self.evaluator = Evaluator(options, self.summary)
        resumes = held is not None
        self.sink = sink_of(options, resume_at=self.progress.output if resumes else None)
        self.late = (
            None if options.late is None else _opened(options.late, self.progress.late_output if resumes else None, options.overwrite)
        )
        if options.rejected is not None and not resumes:
            create(options.rejected, overwrite=options.overwrite).close()
        # From here on the outputs are this checkpoint's: a crash before the first batch is resumed like any other.
        self.progress.save(self.storage)
        self.logs = open_logs(options, checkpoint, batches=self.progress.batch + 1)
        self.evaluations: Evaluations | None = None
        self.last_heard = {iri: time.monotonic() for iri in self.logs}
        self.lock = threading.Lock()
        self.closing = False
        origin = load_origin(self.storage)
        if origin is not None:
            self._restore(self._begin(origin))

    def _begin(self, origin: int) -> Evaluations:
        self.evaluations = evaluations_of(self.options, self.logs, origin, self.options.lateness or 0)
        self.evaluator.resolve(self.options.profile, origin, self.options.lateness, self.options.origins, self.evaluations.snapshot)
        self.summary.origin = origin
        return self.evaluations

    def _restore(self, evaluations: Evaluations) -> None:
        """Go on where the run before this one committed."""
        progress = self.progress
        self.summary.reported, self.summary.failed, evaluations.skipped = progress.reported, progress.failed, progress.skipped
        if progress.at is not None:
            evaluations.last = Due(progress.at, progress.seq)
        if progress.answered is not None:
            self.evaluator.answered = Due(*progress.answered)
        for number, stream in enumerate(evaluations.streams):
            if not isinstance(stream, TimeStream):
                list(stream.account(list(stream.log.parts())))
            elif progress.tallies:
                tally = stream.tally
                tally.in_windows, tally.in_no_window, tally.late = progress.tallies[number]

    def on_batch(self, spark: SparkSession, batch: int, files: NewFiles) -> None:
        """Deal with one batch of new files."""
        if batch <= self.progress.batch:
            return
        with self.lock:
            if self.closing:
                raise InputError("the run is being stopped; this batch is left for the next one")
            with self.summary.stage("cut"):
                new = self._cut(spark, batch, files)
            if self.evaluations is None:
                origin = origin_of(self.options, self.logs)
                if origin is not None:
                    check_origin(self.options, self._begin(origin))
                    save_origin(self.storage, origin)
            if self.evaluations is not None:
                self._account(new)
                self.evaluate()
            self.commit(batch)
            self._tell()

    def _tell(self) -> None:
        waiting = None if self.evaluations is None or len(self.logs) == 1 else self.evaluations.waiting_for()
        self.options.on_progress(sum(log.accepted for log in self.logs.values()), self.summary.reported, None, waiting)

    def _cut(self, spark: SparkSession, batch: int, files: NewFiles) -> dict[str, list[Part]]:
        step = smallest_step(self.options.query)
        jump = None if step is None else self.options.max_gap * step
        cuttings: dict[str, Cutting] = {}
        for iri, log in self.logs.items():
            if iri in files:
                self.last_heard[iri] = time.monotonic()
                source = self.options.sources[iri]
                described = [describe(source, name) for name, _ in files[iri]]
                cuttings[iri] = Cutting(
                    source, described, log.storage, log.pane, batch, log.files, self.options.split_bytes, log.largest, jump
                )
        reports = cut_files(spark, list(cuttings.values()))
        return {iri: self.logs[iri].commit(batch, done, len(c.files)) for (iri, c), done in zip(cuttings.items(), reports, strict=True)}

    def _account(self, new: dict[str, list[Part]]) -> None:
        assert self.evaluations is not None
        reported = None if self.evaluations.last is None else self.evaluations.last.at
        for stream in self.evaluations.streams:
            for part, positions in stream.account(new.get(stream.stream, []), reported):
                if self.late is not None:
                    self.late.write(late_lines(stream.log, part, positions))

    def evaluate(self) -> None:
        """Answer everything that is due."""
        if self.evaluations is None:
            return
        if self.options.idle is not None:
            silent = time.monotonic() - self.options.idle / 1000
            self.evaluations.idle = {iri for iri, heard in self.last_heard.items() if heard < silent}
        for snapshot in self.evaluations.due():
            line = self.evaluator.answer(snapshot)
            with self.summary.stage("output"):
                self.sink.write(line)
            self.evaluations.let_go()
            self._tell()
            if self.finished:
                break

    def evaluate_idle(self) -> None:
        """Answer what is due because a stream has been silent for too long, and commit it."""
        with self.lock:
            before = self.sink.length
            self.evaluate()
            if self.sink.length > before:
                self.commit(self.progress.batch)

    @property
    def finished(self) -> bool:
        """Whether as many evaluations as asked for have been reported."""
        return self.options.windows is not None and self.summary.reported >= self.options.windows

    def commit(self, batch: int) -> None:
        """Make everything up to here final, then let go of what is no longer needed."""
        self.sink.flush()
        progress = self.progress
        progress.batch, progress.output = batch, self.sink.length
        if self.late is not None:
            self.late.flush()
            progress.late_output = self.late.tell()
        answered = self.evaluator.answered
        progress.answered = None if answered is None else [answered.at, answered.seq]
        progress.reported, progress.failed = self.summary.reported, self.summary.failed
        if self.evaluations is not None:
            progress.skipped = self.evaluations.skipped
            progress.tallies = [[s.tally.in_windows, s.tally.in_no_window, s.tally.late] for s in self.evaluations.streams]
            if self.evaluations.last is not None:
                progress.at, progress.seq = self.evaluations.last.at, self.evaluations.last.seq
        progress.save(self.storage)
        self._tidy()

    def _tidy(self) -> None:
        if self.evaluations is None or self.evaluations.last is None:
            return
        streams, oldest = self.evaluations.streams, self.evaluations.last.at
        if self.options.profile.operator is not Operator.RSTREAM and self.evaluator.answered is not None:
            oldest = min(oldest, self.evaluator.answered.at)  # its answer may have to be evaluated again
        for log in self.logs.values():
            needed = min(s.needed_from(oldest) for s in streams if s.log is log)
            if merge_closed(log, needed):
                for stream in streams:
                    if isinstance(stream, CountStream) and stream.log is log:
                        stream.refresh()
            if not self.options.retain_all and all(isinstance(s, TimeStream) for s in streams if s.log is log):
                log.drop_before(needed - (self.options.retain or 0))

    def account(self) -> Summary:
        """The summary so far."""
        self.summary.skipped = 0 if self.evaluations is None else self.evaluations.skipped
        self.summary.streams = stream_counts(self.options.query.registration.name, self.evaluations, self.logs)
        return self.summary

    def close(self) -> None:
        """Close the outputs and the engine."""
        self.evaluator.close()
        self.sink.close()
        if self.late is not None:
            self.late.close()


def _identity(options: RunOptions) -> str:
    query = options.query
    parts = (
        query.registration,
        query.streams,
        query.sparql,
        options.profile.name,
        options.profile.bounds,
        options.profile.operator,
        options.lateness or 0,
        sorted(options.origins.items()),
        options.profile.t0,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _outputs(options: RunOptions) -> list[str | None]:
    return [None if name is None else str(Path(name).absolute()) for name in (options.output, options.late)]


def _opened(name: str, length: int | None, overwrite: bool) -> BinaryIO:
    if length is None:
        return create(name, overwrite=overwrite)
    path = Path(name)
    if not path.exists() or path.stat().st_size < length:
        raise InputError(f"{name} is gone or shorter than the {length} bytes the checkpoint has written to it")
    file = path.open("r+b")
    file.truncate(length)
    file.seek(length)
    return file
