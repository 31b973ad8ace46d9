"""Every engine, operator, place and way of feeding gives the oracle's answers: a covering set of runs, and by marker a large sample."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from prsp.model.feature import Feature
from tests.run.matrix.covering import Planned, covering_set, pairs_of
from tests.run.matrix.engines import FAULTS, IN_PROCESS, SERVERS, allowed, engine, takes, together
from tests.run.matrix.expected import expected
from tests.run.matrix.going import go
from tests.run.matrix.queries import QUERIES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENGINES = (*IN_PROCESS, *SERVERS, "roqet")
SLOW = ("arq",)
"""About a second an answer: in the sample alone, with few queries a run."""
LEVELS = {
    "engine": ENGINES,
    "operator": ("rstream", "istream", "dstream"),
    "where": ("driver", "executors"),
    "feed": ("bounded", "live"),
}
MOST_RUNS, MOST_QUERIES = 80, 14
SAMPLE = 500


@cache
def covering() -> list[Planned]:
    return covering_set(
        LEVELS, list(QUERIES), allowed, lambda s, queries: together(s[0], queries, spread=s[2] == "executors"), MOST_QUERIES
    )


def check(planned: Planned, request: pytest.FixtureRequest, spark: SparkSession, folder: Path) -> None:
    name = planned.setting[0]
    wrong = go(planned, engine(name, request), spark, folder)
    new = {query: told for query, told in wrong.items() if (name, query) not in FAULTS}
    assert not new, "\n".join(f"{query}: {told}" for query, told in new.items())
    assert not {q for q in planned.queries if (name, q) in FAULTS} - set(wrong), "listed as wrong and right"


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore")  # rdflib warns of its own ways
@pytest.mark.parametrize("planned", covering(), ids=str)
def test_a_run_gives_the_answers_of_the_oracle(
    planned: Planned, request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path
) -> None:
    check(planned, request, spark, tmp_path)


def test_the_set_covers_every_pair_in_few_runs() -> None:
    runs = covering()
    assert len(runs) <= MOST_RUNS
    covered = set().union(*(pairs_of(run.setting, query) for run in runs for query in run.queries))
    settings = [(e, o, w, f) for e in ENGINES for o in LEVELS["operator"] for w in LEVELS["where"] for f in LEVELS["feed"]]
    assert covered == set().union(*(pairs_of(s, q) for s in settings for q in QUERIES if allowed(s, q)))


def test_the_queries_use_everything() -> None:
    assert len(QUERIES) >= 40
    used = {feature for asked in QUERIES.values() for feature in asked.query.features}
    assert set(Feature) - used <= {Feature.SERVICE, Feature.CUSTOM_FUNCTIONS, Feature.UNREPEATABLE}
    for name in QUERIES:
        assert any(e.answer not in (False, frozenset()) and getattr(e.answer, "rows", True) for e in expected(name, "rstream")), name
    assert any(not w.elements for e in expected("all", "rstream") for w in e.windows), "some window is empty"


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.filterwarnings("ignore")
def test_a_large_sample_gives_the_answers_of_the_oracle(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """At least 500 runs of one query each; prints the table of docs/results/matrix.md."""
    random, counts = Random(6), Counter[tuple[str, str]]()
    every = [
        (e, o, w, f, q)
        for e in (*ENGINES, *SLOW)
        for o in LEVELS["operator"]
        for w in LEVELS["where"]
        for f in LEVELS["feed"]
        for q in QUERIES
        if allowed((e, o, w, f), q)
    ]
    few = [row for row in every if row[0] in SLOW]
    sample = random.sample([row for row in every if row[0] not in SLOW], SAMPLE) + random.sample(few, 20)
    for e, o, w, f, q in sample:
        check(Planned((e, o, w, f), (q,)), request, spark, tmp_path_factory.mktemp("run"))
        counts.update([(e, "runs"), (e, o), (e, w), (e, f)])
    columns = ["runs", *LEVELS["operator"], *LEVELS["where"], *LEVELS["feed"]]
    print("\n| engine | queries it takes | " + " | ".join(columns) + " |\n|---|---|" + "---|" * len(columns))
    for e in (*ENGINES, *SLOW):
        print(f"| {e} | {sum(takes(e, q) for q in QUERIES)} | " + " | ".join(str(counts[e, c]) for c in columns) + " |")
