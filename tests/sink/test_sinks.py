"""Sinks: every format, output that is cut back or written again after a crash, disks that are full for a while."""

import csv
import errno
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prsp.errors import InputError, OutputFailed, UnsupportedQuery
from prsp.model import QueryForm
from prsp.model.evaluation import Evaluation, Failure, WindowBounds
from prsp.model.labels import labelled
from prsp.model.result import Boolean, JsonSolutions, Result, Triples, solutions
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal
from prsp.parse import parse_query
from prsp.sink import CallbackSink, Format, encoder_of, open_sink
from prsp.sink import retry as retrying
from prsp.source import StreamSource, resolve
from prsp.source.read import Split, read_split, splits_of

SELECT = parse_query("REGISTER QUERY q AS SELECT ?a ?b FROM STREAM s [RANGE 1s] { ?a ?p ?b }")
LANG = Literal("é, “x”", RDF + "langString", "fr")


def evaluation(result: Result | None, at: int = 5, failure: Failure | None = None, query: str = "q") -> Evaluation:
    window = WindowBounds("http://e/s", 0, at, 3, 3)
    out = None if result is None else labelled(result)
    return Evaluation(f"id{at}", query, at, 0, (window,), "prsp;t0=0", "rstream", out, failure)


def rows() -> Result:
    return solutions(("a", "b"), [(IRI("http://e/1"), LANG), (BlankNode("s0_x"), Literal("1", XSD + "integer")), (BlankNode("f0"), None)])


def test_ndjson_has_its_keys_in_order_and_labels_of_ours() -> None:
    line = encoder_of(Format.NDJSON, QueryForm.SELECT, ("a", "b")).body(evaluation(rows()))
    assert line.endswith(b"}\n")
    assert b": " not in line, "it is compact"
    document = json.loads(line)
    assert list(document) == ["id", "query", "at", "seq", "windows", "profile", "operator", "head", "results"]
    labels = [row["a"]["value"] for row in document["results"]["bindings"]]
    assert labels == ["http://e/1", "s0_x", "q0"]
    failed = json.loads(encoder_of(Format.NDJSON, QueryForm.SELECT, ()).body(evaluation(None, failure=Failure("EngineError", "no"))))
    assert (list(failed)[-1], failed["error"]) == ("error", {"kind": "EngineError", "message": "no"})


@pytest.mark.parametrize(
    "payload",
    [
        b'{"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"http://e/1"}}]}}',
        b'{ "head": {\n "vars": [ "a" ] } ,\n "results": { "bindings": [ { "a": { "type": "uri" , "value": "http://e/1" } } ] } }\n',
    ],
)
def test_json_of_an_engine_is_passed_on_compact(payload: bytes) -> None:
    line = evaluation(JsonSolutions(payload)).json()
    assert b"\n" not in line
    assert line.endswith(b'"head":{"vars":["a"]},"results":{"bindings":[{"a":{"type":"uri","value":"http://e/1"}}]}}')


def test_csv_has_a_row_per_solution_and_one_for_a_failure() -> None:
    encoder = encoder_of(Format.CSV, QueryForm.SELECT, ("a", "b"))
    text = encoder.head() + encoder.body(evaluation(rows())) + encoder.body(evaluation(None, 6, Failure("EngineError", "no")))
    table = list(csv.reader(io.StringIO(text.decode())))
    assert table == [
        ["at", "seq", "error", "a", "b"],
        ["5", "0", "", "http://e/1", "é, “x”"],
        ["5", "0", "", "_:s0_x", "1"],
        ["5", "0", "", "_:q0", ""],
        ["6", "0", "EngineError: no", "", ""],
    ]
    asked = encoder_of(Format.CSV, QueryForm.ASK, ())
    assert (asked.head() + asked.body(evaluation(Boolean(True)))).decode() == "at,seq,error,boolean\n5,0,,true\n"


@pytest.mark.parametrize("form", [Format.NT, Format.CSV])
def test_triples_are_a_stream_another_query_can_read(form: Format, tmp_path: Path) -> None:
    encoder = encoder_of(form, QueryForm.CONSTRUCT, ())
    triples = Triples(b'_:f1 <http://e/p> "a \\" _:q0 \\t b"@en .\n_:s0_k <http://e/p> _:f1 .\n<http://e/x> <http://e/p> "1" .\n')
    text = encoder.head() + b"".join(encoder.body(evaluation(triples, at)) for at in (5, 7))
    path = tmp_path / f"made.{encoder.extension}"
    path.write_bytes(text)
    source = StreamSource("made", str(path))
    found = [batch for split in _splits(source) for batch in read_split(split, source)]
    assert [len(batch.rejects) for batch in found] == [0] * len(found)
    assert sorted(time for batch in found for time in batch.times.tolist()) == [5, 5, 5, 7, 7, 7]
    # A node the query made is another one at another instant; one of a stream is the same.
    assert text.count(b"_:q0_5_0") == text.count(b"_:q0_7_0") == 2
    assert text.count(b"_:s0_k ") + text.count(b"_:s0_k,") == 2
    assert b"_:q0 " in text, "what stands in a literal stays"


def _splits(source: StreamSource) -> list[Split]:
    return splits_of(resolve(source), 0)


def test_stream_text_is_for_triples_alone_and_says_what_failed() -> None:
    with pytest.raises(UnsupportedQuery, match="--format nt writes triples"):
        encoder_of(Format.NT, QueryForm.SELECT, ("a",))
    failed = encoder_of(Format.NT, QueryForm.CONSTRUCT, ()).body(evaluation(None, failure=Failure("EngineError", "two\nlines")))
    assert failed == b"# failed at 5: EngineError: two lines\n"


