"""The state of a live run on the driver, batch by batch, without Spark: any cut, any crash, any resume gives the same answers."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prsp.backend import backend_named
from prsp.errors import InputError
from prsp.model import PROFILES, Bounds, Operator
from prsp.model.pane import BEFORE_ALL
from prsp.parse import parse_query
from prsp.run import Registered, RunOptions, live_state
from prsp.run.live_state import LiveRun
from prsp.source import StreamSource
from prsp.transform import job
from prsp.transform.reference import Element
from prsp.transform.storage import Storage
from prsp.transform.task import run_split
from tests.transform.build import triple, write


@pytest.fixture(autouse=True)
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The splits of a batch are cut here, in the order a task would take them."""

    def run(_spark: object, work: job.Work, _progress: object, *, in_order: bool) -> list[Any]:
        reports, seen = [], BEFORE_ALL
        for cutting, name, split in work:
            before = max(cutting.seen, seen) if in_order else cutting.seen
            report = run_split(split, name, cutting.source, cutting.storage, cutting.pane, before=before, jump=cutting.jump)
            seen = max(seen, report.seen)
            reports.append(report)
        return reports

    monkeypatch.setattr(job, "_run", run)


SELECT = "SELECT ?s ?o FROM STREAM a {} {} WHERE {{ {{ ?s ?p ?o }} UNION {{ GRAPH ?g {{ ?s ?p ?o }} }} }} ORDER BY ?s ?o"
QUERIES = {
    "time": "REGISTER QUERY q AS " + SELECT.format("[RANGE 50ms STEP 20ms]", ""),
    "count": "REGISTER QUERY q AS " + SELECT.format("[RANGE TRIPLES 4 STEP 3]", ""),
    "periodic": "REGISTER QUERY q COMPUTED EVERY 15ms AS " + SELECT.format("[RANGE 50ms STEP 20ms]", ""),
    "two": "REGISTER QUERY q AS " + SELECT.format("[RANGE 30ms STEP 10ms]", "FROM NAMED STREAM <http://e/b> [RANGE 70ms STEP 25ms]"),
    "twice": "REGISTER QUERY q AS " + SELECT.format("[RANGE 30ms STEP 10ms]", "FROM STREAM a [RANGE 70ms STEP 30ms]"),
    "several": "REGISTER QUERY q AS "
    + SELECT.format("[RANGE 30ms STEP 10ms]", "")
    + ";REGISTER QUERY r AS "
    + SELECT.format("[RANGE 60ms STEP 25ms]", "FROM STREAM <http://e/b> [RANGE TRIPLES 3]"),
}
TWO_STREAMS = ("two", "several")


def options(folder: Path, kind: str, **changes: Any) -> RunOptions:
    queries = [parse_query(text) for text in QUERIES[kind].split(";")]
    sources = {s.iri: StreamSource(s.iri, str(folder)) for query in queries for s in query.streams}
    operator = changes.pop("operator", Operator.RSTREAM)
    profile = replace(PROFILES["prsp"], t0=0, bounds=changes.pop("bounds", Bounds.CLOSED), operator=operator)
    backend = backend_named(changes.pop("backend", "oxigraph")).from_options({})
    given: dict[str, Any] = {
        "lateness": 10,
        "output": f"{folder}/out{'/' if changes.pop('a_file_each', False) else ''}",
        "checkpoint": str(folder / "ck"),
        "late": str(folder / "late"),
        **changes,
    }
    return RunOptions(tuple(Registered(query, backend, profile) for query in queries), sources, **given)


def feed(seed: int, streams: int) -> list[tuple[int, list[Element]]]:
    """Files for each stream in the order they arrive, out of order within and beyond the lateness."""
    chance = random.Random(seed)
    clocks, files = [0] * streams, []
    for number in range(30):
        stream = chance.randrange(streams)
        elements = []
        for i in range(chance.randint(0, 6)):
            clocks[stream] += chance.randint(0, 8)
            elements.append(
                Element(triple(f"{number}-{i}", chance.randint(0, 3)), max(0, clocks[stream] - chance.choice([0, 0, 0, 5, 9, 40])))
            )
        files.append((stream, elements))
    return files


