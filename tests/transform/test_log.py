"""The pane log: durable, readable by others, small, and safe against crashes."""

import contextlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prsp.errors import InputError
from prsp.model.profile import Bounds
from prsp.model.snapshot import Contribution, Snapshot
from prsp.model.window import CountWindow, TimeWindow
from prsp.source import StreamSource, splits_of
from prsp.source.files import describe
from prsp.transform.log import PaneLog
from prsp.transform.merge import merge_closed
from prsp.transform.reference import Element
from prsp.transform.slices import between
from prsp.transform.storage import Storage
from prsp.transform.task import run_split
from tests.transform.build import content, evaluations_of, log_of, stream_of, triple, write


def fed(folder: Path, files: list[list[Element]], pane: int = 50) -> PaneLog:
    """A log fed one file a batch."""
    folder.mkdir(parents=True, exist_ok=True)
    source = StreamSource("s", str(folder))
    log = PaneLog.create(Storage(str(folder / "log")), "s", pane)
    for batch, elements in enumerate(files):
        path = folder / f"f{batch}.nts"
        write(path, elements)
        splits = splits_of([describe(source, str(path))], log.files)
        names = [f"{batch:012d}-{n:06d}" for n in range(len(splits))]
        log.commit(batch, [(n, run_split(s, n, source, log.storage, pane)) for n, s in zip(names, splits, strict=True)], 1)
    return log


def windows(log: PaneLog, *, lateness: int | None = 20) -> list[object]:
    shown: list[object] = []
    for window in (TimeWindow(90, 40), CountWindow(7, 3)):
        stream = stream_of(log, window, 0, Bounds.CLOSED, lateness)
        shown += [(w.at, w.seq, content(w)) for w in evaluations_of(stream, 0).flush()]
        shown.append(stream.tally)
    return shown


