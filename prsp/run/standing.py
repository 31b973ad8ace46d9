"""A registered query while it runs: its windows over the logs, its evaluator, and how far it has come."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter

from prsp.model.evaluation import Evaluation
from prsp.model.query import ContinuousQuery
from prsp.model.snapshot import Snapshot
from prsp.run.evaluator import Evaluator
from prsp.run.options import Registered, RunOptions
from prsp.run.streams import evaluations_of
from prsp.run.summary import QueryCounts, StreamCounts, Summary
from prsp.transform.evaluations import Evaluations
from prsp.transform.log import PaneLog
from prsp.trigger import Due


class Standing:
    """One query of a run. ``dealt`` is the last instant whose evaluation is done, reported or not: what a restart goes on from."""

    def __init__(self, registered: Registered, options: RunOptions, summary: Summary) -> None:
        self.registered = registered
        self.counts = QueryCounts(registered.name)
        self.evaluator = Evaluator(registered, summary, deadline=options.deadline)
        summary.queries.append(self.counts)
        self.evaluations: Evaluations | None = None
        self.dealt: Due | None = None
        self.accounted = False
        """Whether every element of its streams has been counted."""

    def begin(self, logs: Mapping[str, PaneLog], origin: int, *, lateness: int | None, shown: int | None) -> Evaluations:
        """The origin is known: windows can be cut. ``shown`` is the lateness the user gave, which is part of every result."""
        self.evaluations = evaluations_of(self.registered, logs, origin, lateness)
        self.evaluator.resolve(origin, shown, self.evaluations.snapshot)
        self.counts.t0 = origin
        return self.evaluations

    def questions(self, due: Callable[[Evaluations], Iterator[Snapshot]]) -> Iterator[Question]:
        """What is due, with how many instants the policy had skipped by then."""
        if self.evaluations is not None:
            for snapshot in due(self.evaluations):
                yield Question(self, snapshot, self.evaluations.skipped)

    def deal(self, question: Question, evaluation: Evaluation) -> None:
        """The evaluation of a question has gone out."""
        self.dealt, self.counts.skipped = Due(evaluation.at, evaluation.seq), question.skipped
        if evaluation.failure is None:
            self.evaluator.answered = self.dealt
            self.counts.reported += 1
        else:
            self.counts.failed += 1

    def settle(self) -> None:
        """Everything that was due is done, also the instants skipped after the last question."""
        if self.evaluations is not None:
            self.dealt, self.counts.skipped = self.evaluations.last, self.evaluations.skipped

    def stream_counts(self, logs: Mapping[str, PaneLog]) -> list[StreamCounts]:
        """What became of every element of its streams."""
        return stream_counts(self.registered.query, self.evaluations, logs)


def stream_counts(query: ContinuousQuery, evaluations: Evaluations | None, logs: Mapping[str, PaneLog]) -> list[StreamCounts]:
    """What became of every element; without an evaluation there was none to be in a window."""
    name = query.registration.name
    if evaluations is None:
        own = {s.iri: logs[s.iri] for s in query.streams}
        return [StreamCounts(name, iri, log.rejected, 0, 0, 0, log.rejected) for iri, log in own.items()]
    return [
        StreamCounts(
            name, s.stream, s.log.accepted + s.log.rejected, s.tally.in_windows, s.tally.in_no_window, s.tally.late, s.log.rejected
        )
        for s in evaluations.streams
    ]


@dataclass(frozen=True, slots=True)
class Question:
    """A query and what it is to be asked of."""

    standing: Standing
    snapshot: Snapshot
    skipped: int


def in_order(standing: Iterable[Standing], due: Callable[[Evaluations], Iterator[Snapshot]]) -> Iterator[Question]:
    """The questions of several queries by instant, number and the order of the queries."""

    def keyed(number: int, one: Standing) -> Iterator[tuple[tuple[int, int, int], Question]]:
        return (((q.snapshot.at, q.snapshot.seq, number), q) for q in one.questions(due))

    merged = heapq.merge(*(keyed(number, one) for number, one in enumerate(standing)), key=itemgetter(0))
    return (question for _, question in merged)
