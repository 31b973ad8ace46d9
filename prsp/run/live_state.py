"""The state of a live run on the driver: each batch is cut, due windows are evaluated, progress is committed.

The order of a commit: panes of the batch, results of the windows now due, one atomic progress file, then (when ``on_batch`` has
returned) Spark's own checkpoint of the source. A batch that was interrupted is done again, with the same outcome.
"""

from __future__ import annotations

import hashlib
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from prsp.errors import InputError
from prsp.model.pane import BEFORE_ALL, Part
from prsp.model.profile import Operator
from prsp.run.answers import on_driver, on_executors
from prsp.run.checkpoint import BOUNDED_INPUT
from prsp.run.fail_fast import stopping
from prsp.run.options import RunOptions, Status, Where
from prsp.run.output import Outputs
from prsp.run.progress import Progress, QueryProgress, load_origins, save_origins
from prsp.run.side import create, first_rejected, late_lines, union
from prsp.run.standing import Standing, in_order
from prsp.run.streams import check_origin, open_logs, origin_of, smallest_step
from prsp.run.summary import Summary
from prsp.sink import NobodyTakes
from prsp.source.files import describe
from prsp.transform.evaluations import Evaluations, let_go
from prsp.transform.follow import NewFiles
from prsp.transform.job import Cutting, cut_files, work_of
from prsp.transform.merge import merge_closed
from prsp.transform.storage import Storage
from prsp.transform.streams import CountStream, TimeStream
from prsp.trigger import Due

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class LiveRun:
    """The state of a live run on the driver."""

    def __init__(self, options: RunOptions, checkpoint: str, stop: threading.Event | None = None) -> None:
        self.options = options
        self.stop = stop or threading.Event()
        self.storage = Storage(checkpoint)
        self.storage.make("")
        self.summary = Summary()
        if self.storage.read(BOUNDED_INPUT) is not None:
            raise InputError(f"{checkpoint} is the checkpoint of a bounded run: use another one")
        held = Progress.load(self.storage)
        self.progress = held or Progress(identity=_identity(options), outputs=_outputs(options), format=options.format)
        _demand_same(self.progress, options, checkpoint)
        resumes = held is not None
        with ExitStack() as opened:
            self.standing: list[Standing] = []
            for registered in options.queries:
                self.standing.append(Standing(registered, options, self.summary))
                opened.callback(self.standing[-1].evaluator.close)
            self.outputs = Outputs(options, resume_at=(self.progress.lengths or None) if resumes else None)
            opened.callback(self.outputs.close, failed=True)
            self.late: BinaryIO | None = None
            if options.late is not None:
                self.late = _opened(options.late, self.progress.late_length if resumes else None, options.overwrite)
                opened.callback(self.late.close)
            if options.rejected is not None and not resumes:
                create(options.rejected, overwrite=options.overwrite).close()
            opened.pop_all()
        # From here on the outputs are this checkpoint's: a crash before the first batch is resumed like any other.
        self.progress.lengths = self.outputs.lengths
        self.progress.save(self.storage)
        self.logs = open_logs(options, checkpoint, batches=self.progress.batch + 1)
        self.last_heard = {iri: time.monotonic() for iri in self.logs}
        self.lock = threading.Lock()
        self.closing = False
        self._origins = load_origins(self.storage)
        for number, standing in enumerate(self.standing):
            if standing.registered.name in self._origins:
                self._restore(number, self._begin(standing, self._origins[standing.registered.name]))

    def _begin(self, standing: Standing, origin: int) -> Evaluations:
        return standing.begin(self.logs, origin, lateness=self.options.lateness or 0, shown=self.options.lateness)

    def _restore(self, number: int, evaluations: Evaluations) -> None:
        """Go on where the run before this one committed."""
        if number >= len(self.progress.queries):
            return
        progress, standing = self.progress.queries[number], self.standing[number]
        counts = standing.counts
        counts.reported, counts.failed, counts.skipped, evaluations.skipped = (
            progress.reported,
            progress.failed,
            progress.skipped,
            progress.skipped,
        )
        if progress.at is not None:
            evaluations.last = standing.dealt = Due(progress.at, progress.seq)
        if progress.answered is not None:
            standing.evaluator.answered = Due(*progress.answered)
        for place, stream in enumerate(evaluations.streams):
            if not isinstance(stream, TimeStream):
                list(stream.account(list(stream.log.parts())))
            elif progress.tallies:
                tally = stream.tally
                tally.in_windows, tally.in_no_window, tally.late = progress.tallies[place]

    @property
    def evaluations(self) -> list[Evaluations]:
        """The windows of the queries whose origin is known."""
        return [standing.evaluations for standing in self.standing if standing.evaluations is not None]

    def on_batch(self, spark: SparkSession, batch: int, files: NewFiles) -> None:
        """Deal with one batch of new files."""
        if batch <= self.progress.batch:
            return
        with self.lock:
            if self.closing:
                raise InputError("the run is being stopped; this batch is left for the next one")
            new = self._cut(spark, batch, files)
            self._find_origins()
            self._account(new)
            self.evaluate(spark)
            self.commit(batch)
            self._tell()

    def _find_origins(self) -> None:
        for standing in self.standing:
            if standing.evaluations is None and (origin := origin_of(standing.registered, self.logs)) is not None:
                check_origin(standing.registered, self._begin(standing, origin), self.options.max_gap)
                self._origins[standing.registered.name] = origin
                save_origins(self.storage, self._origins)

    def _tell(self) -> None:
        largest = max((log.largest for log in self.logs.values()), default=BEFORE_ALL)
        dealt = [standing.dealt.at for standing in self.standing if standing.dealt is not None]
        waiting = None if len(self.logs) == 1 else next((e.waiting_for() for e in self.evaluations), None)
        self.options.on_progress(
            Status(
                elements=sum(log.accepted for log in self.logs.values()),
                windows=self.summary.reported,
                watermark=None if largest == BEFORE_ALL else min(log.largest for log in self.logs.values()),
                lag=largest - min(dealt) if dealt else None,
                waiting=waiting,
            )
        )

    def _cut(self, spark: SparkSession, batch: int, files: NewFiles) -> dict[str, list[Part]]:
        cuttings: dict[str, Cutting] = {}
        for iri, log in self.logs.items():
            if iri in files:
                self.last_heard[iri] = time.monotonic()
                source = self.options.sources[iri]
                described = [describe(source, name) for name, _ in files[iri]]
                cuttings[iri] = Cutting(
                    source, described, log.storage, log.pane, batch, log.files, self.options.split_bytes, log.largest, self._jump(iri)
                )
        began = time.perf_counter()
        reports = cut_files(spark, list(cuttings.values()))
        new = {iri: self.logs[iri].commit(batch, done, len(c.files)) for (iri, c), done in zip(cuttings.items(), reports, strict=True)}
        self.summary.share(time.perf_counter() - began, work_of(reports))
        return new

    def _jump(self, iri: str) -> int | None:
        """How far ahead an element may be: more due windows than allowed in one query that reads the stream are a mistake."""
        readers = [s.registered for s in self.standing if iri in {stream.iri for stream in s.registered.query.streams}]
        steps = [step for registered in readers if (step := smallest_step(registered)) is not None]
        return self.options.max_gap * min(steps) if steps else None

    def _account(self, new: dict[str, list[Part]]) -> None:
        for iri, parts in new.items():
            log = self.logs[iri]
            reported = ((e, None if e.last is None else e.last.at) for e in self.evaluations)
            for part, positions in union(evaluations.account(log, parts, at) for evaluations, at in reported):
                if self.late is not None:
                    self.late.write(late_lines(log, part, positions))

    def evaluate(self, spark: SparkSession) -> None:
        """Answer everything that is due. Queries wait for each other's streams, so that the output is in one order."""
        if len(self.evaluations) < len(self.standing):
            return
        if self.options.idle is not None:
            silent = time.monotonic() - self.options.idle / 1000
            for evaluations in self.evaluations:
                evaluations.idle = {iri for iri, heard in self.last_heard.items() if heard < silent}
        upto = min(evaluations.passed() for evaluations in self.evaluations)
        answers = on_driver if self.options.where is Where.DRIVER else on_executors(spark)
        questions = in_order(self.standing, lambda evaluations: evaluations.due(upto))
        for question, evaluation in stopping(answers(questions), fail_fast=self.options.fail_fast):
            try:
                with self.summary.stage("output"):
                    self.outputs.write(evaluation)
            except NobodyTakes:
                return
            question.standing.deal(question, evaluation)
            let_go(self.evaluations)
            self._tell()
            if self.finished or self.stop.is_set():
                return
        for standing in self.standing:
            standing.settle()

    def evaluate_between(self, spark: SparkSession) -> None:
        """Answer what is due without a new batch, and commit it: a stream has been silent for too long, or an earlier run was stopped."""
        with self.lock:
            before = self.outputs.lengths
            self.evaluate(spark)
            if self.outputs.lengths != before:
                self.commit(self.progress.batch)

    @property
    def finished(self) -> bool:
        """Whether as many evaluations as asked for have been reported."""
        return self.options.windows is not None and self.summary.reported >= self.options.windows

    def commit(self, batch: int) -> None:
        """Make everything up to here final, then let go of what is no longer needed."""
        self.outputs.flush()
        progress = self.progress
        progress.batch, progress.lengths = batch, self.outputs.lengths
        if self.late is not None:
            self.late.flush()
            progress.late_length = self.late.tell()
        progress.queries = [_progress_of(standing) for standing in self.standing]
        progress.save(self.storage)
        self._tidy()

    def _tidy(self) -> None:
        if len(self.evaluations) < len(self.standing) or any(standing.dealt is None for standing in self.standing):
            return
        for log in self.logs.values():
            readers = [(s, stream) for s in self.standing if s.evaluations for stream in s.evaluations.streams if stream.log is log]
            needed = min(stream.needed_from(_oldest(standing)) for standing, stream in readers)
            if merge_closed(log, needed):
                for _, stream in readers:
                    if isinstance(stream, CountStream):
                        stream.refresh()
            if not self.options.retain_all and all(isinstance(stream, TimeStream) for _, stream in readers):
                log.drop_before(needed - (self.options.retain or 0))

    def account(self) -> Summary:
        """The summary so far."""
        self.summary.streams = [counts for standing in self.standing for counts in standing.stream_counts(self.logs)]
        self.summary.first_rejected = first_rejected(self.logs)
        return self.summary

    def close(self) -> None:
        """Close the outputs and the engines."""
        for standing in self.standing:
            standing.evaluator.close()
        self.outputs.close()
        if self.late is not None:
            self.late.close()


