"""The streams have the published shapes, come again byte for byte, and every query has answers on its stream."""

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prsp.errors import InputError
from prsp.parse import parse_query
from prsp.workload import PRESETS, Workload, lubm, power, write_workload, yabench
from prsp.workload.chance import Chance
from prsp.workload.disorder import delayed
from tests.data import DATA, needs_data
from tests.workload.windows import answers, elements

Triple = tuple[str, str, str]
SMALL = {"yabench": yabench(sensors=20), "power": power(meters=10), "lubm": lubm()}


def test_prsps_loads_have_the_papers_numbers_of_triples() -> None:
    counts = {name: sum(map(len, yabench(sensors=n).batches())) * 7 for name, n in PRESETS.items() if n in (500, 2500)}
    assert counts == {"prsp-500": 42_000, "prsp-2500": 210_000}


def test_a_yabench_observation_has_the_published_triples() -> None:
    stream = elements(yabench(sensors=20))
    predicates = Counter(triple.split(" ")[1].rpartition("#")[2][:-1] for triple, _ in stream)
    assert predicates == {"type": 480, "observedProperty": 240, "procedure": 240, "result": 240, "floatValue": 240, "uom": 240}
    values = [float(triple.split('"')[1]) for triple, _ in stream if "floatValue" in triple]
    assert all(value == int(value) and 0 <= value < 100 for value in values)
    assert (stream[0][1], stream[-1][1] < 12_000) == (0, True)


@pytest.mark.parametrize("name", ["yabench", "power"])
def test_every_query_has_answers(name: str) -> None:
    stream = elements(SMALL[name])
    for query in SMALL[name].queries:
        assert any(answers(query, stream)), query.name


def test_seas_q1_is_not_selective_and_q2_is() -> None:
    workload = power(meters=50, seconds=3_600, start=19 * 3_600_000)
    stream = elements(workload)
    rows = {query.name: len(next(answers(query, stream, 19 * 3_600_000))) for query in workload.queries[:2]}
    assert rows["q1-1h-1h"] == 600
    assert 0 < rows["q2-1h-1h"] < 60


def _bag(stream: list[tuple[str, int]]) -> list[Triple]:
    parts = (triple[:-2].split(" ", 2) for triple, _ in stream)
    return [(s, p.rpartition("#")[2][:-1], o) for s, p, o in parts]


def _brute(triples: list[Triple], name: str) -> int:
    """The number of answers of one of the seven queries, by loops over sets."""
    kind: dict[str, set[str]] = {}
    by: dict[str, set[tuple[str, str]]] = {}
    for s, p, o in triples:
        if p == "type":
            kind.setdefault(o.rpartition("#")[2][:-1], set()).add(s)
        by.setdefault(p, set()).add((s, o))
    home, university = "<http://www.Department0.University0.edu>", "<http://www.University0.edu>"
    if name in ("q1", "q3"):
        students = kind["GraduateStudent" if name == "q1" else "UndergraduateStudent"]
        member = by["memberOf"]
        return sum(
            1
            for x, y in by["undergraduateDegreeFrom"]
            if x in students and y in kind["University"]
            for z in kind["Department"]
            if (x, z) in member and (z, y) in by["subOrganizationOf"]
        )
    professors = kind["FullProfessor"]
    if name == "q2":
        return sum(1 for x, _ in by["name"] if x in kind["Course"])
    if name == "q4":
        return sum(1 for x in professors if (x, home) in by["worksFor"])
    if name == "q5":
        return sum(1 for x in kind["ResearchGroup"] if (x, home) in by["subOrganizationOf"])
    if name == "q6":
        places = {y for y in kind["Department"] if (y, university) in by["subOrganizationOf"]}
        return sum(1 for x, y in by["worksFor"] if x in professors and y in places)
    teaches = by["teacherOf"]
    advised = {x: y for x, y in by["advisor"] if y in professors and x in kind["UndergraduateStudent"]}
    return sum(1 for x, z in by["takesCourse"] if x in advised and z in kind["Course"] and (advised[x], z) in teaches)


def test_lubm_answers_are_those_of_a_brute_force_evaluation_and_none_is_empty() -> None:
    workload = lubm(rate=100_000, windows=((10_000, 10_000),))
    stream = elements(workload)
    triples = _bag(stream)
    for query in workload.queries:
        (rows,) = answers(query, stream)
        assert len(rows) == _brute(triples, query.name.partition("-")[0]) > 0, query.name


def test_lubm_without_home_degrees_has_no_undergraduate_with_a_degree() -> None:
    stream = elements(lubm(home_degrees=0))
    assert not any("/UndergraduateStudent" in triple and "undergraduateDegreeFrom" in triple for triple, _ in stream)


