"""A run over bounded input: everything is cut, then every window is answered in order, one evaluation at a time as they are asked for."""

from __future__ import annotations

import heapq
import pickle
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from prsp.model.evaluation import Evaluation
from prsp.model.pane import AFTER_ALL, Part
from prsp.run.answers import on_driver, on_executors
from prsp.run.chain import levels, registered_streams
from prsp.run.cutting import cut_into
from prsp.run.fail_fast import stopping
from prsp.run.options import RunOptions, Status, Where
from prsp.run.side import LateSink, first_rejected, refuse_existing, union, write_late, write_rejected
from prsp.run.standing import Standing, in_order
from prsp.run.streams import check_gaps, check_origin, new_log, open_logs, origin_of
from prsp.run.summary import Summary
from prsp.sink.nts import NtsEncoder
from prsp.source import StreamFormat, StreamSource, resolve
from prsp.transform.evaluations import Evaluations, let_go
from prsp.transform.log import PaneLog
from prsp.transform.session import leased_session
from prsp.transform.storage import Storage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PARTS_AT_ONCE = 64


class BoundedRun:
    """The evaluations of a run, in order; nothing is asked before it is iterated. Its summary is whole when it is closed."""

    def __init__(self, options: RunOptions) -> None:
        self.options = options
        self.summary = Summary()
        self._stack = ExitStack()
        self._steps = levels([registered.query for registered in options.queries])
        self._files = {iri: resolve(source) for iri, source in options.sources.items()}
        refuse_existing(options.late, options.rejected, overwrite=options.overwrite)
        self._standing: list[Standing] = []
        try:
            for registered in options.queries:
                self._standing.append(Standing(registered, options, self.summary))
                self._stack.callback(self._standing[-1].evaluator.close)
        except BaseException:
            self._stack.close()
            raise
        self._logs: dict[str, PaneLog] = {}
        self._spark: SparkSession | None = None
        self._evaluations = self._run()

    def __iter__(self) -> Iterator[Evaluation]:
        return self._evaluations

    def close(self) -> None:
        """End the engines and Spark, if it was started for this run, and complete the account."""
        self._evaluations.close()
        self._stack.close()
        # A run that failed before has no account to give.
        self.summary.streams = [counts for one in self._standing if one.accounted for counts in one.stream_counts(self._logs)]

    def _run(self) -> Generator[Evaluation]:
        options, stack = self.options, self._stack
        root = options.checkpoint or stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-"))
        self._logs |= open_logs(options, root)
        self._cut({iri: (options.sources[iri], log) for iri, log in self._logs.items() if not log.files})
        self.summary.first_rejected = first_rejected(self._logs)
        late = stack.enter_context(write_late(options.late, overwrite=options.overwrite))
        if len(self._steps) == 1:
            yield from self._answered(self._standing, late)
        else:
            yield from self._in_steps(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-chain-"))), late)
        if options.rejected is not None:
            write_rejected(options.rejected, self._logs, overwrite=options.overwrite)

    def _in_steps(self, folder: Path, late: LateSink) -> Iterator[Evaluation]:
        """Queries that others read are answered first; what they answered waits in files until its turn in the output comes."""
        made = registered_streams([registered.query for registered in self.options.queries])
        read = {s.iri for registered in self.options.queries for s in registered.query.streams}
        waiting: list[Path] = []
        for step in self._steps:
            sources = {iri: _stream_of(iri, folder / f"{number}.nts") for iri, number in made.items() if iri in read}
            ready = {iri: source for iri, source in sources.items() if Path(source.location).exists() and iri not in self._logs}
            for iri in ready:
                self._logs[iri] = new_log(self.options, iri, Storage(str(folder / f"log-{made[iri]}")))
            self._cut({iri: (source, self._logs[iri]) for iri, source in ready.items()})
            with ExitStack() as files:
                waiting.append(folder / f"step-{len(waiting)}")
                spool = files.enter_context(waiting[-1].open("wb"))
                streams = {self.options.queries[n].name: files.enter_context((folder / f"{n}.nts").open("wb")) for n in step}
                encoder = NtsEncoder()
                for evaluation in self._answered([self._standing[number] for number in step], late):
                    pickle.dump(evaluation, spool)
                    if evaluation.query in made:
                        streams[evaluation.query].write(encoder.body(evaluation))
        yield from self._merged(waiting)

    def _merged(self, waiting: list[Path]) -> Iterator[Evaluation]:
        """What waited, in order; counted as it goes out."""
        order = {one.registered.name: (number, one.counts) for number, one in enumerate(self._standing)}
        for _, counts in order.values():
            counts.reported = counts.failed = 0
        with ExitStack() as files:
            spools = [_unpickled(files.enter_context(path.open("rb"))) for path in waiting]
            for evaluation in heapq.merge(*spools, key=lambda e: (e.at, e.seq, order[e.query][0])):
                counts = order[evaluation.query][1]
                counts.reported += evaluation.failure is None
                counts.failed += evaluation.failure is not None
                yield evaluation
                if self._enough():
                    return

    def _enough(self) -> bool:
        return self.options.windows is not None and self.summary.reported >= self.options.windows

    def _cut(self, new: dict[str, tuple[StreamSource, PaneLog]]) -> None:
        """Cut what no log holds yet; the time is shared by reading and cutting, as the workers' own is."""
        if not new and self.options.where is Where.DRIVER:
            return
        spark = self._session()
        cut_into(spark, new, self._files, self.summary, split_bytes=self.options.split_bytes, progress=self._cutting)
        if self.options.where is Where.DRIVER and len(self._steps) == 1:
            self._stop()

    def _cutting(self, fraction: float) -> None:
        self.options.on_progress(Status(fraction=fraction))

    def _session(self) -> SparkSession:
        if self._spark is None:
            with self.summary.stage("start"):
                self._spark, self._release = leased_session(self.options.master)
            self._stack.callback(self._stop)
        return self._spark

    def _stop(self) -> None:
        if self._spark is not None:
            self._release()
            self._spark = None

    def _answered(self, standing: list[Standing], late: LateSink) -> Iterator[Evaluation]:
        options = self.options
        begun = [evaluations for one in standing if (evaluations := self._begin(one)) is not None]
        for log in dict.fromkeys(stream.log for evaluations in begun for stream in evaluations.streams):
            for parts in batched(log.parts(), _PARTS_AT_ONCE):
                for part, positions in union(evaluations.account(log, parts) for evaluations in begun):
                    late(log, part, positions)
                log.forget_before(AFTER_ALL)
        for one in standing:
            one.accounted = True
        answers = on_driver if options.where is Where.DRIVER else on_executors(self._session())
        questions = in_order(standing, lambda evaluations: evaluations.flush() if options.flush else evaluations.due())
        for question, evaluation in stopping(answers(questions), fail_fast=options.fail_fast):
            # Before it goes out: whoever takes it may look at the account.
            question.standing.deal(question, evaluation)
            yield evaluation
            let_go(begun)
            options.on_progress(self._status(question.standing, evaluation.at))
            if len(self._steps) == 1 and self._enough():
                return
        for one in standing:
            one.settle()

    def _begin(self, standing: Standing) -> Evaluations | None:
        """The query's windows, None when its streams are empty; origin and gaps are checked."""
        registered, options = standing.registered, self.options
        origin = origin_of(registered, self._logs)
        if origin is None:
            return None
        evaluations = standing.begin(self._logs, origin, lateness=options.lateness, shown=options.lateness)
        check_origin(registered, evaluations, options.max_gap)
        check_gaps(registered, evaluations, options.max_gap)
        return evaluations

    def _status(self, standing: Standing, at: int) -> Status:
        assert standing.evaluations is not None
        logs = dict.fromkeys(stream.log for stream in standing.evaluations.streams)
        largest, origin = max(log.largest for log in logs), standing.evaluations.origin
        return Status(
            elements=sum(log.accepted for log in self._logs.values()),
            windows=self.summary.reported,
            fraction=min(1.0, (at - origin) / max(1, largest - origin)),
            watermark=at,
        )


def batched(parts: Iterable[Part], size: int) -> Iterator[list[Part]]:
    """Parts a few at a time, so that what is read of them can be let go."""
    items = iter(parts)
    while chunk := list(islice(items, size)):
        yield chunk


def _stream_of(iri: str, path: Path) -> StreamSource:
    return StreamSource(iri, str(path), StreamFormat.NTS)


def _unpickled(file: BinaryIO) -> Iterator[Evaluation]:
    while True:
        try:
            yield pickle.load(file)
        except EOFError:
            return