def batches(files: list[tuple[int, list[Element]]], sizes: Iterator[int]) -> list[list[int]]:
    numbers = list(range(len(files)))
    cut = []
    while numbers:
        size = next(sizes)
        cut.append(numbers[:size])
        numbers = numbers[size:]
    return cut


class Crash(BaseException):
    """The machine goes off."""


def run_through(
    folder: Path,
    kind: str,
    files: list[tuple[int, list[Element]]],
    cut: list[list[int]],
    crash: Callable[[], bool] = lambda: False,
    **changes: Any,
) -> dict[str, Any]:
    """Feed the batches to one life after another; gives the results by id and the account."""
    (folder / "in").mkdir(parents=True, exist_ok=True)
    given = options(folder, kind, **changes)
    names = list(given.sources)
    for number, (_, elements) in enumerate(files):
        write(folder / "in" / f"f{number:03d}.nts", elements)
    run = LiveRun(given, str(folder / "ck"))
    batch = 0
    while batch < len(cut):
        new: dict[str, list[tuple[str, int]]] = {}
        for number in cut[batch]:
            path = folder / "in" / f"f{number:03d}.nts"
            new.setdefault(names[files[number][0]], []).append((str(path), path.stat().st_size))
        try:
            run.on_batch(None, batch, new)  # type: ignore[arg-type]
            batch += 1
            if crash():
                raise Crash
        except InputError:
            run.close()
            raise
        except Crash:
            run.close()
            run = LiveRun(given, str(folder / "ck"))
            batch = max(0, min(batch, run.progress.batch + 1))
    summary = run.account()
    run.close()
    results: dict[str, Any] = {}
    out = folder / "out"
    for line in (line for path in [out, *sorted(out.rglob("*.ndjson"))] if path.is_file() for line in path.read_text("utf-8").splitlines()):
        document = json.loads(line)
        assert document["id"] not in results
        results[document["id"]] = document
    for s in summary.streams:
        assert s.read == s.in_windows + s.in_no_window + s.late + s.rejected
    return {"results": results, "account": [str(s) for s in summary.streams], "late": sorted((folder / "late").read_text().splitlines())}


