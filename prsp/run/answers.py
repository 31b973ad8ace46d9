"""Questions to answers: one after another on the driver, or side by side on the executors; the same answers in the same order."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prsp.backend import Backend, open_feed
from prsp.errors import EngineError
from prsp.model.evaluation import Evaluation, Failure, compact
from prsp.model.query import Rho
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from prsp.run.outcome import Outcome
from prsp.run.standing import Question, Standing
from prsp.transform.spread import parallelism, spread

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Answered = tuple[Question, Evaluation]
Answers = Callable[[Iterable[Question]], Iterator[Answered]]
"""Answers questions in the order they are asked."""

_QUESTIONS_A_CORE = 32
_MOST_TRIPLES = 4_000_000
"""In the windows of one round: their answers come back to the driver together."""


def on_driver(questions: Iterable[Question]) -> Iterator[Answered]:
    """Asked here, one after another: what an incremental session needs."""
    for question in questions:
        yield question, question.standing.evaluator.answer(question.snapshot)


def on_executors(spark: SparkSession) -> Answers:
    """Asked in blocks of consecutive windows, each with a session of its own."""

    def answers(questions: Iterable[Question]) -> Iterator[Answered]:
        cores = parallelism(spark)
        for round_ in _rounds(questions, cores * _QUESTIONS_A_CORE):
            outcomes = iter(_asked(spark, round_, cores))
            for question, missing in round_:
                evaluator = question.standing.evaluator
                if missing is not None:
                    evaluator.remember(next(outcomes))
                yield question, evaluator.accept(question.snapshot, next(outcomes))

    return answers


@dataclass(frozen=True, slots=True)
class Block:
    """Windows of one query that an executor asks one after another."""

    backend: Backend
    rho: Rho
    static: StaticData
    deadline: int | None
    snapshots: tuple[Snapshot, ...]


_Asked = tuple[Question, Snapshot | None]
"""A question, and the window whose answer the operator lacks."""


def _rounds(questions: Iterable[Question], most: int) -> Iterator[list[_Asked]]:
    round_: list[_Asked] = []
    triples = 0
    begun: set[Standing] = set()
    for question in questions:
        standing = question.standing
        round_.append((question, None if standing in begun else standing.evaluator.missing()))
        begun.add(standing)
        triples += sum(c.triples for c in question.snapshot.contributions)
        if len(round_) >= most or triples >= _MOST_TRIPLES:
            yield round_
            round_, triples = [], 0
    if round_:
        yield round_


def _asked(spark: SparkSession, round_: list[_Asked], cores: int) -> list[Outcome]:
    """The outcomes of a round, in its order, an answer that was missing before the one that lacked it."""
    places: dict[Standing, list[int]] = {}
    snapshots: list[Snapshot] = []
    for question, missing in round_:
        for one in (missing, question.snapshot):
            if one is not None:
                places.setdefault(question.standing, []).append(len(snapshots))
                snapshots.append(one)
    blocks: list[tuple[list[int], Block]] = []
    length = max(1, -(-len(snapshots) // (cores * 2)))
    for standing, own in places.items():
        registered, deadline = standing.registered, standing.evaluator.deadline
        for start in range(0, len(own), length):
            numbers = own[start : start + length]
            content = tuple(snapshots[number] for number in numbers)
            blocks.append((numbers, Block(registered.backend, registered.query.rho, registered.static, deadline, content)))
    found: dict[int, Outcome] = {}
    for (numbers, _), data in zip(blocks, spread(spark, [pickle.dumps(block) for _, block in blocks], answer_block), strict=True):
        found.update(zip(numbers, pickle.loads(data), strict=True))
    return [found[number] for number in range(len(snapshots))]


def answer_block(data: bytes) -> bytes:
    """What an executor does: ask about each window of a pickled block; the pickled outcomes."""
    block: Block = pickle.loads(data)
    outcomes: list[Outcome] = []
    feed = None
    for snapshot in block.snapshots:
        try:
            if feed is None:
                feed = open_feed(block.backend, block.rho, block.static, deadlines=block.deadline is not None)
            deadline = None if block.deadline is None else time.monotonic() + block.deadline / 1000
            began = time.perf_counter()
            feed.give(snapshot, deadline=deadline)
            loaded = time.perf_counter()
            answer = feed.evaluate(deadline=deadline)
            asked = time.perf_counter()
            outcomes.append(Outcome(compact(answer), {"load": loaded - began, "query": asked - loaded}))
        except EngineError as error:
            outcomes.append(Outcome(Failure(type(error).__name__, str(error))))
            if feed is not None:
                feed.close()
                feed = None
    if feed is not None:
        feed.close()
    return pickle.dumps(outcomes)