def _oldest(standing: Standing) -> int:
    """The earliest instant whose window may be wanted again."""
    assert standing.dealt is not None
    oldest, answered = standing.dealt.at, standing.evaluator.answered
    if standing.registered.profile.operator is not Operator.RSTREAM and answered is not None:
        return min(oldest, answered.at)  # its answer may have to be evaluated again
    return oldest


def _progress_of(standing: Standing) -> QueryProgress:
    counts, dealt, answered = standing.counts, standing.dealt, standing.evaluator.answered
    streams = standing.evaluations.streams if standing.evaluations is not None else []
    return QueryProgress(
        at=None if dealt is None else dealt.at,
        seq=0 if dealt is None else dealt.seq,
        reported=counts.reported,
        skipped=counts.skipped,
        failed=counts.failed,
        tallies=[[s.tally.in_windows, s.tally.in_no_window, s.tally.late] for s in streams],
        answered=None if answered is None else [answered.at, answered.seq],
    )


def _demand_same(progress: Progress, options: RunOptions, checkpoint: str) -> None:
    if progress.identity != _identity(options):
        raise InputError(f"{checkpoint} is the checkpoint of other queries, another profile or other streams")
    if progress.outputs != _outputs(options):
        raise InputError(f"this checkpoint writes to {' and '.join(filter(None, progress.outputs))}: say the same outputs to resume it")
    if progress.format != options.format:
        raise InputError(f"this checkpoint writes its results as {progress.format}: say the same --format to resume it")


def _identity(options: RunOptions) -> str:
    parts = [
        (
            registered.query.registration,
            registered.query.streams,
            registered.query.sparql,
            registered.profile,
            options.lateness or 0,
            sorted(registered.origins.items()),
        )
        for registered in options.queries
    ]
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
