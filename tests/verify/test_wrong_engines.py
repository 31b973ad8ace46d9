"""Engines with a planted fault are found out, and the reason that has a name is told."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prsp.cli.main import app
from prsp.errors import InputError
from tests.data import ROOT
from tests.verify.engine import Fault, Line, TinyEngine

XSD = "http://www.w3.org/2001/XMLSchema#"
STREAM, KB = "http://e/s", "http://e/kb"
PATTERN = "?s <http://e/temp> ?t . ?s <http://e/kind> ?k"
SPARQL = f"SELECT ?k ?t WHERE {{ {PATTERN} }}"
QUERY = f"REGISTER QUERY q AS SELECT ?k ?t FROM STREAM <{STREAM}> [RANGE 50ms STEP 20ms] FROM <{KB}> WHERE {{ {PATTERN} }}"
STATIC = "".join(f"<http://e/s{i}> <http://e/kind> <http://e/k{i % 2}> .\n" for i in range(4))
OLD = "".join(f"<http://e/s{i}> <http://e/kind> <http://e/k{i % 2}> .\n" for i in range(3))


def lines() -> list[Line]:
    """Values of four sensors every 10 ms, silent from 200 to 400, some out of order; two sensors of a kind have the same value."""
    found = [(f'<http://e/s{i % 4}> <http://e/temp> "{i // 8}"^^<{XSD}integer> .', i * 10) for i in range(60) if not 200 <= i * 10 <= 400]
    for place in (5, 11, 34):
        found[place], found[place + 1] = found[place + 1], found[place]
    return found


REASONS = {
    Fault.OPENING_BELONGS: "its windows are closed, not left-open",
    Fault.SKIPS_AFTER_GAP: "windows are skipped after the silence from 190 to 410",
    Fault.TWICE: "evaluations come out more than once",
    Fault.MOVES: "the origin moves",
    Fault.ISTREAM: "it answers as istream, not as rstream",
    Fault.DSTREAM: "it answers as dstream, not as rstream",
    Fault.SET: "sets of rows, not bags",
    Fault.DROPS_LATE: "elements that came out of order are left out",
    Fault.NO_STATIC: "it answers without the static data",
    Fault.EMPTY_TOO: "it reports by window-close, not by window-close+non-empty",
    Fault.ON_ARRIVAL: "it reports by arrival, not by window-close+non-empty",
    Fault.OTHER_ORIGIN: "its origin is another: correct for t0 = 0",
    Fault.NO_END: "windows that are still open when the streams end are not reported",
}
NAMELESS = (Fault.CLOSING_DOES_NOT, Fault.STALE_STATIC, Fault.LOSES_A_ROW, Fault.TEXT)
"""No bounds are open on both sides; what an old static graph, a lost row or another datatype come from cannot be told."""


def judged(folder: Path, fault: Fault, *options: str) -> tuple[int, dict[str, object]]:
    elements = lines()
    # Elements lie on the opening and closing instants of these windows.
    engine = TinyEngine(SPARQL, 50, 20, -10, STATIC, OLD, fault)
    (folder / "answers.ndjson").write_text("".join(line + "\n" for line in engine.answers(elements)), encoding="utf-8")
    (folder / "stream.nts").write_text("".join(f"{triple}\t{time}\n" for triple, time in elements), encoding="utf-8")
    (folder / "kb.nt").write_text(STATIC, encoding="utf-8")
    (folder / "q.rq").write_text(QUERY, encoding="utf-8")
    arguments = ["verify", str(folder / "q.rq"), "--stream", str(folder / "stream.nts"), "--graph", f"{KB}={folder / 'kb.nt'}"]
    arguments += ["--answers", str(folder / "answers.ndjson"), "--profile", "csparql", "--json", *options]
    done = CliRunner().invoke(app, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, json.loads(done.stdout)


def test_the_engine_without_a_fault_is_correct_for_its_origin(tmp_path: Path) -> None:
    code, verdict = judged(tmp_path, Fault.NONE)
    assert (code, verdict["correct"], verdict["reason"]) == (0, True, None)
    assert verdict["origins"] == [{STREAM: [10, 10]}], "-10 and 10 are a slide apart"
    assert (verdict["precision"], verdict["recall"]) == (1.0, 1.0)
    assert verdict["compared"] == verdict["agreeing"]
    assert int(str(verdict["compared"])) > 15


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault is not Fault.NONE], ids=str)
def test_a_fault_is_found_out(tmp_path: Path, fault: Fault) -> None:
    # An origin of its own is no fault where any origin will do.
    options = ["--t0", "-10"] if fault is Fault.OTHER_ORIGIN else []
    code, verdict = judged(tmp_path, fault, *options)
    assert (code, verdict["correct"]) == (1, False), fault
    assert verdict["first"] is not None
    if fault in REASONS:
        assert REASONS[fault] in str(verdict["reason"])
    else:
        assert fault in NAMELESS
        assert verdict["reason"] is None


def test_another_origin_is_correct_where_none_is_said(tmp_path: Path) -> None:
    code, verdict = judged(tmp_path, Fault.OTHER_ORIGIN)
    assert (code, verdict["origins"]) == (0, [{STREAM: [0, 0]}])


def test_what_is_wrong_at_the_end_alone_is_not_explained_by_what_holds_until_then(tmp_path: Path) -> None:
    """Up to the end these answers are right, under other bounds and operators, too."""
    answers = tmp_path / "answers.ndjson"
    sensor, obs = ({"type": "uri", "value": f"http://example.org/{name}"} for name in ("sensor/A2", "observation/A2-1"))
    row = {"sensor": sensor, "obs": obs, "value": {"type": "literal", "value": "73.0", "datatype": f"{XSD}float"}}
    rows = {1_483_850_237_556: [row], 1_483_850_241_556: []}
    lines = [{"at": at, "head": {"vars": list(row)}, "results": {"bindings": found}} for at, found in rows.items()]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    files = [str(ROOT / "examples" / name) for name in ("sensor.rq", "sensors.nts")]
    done = CliRunner().invoke(app, ["verify", files[0], "--stream", files[1], "--answers", str(answers), "--t0", "1483850232556"])
    assert done.exit_code == 1
    assert "expected 1 rows, got 0" in done.stdout
    assert "why" not in done.stdout


def test_twelve_faults_have_a_name() -> None:
    assert len(REASONS) >= 12
    assert set(REASONS) | set(NAMELESS) | {Fault.NONE} == set(Fault)


def test_precision_and_recall_of_an_engine_that_loses_rows(tmp_path: Path) -> None:
    _, verdict = judged(tmp_path, Fault.LOSES_A_ROW)
    assert verdict["precision"] == 1.0
    assert 0 < float(str(verdict["recall"])) < 1
    windows = verdict["windows"]
    assert isinstance(windows, list)
    assert all(w["right"] == w["given"] == w["wanted"] - 1 for w in windows)


@pytest.mark.parametrize("evaluator", ["oxigraph", "rdflib"])
def test_another_evaluator_says_the_same(tmp_path: Path, evaluator: str) -> None:
    assert judged(tmp_path, Fault.NONE, "--evaluator", evaluator)[0] == 0
    code, verdict = judged(tmp_path, Fault.OPENING_BELONGS, "--evaluator", evaluator)
    assert (code, str(verdict["reason"]).partition(":")[0]) == (1, "its windows are closed, not left-open")


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ('{"at": 1}\n', "answers.ndjson, line 1: neither a result line of prsp nor CSRBench's JSON: there is no 'head'"),
        ("not json\n", "answers.ndjson, line 1: neither"),
        ('{"results":[{"timestamp":1}]}', "relation 1 is not as CSRBench writes it"),
        ('{"query":"other","at":1,"boolean":true}\n', "has no answers of q; it has those of other"),
        ("", "nothing to compare"),
    ],
)
def test_answers_that_cannot_be_read(tmp_path: Path, answers: str, told: str) -> None:
    (tmp_path / "answers.ndjson").write_text(answers, encoding="utf-8")
    (tmp_path / "q.rq").write_text(f"REGISTER QUERY q AS ASK FROM STREAM <{STREAM}> [RANGE 9s STEP 9s] {{ ?s ?p ?o }}", encoding="utf-8")
    (tmp_path / "stream.nts").write_text("<http://e/a> <http://e/p> <http://e/b> .\t1\n", encoding="utf-8")
    arguments = ["verify", str(tmp_path / "q.rq"), "--stream", str(tmp_path / "stream.nts"), "--answers", str(tmp_path / "answers.ndjson")]
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, InputError)
    assert told in str(done.exception)