@pytest.mark.parametrize("bounds", list(Bounds))
@pytest.mark.parametrize("kind", QUERIES)
def test_how_batches_are_cut_changes_nothing(tmp_path: Path, kind: str, bounds: Bounds) -> None:
    compared = 0
    for seed in range(4):
        files = feed(seed, 2 if kind in TWO_STREAMS else 1)
        chance = random.Random(seed)
        one_by_one = run_through(tmp_path / f"{seed}a", kind, files, batches(files, iter(lambda: 1, 0)), bounds=bounds)
        at_random = run_through(tmp_path / f"{seed}b", kind, files, batches(files, iter(partial(chance.randint, 1, 7), 0)), bounds=bounds)
        assert at_random == one_by_one
        compared += len(one_by_one["results"])
    assert compared > 20


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        *((kind, {}) for kind in QUERIES),
        ("time", {"operator": Operator.ISTREAM}),
        ("several", {"operator": Operator.DSTREAM, "backend": "spectra"}),
        ("several", {"operator": Operator.ISTREAM, "a_file_each": True}),
    ],
    ids=str,
)
def test_crashes_and_resumes_change_nothing(tmp_path: Path, kind: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash at any write of the storage: panes, index, origin, progress, merge, retention."""
    monkeypatch.setattr(live_state, "merge_closed", lambda log, time: merge(log, time, fewest=3))
    files = feed(7, 2 if kind in TWO_STREAMS else 1)
    cut = batches(files, iter(lambda: 2, 0))
    control = run_through(tmp_path / "control", kind, files, cut, **changes)
    original = Storage.finish
    for seed in range(3):
        chance = random.Random(seed)

        def finish(self: Storage, temporary: str, name: str, chance: random.Random = chance) -> None:
            if chance.random() < 0.03:
                raise Crash
            original(self, temporary, name)
            if chance.random() < 0.03:
                raise Crash

        with monkeypatch.context() as patched:
            patched.setattr(LiveRun, "__init__", _calmly(LiveRun.__init__, patched, original, finish))
            assert run_through(tmp_path / str(seed), kind, files, cut, partial(_now_and_then, chance), **changes) == control


def _now_and_then(chance: random.Random) -> bool:
    return chance.random() < 0.1


def _calmly(init: Any, patched: pytest.MonkeyPatch, original: Any, finish: Any) -> Any:
    """A life begins without crashes, so that it does begin; they come with its batches."""

    def start(self: LiveRun, *arguments: Any) -> None:
        patched.setattr(Storage, "finish", original)
        init(self, *arguments)
        patched.setattr(Storage, "finish", finish)

    return start


def merge(log: Any, time: int, *, fewest: int) -> bool:
    from prsp.transform.merge import merge_closed

    return merge_closed(log, time, fewest=fewest)


def test_a_jump_is_rejected_also_in_the_first_batch_and_over_several_files(tmp_path: Path) -> None:
    files = [
        (0, [Element(triple("a"), 0)]),
        (0, [Element(triple("far"), 10**9), Element(triple("b"), 90)]),
        (0, [Element(triple("c"), 200)]),
    ]
    for number, cut in enumerate([[[0, 1], [2]], [[0], [1], [2]], [[0, 1, 2]]]):
        got = run_through(tmp_path / str(number), "time", files, cut, max_gap=100)
        assert "read=4, in_windows=3, in_no_window=0, late=0, rejected=1" in got["account"][0]


def test_an_origin_far_before_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="t0 0 lies"):
        run_through(tmp_path, "time", [(0, [Element(triple("a"), 10**9)])], [[0]], max_gap=100)


def test_windows_then_resume_repeats_nothing(tmp_path: Path) -> None:
    files = feed(3, 1)
    everything = run_through(tmp_path / "all", "time", files, [list(range(30))])["results"]
    first = run_through(tmp_path / "some", "time", files, [list(range(30))], windows=2)["results"]
    assert list(first) == list(everything)[:2]


def test_outputs_of_a_checkpoint_are_guarded(tmp_path: Path) -> None:
    files = feed(3, 1)
    run_through(tmp_path, "time", files, [list(range(30))])
    (tmp_path / "other").write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match="say the same outputs"):
        LiveRun(options(tmp_path, "time", output=str(tmp_path / "other")), str(tmp_path / "ck"))
    with pytest.raises(InputError, match="other queries"):
        LiveRun(options(tmp_path, "count"), str(tmp_path / "ck"))
    (tmp_path / "out").unlink()
    with pytest.raises(InputError, match="gone or shorter"):
        LiveRun(options(tmp_path, "time"), str(tmp_path / "ck"))
    assert (tmp_path / "other").read_text(encoding="utf-8") == "precious"


def test_a_stream_left_out_as_idle_counts_what_it_missed_as_late(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    given = options(tmp_path, "two", idle=0)
    run = LiveRun(given, str(tmp_path / "ck"))
    a, b = given.sources
    for number, elements in enumerate(
        [[Element(triple(i), i * 10) for i in range(30)], [Element(triple("b"), 5), Element(triple("c"), 295)]]
    ):
        write(tmp_path / "in" / f"{number}.nts", elements)
    size = (tmp_path / "in" / "0.nts").stat().st_size
    run.on_batch(None, 0, {a: [(str(tmp_path / "in" / "0.nts"), size)]})  # type: ignore[arg-type]
    run.last_heard[b] = -1.0
    run.evaluate_between(None)  # type: ignore[arg-type]
    assert (tmp_path / "out").read_text(encoding="utf-8").count("\n") > 10, "b is not waited for, and what is due is visible"
    run.on_batch(None, 1, {b: [(str(tmp_path / "in" / "1.nts"), 100)]})  # type: ignore[arg-type]
    counts = {s.stream: s for s in run.account().streams}
    assert (counts[b].read, counts[b].late, counts[b].in_windows) == (2, 1, 1)
    run.close()