def test_a_table_shows_windows_rows_and_failures() -> None:
    encoder = encoder_of(Format.TABLE, QueryForm.SELECT, ("a", "b"))
    text = encoder.body(evaluation(rows())).decode()
    assert "q at 5  rstream  http://e/s [0, 5] 3 elements" in text
    assert "<http://e/1>" in text
    assert "é, “x”@fr" in text
    assert "0 rows" in encoder.body(evaluation(solutions(("a", "b"), []))).decode()
    assert "failed: EngineError: [no]" in encoder.body(evaluation(None, failure=Failure("EngineError", "[no]"))).decode()


def test_a_file_is_refused_replaced_or_cut_back(tmp_path: Path) -> None:
    name = str(tmp_path / "out")
    sink = open_sink(name, Format.NDJSON, SELECT)
    sink.write(evaluation(rows(), 1))
    committed = sink.length
    sink.write(evaluation(rows(), 2))
    sink.flush()
    sink.close()
    with pytest.raises(InputError, match="exists; --overwrite"):
        open_sink(name, Format.NDJSON, SELECT)
    resumed = open_sink(name, Format.NDJSON, SELECT, resume_at=committed)
    resumed.write(evaluation(rows(), 2))
    resumed.close()
    assert [json.loads(line)["at"] for line in Path(name).read_bytes().splitlines()] == [1, 2]
    with pytest.raises(InputError, match="gone or shorter"):
        open_sink(name, Format.NDJSON, SELECT, resume_at=10**6)
    open_sink(name, Format.NDJSON, SELECT, overwrite=True).close()
    assert Path(name).read_bytes() == b""


def test_the_head_of_a_csv_file_stands_once_also_after_a_restart(tmp_path: Path) -> None:
    name = str(tmp_path / "out.csv")
    first = open_sink(name, Format.CSV, SELECT)
    first.write(evaluation(rows(), 1))
    first.close()
    again = open_sink(name, Format.CSV, SELECT, resume_at=first.length)
    again.write(evaluation(rows(), 2))
    again.close()
    assert Path(name).read_text(encoding="utf-8").count("at,seq,error") == 1


def test_a_folder_has_a_file_per_evaluation_put_in_place_at_once(tmp_path: Path) -> None:
    name = f"{tmp_path}/new/"
    sink = open_sink(name, Format.NDJSON, SELECT)
    for at in (-3, 12):
        sink.write(evaluation(rows(), at))
    sink.flush()
    found = sorted(path.name for path in (tmp_path / "new" / "q").iterdir())
    assert found == ["-0000000000000000003-0.ndjson", "00000000000000000012-0.ndjson"]
    before = (tmp_path / "new" / "q" / found[1]).read_bytes()
    (tmp_path / "new" / "q" / ".half.part").write_bytes(b"{")
    again = open_sink(name, Format.NDJSON, SELECT, resume_at=1)
    again.write(evaluation(rows(), 12))
    assert (tmp_path / "new" / "q" / found[1]).read_bytes() == before
    assert sorted(path.name for path in (tmp_path / "new" / "q").iterdir()) == found, "what was half written is gone"
    with pytest.raises(InputError, match="has results already"):
        open_sink(name, Format.NDJSON, SELECT)
    with pytest.raises(InputError, match="fewer than"):
        open_sink(name, Format.NDJSON, SELECT, resume_at=9)


def test_names_of_queries_are_safe_as_names_of_folders(tmp_path: Path) -> None:
    odd = parse_query("REGISTER QUERY <http://e/../xy> AS ASK FROM STREAM s [RANGE 1s] {}")
    sink = open_sink(f"{tmp_path}/o/", Format.NDJSON, odd)
    sink.write(evaluation(Boolean(True)))
    sink.close()
    (folder,) = (tmp_path / "o").iterdir()
    assert "/" not in folder.name
    assert folder.parent == tmp_path / "o"


def test_a_run_that_fails_before_its_first_result_leaves_nothing(tmp_path: Path) -> None:
    for name in (str(tmp_path / "file"), f"{tmp_path}/a/folder/"):
        open_sink(name, Format.NDJSON, SELECT).close(failed=True)
    assert list(tmp_path.iterdir()) == []


class Flaky:
    """Fails so many times, then does it."""

    def __init__(self, times: int, does: Callable[..., Any]) -> None:
        self.left, self.does = times, does

    def __call__(self, *arguments: Any) -> Any:
        self.left -= 1
        if self.left >= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.does(*arguments)


def test_a_disk_that_is_full_for_a_while_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "PAUSES", (0.0, 0.0, 0.0))
    taken: list[Evaluation] = []
    sink = CallbackSink(Flaky(3, taken.append))
    sink.write(evaluation(rows()))
    assert len(taken) == 1
    with pytest.raises(OutputFailed, match=r"No space left on device, also when tried 4 times.*--checkpoint"):
        CallbackSink(Flaky(4, taken.append)).write(evaluation(rows()))


def test_a_write_that_got_half_through_is_completed_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "PAUSES", (0.0, 0.0, 0.0))
    sink: Any = open_sink(str(tmp_path / "out"), Format.NDJSON, SELECT)
    file = sink._file

    class Half:
        calls = 0

        def write(self, data: memoryview) -> int:
            Half.calls += 1
            if Half.calls == 2:
                raise OSError(errno.ENOSPC, "No space left on device")
            return int(file.write(data[:10]))

        def __getattr__(self, name: str) -> Any:
            return getattr(file, name)

    sink._file = Half()
    sink.write(evaluation(rows()))
    sink.close()
    assert (tmp_path / "out").read_bytes() == evaluation(rows()).json() + b"\n"
