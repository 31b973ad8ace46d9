"""Files, globs, directories, gzip, CSV, TriG and N-Quads: the same elements, however they are read."""

import gzip
from pathlib import Path

import pytest

from prsp.errors import InputError
from prsp.source import StreamSource, read_split, resolve, splits_of
from prsp.source.files import StreamFormat
from tests.source.test_lines import elements

OM = "http://e/"


def read_all(source: StreamSource, split_bytes: int = 1 << 24) -> tuple[list[tuple[bytes, int]], list[tuple[int, str]], list[int]]:
    """Elements, rejects with the line number within each split's file, arrivals."""
    found, rejects, arrivals = [], [], []
    lines: dict[str, int] = {}
    for split in splits_of(resolve(source), 0, split_bytes):
        for batch in read_split(split, source):
            base = lines.get(split.file.path, 0)
            found += elements(batch)
            rejects += [(base + r.line, r.reason) for r in batch.rejects]
            arrivals += batch.arrivals.tolist()
            lines[split.file.path] = base + batch.lines
    return found, rejects, arrivals


TEXT = "".join(
    f'<http://e/{i}> <http://e/p> "{"x" * (i % 40)}" .\t{i}\n' if i % 7 else f"broken {i}\n# comment {i}\n\n" for i in range(200)
)