def small_files(count: int = 12) -> list[list[Element]]:
    """Sixty elements in small files, out of order within 30 ms, with one far behind."""
    times = sorted(range(0, 540, 9), key=lambda t: (t // 30, -t))
    times[40] = 100
    mixed = [Element(triple(i % 4, i), t) for i, t in enumerate(times)]
    size = -(-len(mixed) // count)
    return [mixed[i : i + size] for i in range(0, len(mixed), size)]


def test_the_layout_is_as_documented(tmp_path: Path) -> None:
    log_of(tmp_path, [Element(triple("a"), 5), Element(triple("b"), 250), Element(triple("c"), 10)], pane=100)
    folder = tmp_path / "log"
    assert json.loads((folder / "manifest.json").read_bytes()) == {"version": 1, "stream": "s", "pane": 100}
    (panes,) = (folder / "panes").iterdir()
    rows = pq.read_table(panes).to_pylist()
    assert [(r["pane"], r["elements"], r["triples"], r["first"], r["last"], r["times"]) for r in rows] == [
        (0, 2, 2, 5, 10, [5, 10]),
        (2, 1, 1, 250, 250, [250]),
    ]
    first = rows[0]
    assert first["data"][: first["ends"][0]].decode() == triple("a") + "\n"
    assert (first["overtaken"], first["seen"]) == ([1], [250])


def test_a_log_opened_again_gives_the_same_windows(tmp_path: Path) -> None:
    log = fed(tmp_path, small_files())
    again = PaneLog.open(log.storage)
    assert again is not None
    assert windows(again) == windows(log)
    assert (again.accepted, again.files, again.largest, again.smallest) == (log.accepted, log.files, log.largest, log.smallest)


def test_merging_changes_nothing_but_the_number_of_files(tmp_path: Path) -> None:
    log = fed(tmp_path, small_files())
    before = windows(log)
    assert not merge_closed(log, log.largest, fewest=100)
    assert merge_closed(log, log.largest - 60, fewest=2)
    assert windows(log) == before
    again = PaneLog.open(log.storage)
    assert again is not None
    assert windows(again) == before
    assert len(list((tmp_path / "log" / "panes").iterdir())) < 8
    assert merge_closed(again, log.largest + 1, fewest=2), "a merged stretch can be merged again"
    assert windows(again) == before


@pytest.mark.parametrize("step", range(12))
def test_a_merge_that_crashes_anywhere_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    log = fed(tmp_path, small_files())
    before = windows(log)
    calls = 0

    def counted(method: object) -> object:
        def call(self: Storage, *arguments: object) -> object:
            nonlocal calls
            calls += 1
            if calls > step:
                raise KeyboardInterrupt
            return method(self, *arguments)  # type: ignore[operator]

        return call

    for name in ("write", "finish", "delete"):
        monkeypatch.setattr(Storage, name, counted(getattr(Storage, name)))
    with contextlib.suppress(KeyboardInterrupt):
        merge_closed(log, log.largest - 60, fewest=2)
    monkeypatch.undo()
    again = PaneLog.open(Storage(log.storage.root))
    assert again is not None
    assert windows(again) == before


def test_dropping_keeps_what_later_windows_need_and_the_counts(tmp_path: Path) -> None:
    log = fed(tmp_path, small_files())
    stream = stream_of(log, TimeWindow(90, 40), 0, Bounds.CLOSED)
    everything = [(w.at, content(w)) for w in evaluations_of(stream, 0).flush()]
    accepted, files = log.accepted, len(list((tmp_path / "log" / "panes").iterdir()))
    log.drop_before(everything[-4][0] - 90)
    for opened in (log, PaneLog.open(log.storage)):
        assert opened is not None
        later = [(w.at, content(w)) for w in evaluations_of(stream_of(opened, TimeWindow(90, 40), 0, Bounds.CLOSED), 0).flush()]
        assert later[-4:] == everything[-4:]
        assert opened.accepted == accepted
    assert len(list((tmp_path / "log" / "panes").iterdir())) < files


def test_a_long_life_leaves_few_files(tmp_path: Path) -> None:
    log = fed(tmp_path, [[Element(triple(i), i * 10), Element("broken" if i % 50 == 7 else triple("x"), i * 10)] for i in range(100)])
    for time in range(0, 1_000, 100):
        merge_closed(log, time)
        log.drop_before(time - 100)
    again = PaneLog.open(log.storage)
    assert again is not None
    for opened in (log, again):
        assert (opened.accepted, opened.rejected, opened.files) == (198, 2, 100)
        assert [split.file.rpartition("/")[2] for split in opened.splits if split.rejected] == [f"f{i}.nts" for i in (7, 57)]
    assert len(log.storage.names("index")) < 70
    assert len(log.storage.names("panes")) < 70


def test_an_unfinished_batch_is_not_part_of_the_log(tmp_path: Path) -> None:
    log = fed(tmp_path, small_files())
    again = PaneLog.open(log.storage, batches=5)
    assert again is not None
    assert again.files == 5
    assert all(int(name.split("-")[0]) < 5 for name in log.storage.names("panes"))


def test_another_version_is_refused(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    PaneLog.create(storage, "s", 100)
    storage.write("manifest.json", b'{"version": 99}')
    with pytest.raises(InputError, match="version 99"):
        PaneLog.open(storage)


def test_no_log_is_none(tmp_path: Path) -> None:
    assert PaneLog.open(Storage(str(tmp_path / "nothing"))) is None


def test_where_blank_nodes_are_is_known_and_their_labels_are_kept_apart(tmp_path: Path) -> None:
    elements = [Element(triple(n), n * 10) for n in range(40)]
    elements[25] = Element("<http://e/s> <http://e/p> _:b .", 250)
    log = log_of(tmp_path, elements)
    slices = between(log, 0, 1_000, reach=None, scope="s0_")
    assert [piece.blank_nodes for piece in slices] == [False, False, True, False]
    assert b"<http://e/p> _:s0_b ." in slices[2].data()
    snapshot = Snapshot(0, 0, (Contribution("s", None, 0, 0, slices),))
    assert snapshot.blank_nodes() is True
    assert snapshot.in_memory().blank_nodes() is True
    assert Snapshot(0, 0, (Contribution("s", None, 0, 0, slices[:2]),)).in_memory().blank_nodes() is False
