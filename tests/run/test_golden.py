"""The papers' worked examples through the whole way."""

import json
from pathlib import Path

import pytest

from prsp.model.profile import Bounds, Strategy
from prsp.model.window import TimeWindow
from prsp.transform.evaluations import Evaluations
from prsp.transform.reference import Element
from prsp.trigger import Due, policy_of
from tests.cli.run import prsp
from tests.data import ROOT
from tests.transform.build import content, log_of, stream_of

SENSOR, STREAM = str(ROOT / "examples" / "sensor.rq"), str(ROOT / "examples" / "sensors.nts")
T0 = 1_483_850_232_556


@pytest.mark.spark
def test_prsp_tables_1_and_2_end_to_end(tmp_path: Path) -> None:
    done = prsp("run", SENSOR, "--stream", STREAM, "--t0", str(T0), "--summary", str(tmp_path / "summary.json"))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["at"] for line in lines] == [1_483_850_237_556, 1_483_850_241_556]
    rows = [[{name: term["value"] for name, term in row.items()} for row in line["results"]["bindings"]] for line in lines]
    assert [{**row, "value": float(row["value"])} for (row,) in rows] == [
        {"sensor": "http://example.org/sensor/A2", "obs": "http://example.org/observation/A2-1", "value": 73.0},
        {"sensor": "http://example.org/sensor/A1", "obs": "http://example.org/observation/A1-2", "value": 69.0},
    ]
    first = lines[0]
    assert list(first) == ["id", "query", "at", "seq", "windows", "profile", "operator", "head", "results"]
    assert first["windows"] == [{"stream": "SensorStreams", "open": T0, "close": T0 + 5000, "elements": 4, "triples": 4}]
    assert (first["profile"], first["operator"], len(first["id"])) == (f"prsp;t0={T0}", "rstream", 32)
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["streams"] == [
        {"query": "SensorQuery", "stream": "SensorStreams", "read": 8, "in_windows": 8, "in_no_window": 0, "late": 0, "rejected": 0}
    ]
    assert summary["queries"] == [{"query": "SensorQuery", "reported": 2, "skipped": 0, "failed": 0, "t0": T0}]
    assert {"start", "cut", "load", "query", "output"} <= set(summary["seconds"])
    assert done.stderr.splitlines()[-1].startswith("SensorQuery: 2 reported")


def sensors() -> list[Element]:
    lines = [line for line in Path(STREAM).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [Element(text, int(time)) for text, _, time in (line.rpartition("\t") for line in lines)]


def test_prsp_tables_3_and_4(tmp_path: Path) -> None:
    table_1 = sensors()
    log = log_of(tmp_path, table_1)
    stream = stream_of(log, TimeWindow(5_000, 4_000), T0, Bounds.CLOSED)
    windows = list(Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), T0).flush())
    assert [content(w) for w in windows] == [sorted((e.time, e.content) for e in part) for part in (table_1[:4], table_1[4:])]


def nearby() -> list[Element]:
    """RSP-QL, Example 3; its time units are milliseconds here."""
    facts = [("diana", "a", 2), ("eve", "b", 2), ("carl", "a", 5), ("eve", "a", 7), ("diana", "b", 12)]
    return [Element(f"<http://e/{who}> <http://e/isNearby> <http://e/{shop}> .", time) for who, shop, time in facts]


def who(snapshot_content: list[tuple[int, str]]) -> list[str]:
    return [line.split()[0].removeprefix("<http://e/").rstrip(">") for _, line in snapshot_content]


def test_rsp_ql_example_6(tmp_path: Path) -> None:
    stream = stream_of(log_of(tmp_path, nearby()), TimeWindow(4, 100), 4, Bounds.LEFT_OPEN)
    (first, *_) = Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), 4).flush()
    assert (first.contributions[0].open, first.contributions[0].close) == (4, 8)
    assert who(content(first)) == ["carl", "eve"]


def test_rsp_ql_example_7(tmp_path: Path) -> None:
    stream = stream_of(log_of(tmp_path, nearby()), TimeWindow(5, 2), 1, Bounds.LEFT_OPEN)
    closing = list(Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), 1).flush())
    assert [(w.contributions[0].open, w.contributions[0].close) for w in closing[:3]] == [(1, 6), (3, 8), (5, 10)]
    present = Evaluations([stream], policy_of((Strategy.PERIODIC,), 1), 1).snapshot(Due(9, 0))
    assert (present.contributions[0].open, present.contributions[0].close) == (5, 10)
    assert who(content(present)) == ["eve"]


def test_window_close_and_non_empty_instants_of_the_semantics(tmp_path: Path) -> None:
    """5 / 2 with t0 = 1, left-open, on Example 3's stream: WC and NC hold at 6, 8, 10, 12, 14, 16."""
    stream = stream_of(log_of(tmp_path, nearby()), TimeWindow(5, 2), 1, Bounds.LEFT_OPEN)
    evaluations = Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE, Strategy.NON_EMPTY), None), 1)
    assert [w.at for w in evaluations.flush()] == [6, 8, 10, 12, 14, 16]


def test_periodic_instants(tmp_path: Path) -> None:
    """t0 + j·d, j ≥ 1, up to the first at or after the largest time; one where no window is there is skipped and counted."""
    stream = stream_of(log_of(tmp_path, nearby()), TimeWindow(2, 4), 0, Bounds.CLOSED)
    evaluations = Evaluations([stream], policy_of((Strategy.PERIODIC,), 3), 0)
    assert [(w.at, w.contributions[0].open) for w in evaluations.flush()] == [(6, 4), (9, 8), (12, 12)]
    assert evaluations.skipped == 1