@pytest.mark.parametrize("split_bytes", [1, 2, 10, 37, 100, 1_000, 5_000, 1 << 24])
def test_any_split_gives_the_same_elements_and_line_numbers(tmp_path: Path, split_bytes: int) -> None:
    path = tmp_path / "a.nts"
    path.write_text(TEXT, encoding="utf-8")
    whole = read_all(StreamSource("s", str(path)))
    assert read_all(StreamSource("s", str(path)), split_bytes) == whole
    assert len(whole[0]) + len(whole[1]) == 200
    assert [TEXT.split("\n")[line - 1][:6] for line, _ in whole[1]] == ["broken"] * len(whole[1])
    assert whole[2] == sorted(set(whole[2]))


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_the_last_line_may_lack_its_end(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "a.nts"
    path.write_bytes(f"<http://e/a> <http://e/p> <http://e/o> .\t1\n<http://e/b> <http://e/p> <http://e/o> .\t2{ending}".encode())
    assert [time for _, time in read_all(StreamSource("s", str(path)))[0]] == [1, 2]


def test_gzip_gives_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.nts").write_text(TEXT, encoding="utf-8")
    with gzip.open(tmp_path / "b.nts.gz", "wt", encoding="utf-8") as out:
        out.write(TEXT)
    assert read_all(StreamSource("s", str(tmp_path / "a.nts"))) == read_all(StreamSource("s", str(tmp_path / "b.nts.gz")))


def test_a_broken_gzip_is_one_clear_error(tmp_path: Path) -> None:
    whole = gzip.compress(TEXT.encode())
    (tmp_path / "a.nts.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"a\.nts\.gz"):
        read_all(StreamSource("s", str(tmp_path / "a.nts.gz")))


def test_a_line_too_long_to_hold_is_rejected_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.nts"
    line = '<http://e/{}> <http://e/p> "{}" .\t{}\n'
    path.write_text(line.format("a", "", 1) + line.format("b", "x" * 5_000, 2) + line.format("c", "", 3), encoding="utf-8")
    for split_bytes in (50, 700, 1 << 24):
        found, rejects, _ = read_all(StreamSource("s", str(path), line_limit=200), split_bytes)
        assert [time for _, time in found] == [1, 3]
        assert rejects == [(2, "longer than 200 bytes")]


def test_globs_and_directories_are_read_by_name(tmp_path: Path) -> None:
    for name in ("b.nts", "a.nts", ".hidden.nts", "_temporary.nts"):
        (tmp_path / name).write_text(f"<http://e/{name[0]}> <http://e/p> <http://e/o> .\t1\n", encoding="utf-8")
    for location in (str(tmp_path), str(tmp_path / "[ab].nts")):
        assert [e[0][8:11].decode() for e in read_all(StreamSource("s", location))[0]] == ["e/a", "e/b"]


@pytest.mark.parametrize(
    ("name", "message"),
    [("nowhere.nts", "no such file"), ("x*.nts", "no such file"), ("", "no files to read"), ("data.xyz", "--stream-format")],
)
def test_a_source_that_cannot_be_used_is_said(tmp_path: Path, name: str, message: str) -> None:
    if name.endswith(".xyz"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=message):
        resolve(StreamSource("s", str(tmp_path / name)))


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(
        'subject,predicate,object,timestamp\r\n<http://e/s>,<http://e/p>,"""a,b""",5\r\n_:x,<http://e/p>,<http://e/o>,-6\n'
        "<http://e/s>,<http://e/p>\n<http://e/s>,<http://e/p>,oops,7\n<http://e/s>,<http://e/p>,<http://e/o>,soon\n",
        encoding="utf-8",
    )
    found, rejects, _ = read_all(StreamSource("s", str(path)))
    assert found == [(b'<http://e/s> <http://e/p> "a,b" .', 5), (b"_:x <http://e/p> <http://e/o> .", -6)]
    assert [line for line, _ in rejects] == [4, 5, 6]
    assert "2 columns" in rejects[0][1]


def test_csv_in_several_batches_keeps_its_line_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prsp.source.table._ROWS_AT_ONCE", 3)
    rows = [f"<http://e/{i}>,<http://e/p>,<http://e/o>,{i if i % 4 else 'x'}\n" for i in range(20)]
    (tmp_path / "a.csv").write_text("subject,predicate,object,timestamp\n" + "".join(rows), encoding="utf-8")
    found, rejects, arrivals = read_all(StreamSource("s", str(tmp_path / "a.csv")))
    assert [time for _, time in found] == [i for i in range(20) if i % 4]
    assert [line for line, _ in rejects] == [i + 2 for i in range(0, 20, 4)]
    assert arrivals == [i + 2 for i in range(20) if i % 4]


def test_csv_without_its_header_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,c,d\n<http://e/s>,<http://e/p>,<http://e/o>,1\n", encoding="utf-8")
    found, rejects, _ = read_all(StreamSource("s", str(tmp_path / "a.csv")))
    assert (len(found), rejects[0][0]) == (1, 1)
    assert "header" in rejects[0][1]


TRIG = """
@prefix : <http://e/> . @prefix prov: <http://www.w3.org/ns/prov#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:g1 prov:generatedAtTime 1000 . :g1 { :a :p :b , :c . :a :p :b }
:g2 prov:generatedAtTime "1970-01-01T00:00:02.5Z"^^xsd:dateTime . :g2 { :d :p :e }
:g3 { :lost :p :q }
:g4 prov:generatedAtTime 1, 2 . :g4 { :two :p :q }
:g5 prov:generatedAtTime "soon" . :g5 { :x :p :q }
"""


def test_trig_and_n_quads(tmp_path: Path) -> None:
    import pyoxigraph

    (tmp_path / "a.trig").write_text(TRIG, encoding="utf-8")
    quads = pyoxigraph.parse(TRIG, pyoxigraph.RdfFormat.TRIG)
    pyoxigraph.serialize(quads, str(tmp_path / "b.nq"), pyoxigraph.RdfFormat.N_QUADS)
    for name in ("a.trig", "b.nq"):
        found, rejects, _ = read_all(StreamSource("s", str(tmp_path / name)))
        assert sorted(found) == [
            (b"<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/p> <http://e/c> .", 1000),
            (b"<http://e/d> <http://e/p> <http://e/e> .", 2500),
        ]
        reasons = sorted(reason for _, reason in rejects)
        assert ["0 times" in reasons[0], "2 times" in reasons[1], "'soon'" in reasons[2]] == [True] * 3
        assert [reason.split(":")[0:2][1][:10] for reason in reasons] == ["//e/g3>", "//e/g4>", "//e/g5>"]


def test_trig_with_another_time_predicate(tmp_path: Path) -> None:
    text = "<http://e/g> <http://e/at> 7, 7 . <http://e/g> { <http://e/a> <http://e/p> 1 }\n"
    (tmp_path / "a.trig").write_text(text, encoding="utf-8")
    (tmp_path / "b.trig").write_text(
        text + "<http://e/h> <http://e/at> 8 . <http://e/h> { <http://e/a> <http://e/p> 1, oops", encoding="utf-8"
    )
    source = StreamSource("s", str(tmp_path / "a.trig"), time_predicate="http://e/at")
    assert [time for _, time in read_all(source)[0]] == [7]
    found, rejects, _ = read_all(StreamSource("s", str(tmp_path / "b.trig"), time_predicate="http://e/at"))
    assert found == [], "nobody can tell whether a graph before the error is complete"
    assert rejects[0][0] == 2
    assert "none of it is read" in rejects[0][1]


def test_a_bad_line_of_n_quads_does_not_hide_the_others(tmp_path: Path) -> None:
    lines = [f'<http://e/g{i}> <http://e/at> "{i}" .\n<http://e/s> <http://e/p> <http://e/o> <http://e/g{i}> .\n' for i in range(5)]
    (tmp_path / "a.nq").write_text("".join([*lines[:2], "oops\n", *lines[2:]]), encoding="utf-8")
    found, rejects, _ = read_all(StreamSource("s", str(tmp_path / "a.nq"), time_predicate="http://e/at"))
    assert [time for _, time in found] == [0, 1, 2, 3, 4]
    assert [line for line, _ in rejects] == [5]


@pytest.mark.parametrize("time", ["2017-W01-1", "2017-01-01", "12017-01-01T00:00:00Z", "2017-01-01T24:00:00", "2017-01-01T00:00:00+9"])
def test_what_is_no_date_time_is_rejected(tmp_path: Path, time: str) -> None:
    text = (
        f'<http://e/g> <http://e/at> "{time}"^^<http://www.w3.org/2001/XMLSchema#dateTime> . <http://e/g> {{ <http://e/a> <http://e/p> 1 }}'
    )
    (tmp_path / "a.trig").write_text(text, encoding="utf-8")
    found, rejects, _ = read_all(StreamSource("s", str(tmp_path / "a.trig"), time_predicate="http://e/at"))
    assert (found, len(rejects)) == ([], 1)


def test_long_csv_fields_and_broken_csv(tmp_path: Path) -> None:
    header = "subject,predicate,object,timestamp\n"
    row = '<http://e/s>,<http://e/p>,"""{}""",{}\n'
    text = (
        header
        + row.format("x" * 200_000, 1)
        + '<http://e/s>,"a"b,c,2\n'
        + row.format("y", 3)
        + "<http://e/s> <http://e/p>,,<http://e/o>,4\n"
    )
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    found, rejects, arrivals = read_all(StreamSource("s", str(tmp_path / "a.csv")))
    assert [time for _, time in found] == [1, 3]
    assert [line for line, _ in rejects] == [3, 5]
    assert len(set(arrivals)) == 2


def test_the_format_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "data.txt").write_text("<http://e/a> <http://e/p> <http://e/o> .\t1\n", encoding="utf-8")
    assert len(read_all(StreamSource("s", str(tmp_path / "data.txt"), StreamFormat.NTS))[0]) == 1