@needs_data
def test_a_lubm_department_looks_like_the_sample() -> None:
    lines = (DATA / "lubm" / "department-shuffled.nts").read_text(encoding="utf-8").splitlines()
    sample = Counter(p for _, p, _ in _bag([(line.rpartition("\t")[0], 0) for line in lines]))
    workload = lubm(home_degrees=0)
    made = Counter(p for _, p, _ in _bag(elements(workload)))
    assert set(made) == set(sample)
    for predicate, count in sample.items():
        if count >= 50:
            share = made[predicate] / made.total() / (count / sample.total())
            assert 0.7 < share < 1.4, (predicate, share)


@pytest.mark.parametrize("make", [yabench, lubm, power])
def test_the_same_seed_gives_the_same_bytes_and_another_does_not(make: object, tmp_path: Path) -> None:
    assert callable(make)
    options = {"sensors": 5} if make is yabench else {"meters": 5} if make is power else {}
    written = [write_workload(make(seed=seed, **options), tmp_path / str(i))["stream"]["sha256"] for i, seed in enumerate((1, 1, 2))]
    assert written[0] == written[1] != written[2]


def test_numbers_are_those_of_every_python() -> None:
    chance = Chance(1, "fixed")
    assert [chance.below(1000) for _ in range(6)] == [301, 352, 403, 67, 688, 614]


def test_skew_makes_a_sensor_hot() -> None:
    def most(skew: float) -> int:
        stream = elements(yabench(sensors=100, skew=skew))
        return max(Counter(triple.split(" ")[2] for triple, _ in stream if "procedure" in triple).values())

    assert most(0) == 12
    assert most(1) > 100


@given(st.lists(st.lists(st.integers(0, 50), min_size=1), max_size=8), st.integers(1, 100), st.integers(0, 9))
@settings(max_examples=200)
def test_disorder_loses_nothing_and_keeps_its_bound(sizes: list[list[int]], bound: int, seed: int) -> None:
    now, number, batches = 0, 0, []
    for steps in sizes:
        batch = []
        for step in steps:
            now, number = now + step, number + 1
            batch.append((now, str(number)))
        batches.append(batch)
    out = [event for batch in delayed(batches, bound, seed) for event in batch]
    assert sorted(out, key=lambda e: int(e[1])) == [event for batch in batches for event in batch]
    newest = 0
    for at, _ in out:
        newest = max(newest, at)
        assert newest - at <= bound


def test_the_manifest_says_what_is_there(tmp_path: Path) -> None:
    workload = yabench(sensors=5, disorder=700)
    write_workload(workload, tmp_path / "w")
    manifest = json.loads((tmp_path / "w" / "manifest.json").read_bytes())
    content = (tmp_path / "w" / "stream.nts").read_bytes()
    times = [int(line.rpartition(b"\t")[2]) for line in content.splitlines()]
    assert times != sorted(times)
    stream = manifest["stream"]
    assert (stream["elements"], stream["bytes"], stream["sha256"]) == (len(times), len(content), sha256(content).hexdigest())
    assert (stream["first"], stream["last"]) == (min(times), max(times))
    for query in manifest["queries"]:
        text = (tmp_path / "w" / query["file"]).read_text(encoding="utf-8")
        assert parse_query(text).streams[0].iri == stream["iri"]
        assert query["command"] == f"prsp run {query['file']} --stream stream.nts --t0 0 --lateness 700ms"
    assert manifest["queries"][0]["command"] in (tmp_path / "w" / "README.md").read_text(encoding="utf-8")


def test_what_exists_is_kept(tmp_path: Path) -> None:
    tiny = yabench(sensors=1)
    write_workload(tiny, tmp_path / "w")
    with pytest.raises(InputError, match="--overwrite"):
        write_workload(tiny, tmp_path / "w")
    (tmp_path / "w" / "mine.txt").write_text("x")
    write_workload(yabench(sensors=1, windows=((1_000, 1_000),)), tmp_path / "w", overwrite=True)
    assert (tmp_path / "w" / "mine.txt").read_text() == "x"
    assert {path.name for path in (tmp_path / "w" / "queries").iterdir()} == {
        f"{name}-1s-1s.rq" for name in ("sensor", "filter", "average", "variation")
    }
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "stream.nts").write_text("x")
    with pytest.raises(InputError, match="no prsp workload"):
        write_workload(tiny, tmp_path / "other", overwrite=True)


@pytest.mark.parametrize(
    "bad", [{"sensors": 0}, {"rate": 0.0}, {"rate": float("nan")}, {"skew": -1.0}, {"seconds": 0}, {"rate": 0.01}, {"rate": 600.0}]
)
def test_what_makes_no_stream_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match="--"):
        yabench(**bad)  # type: ignore[arg-type]


def test_names_of_queries_are_files_of_one_folder() -> None:
    every: list[Workload] = list(SMALL.values())
    for workload in every:
        names = [query.name for query in workload.queries]
        assert len(names) == len(set(names))
