"""Logs and windows for tests: files are written, cut and committed the way a run does it."""

from pathlib import Path

from prsp.model.profile import Bounds, Strategy
from prsp.model.snapshot import Contribution, Snapshot
from prsp.model.window import CountWindow, TimeWindow
from prsp.source import StreamSource, resolve, splits_of
from prsp.transform.evaluations import Evaluations
from prsp.transform.log import PaneLog
from prsp.transform.reference import Element
from prsp.transform.storage import Storage
from prsp.transform.streams import CountStream, QueryStream, TimeStream
from prsp.transform.task import run_split
from prsp.trigger import Grid, policy_of


def triple(subject: object, value: object = 0) -> str:
    return f'<http://e/{subject}> <http://e/p> "{value}" .'


def write(path: Path, elements: list[Element]) -> None:
    path.write_text("".join(f"{e.content}\t{e.time}\n" for e in elements), encoding="utf-8")


def log_of(folder: Path, elements: list[Element], *, pane: int = 100, split_bytes: int = 1 << 24) -> PaneLog:
    """A log of one file, cut in this process."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "stream.nts", elements)
    return log_of_files(folder, str(folder / "stream.nts"), pane=pane, split_bytes=split_bytes)


def log_of_files(folder: Path, location: str, *, pane: int = 100, split_bytes: int = 1 << 24) -> PaneLog:
    source = StreamSource("s", location)
    files = resolve(source)
    log = PaneLog.create(Storage(str(folder / "log")), "s", pane)
    splits = splits_of(files, 0, split_bytes)
    log.commit(0, [(f"{n:06d}", run_split(split, f"{n:06d}", source, log.storage, pane)) for n, split in enumerate(splits)], len(files))
    return log


def stream_of(log: PaneLog, window: TimeWindow | CountWindow, t0: int, bounds: Bounds, lateness: int | None = None) -> QueryStream:
    if isinstance(window, CountWindow):
        return CountStream("s", None, log, window, lateness)
    return TimeStream("s", None, log, Grid(window.range, window.step, t0, bounds), lateness)


def evaluations_of(stream: QueryStream, t0: int) -> Evaluations:
    list(stream.account(list(stream.log.parts())))
    return Evaluations([stream], policy_of((Strategy.WINDOW_CLOSE,), None), t0)


def content(item: Contribution | Snapshot) -> list[tuple[int, str]]:
    """The elements as sorted (time, line) pairs; one triple each."""
    contributions = item.contributions if isinstance(item, Snapshot) else (item,)
    return sorted(
        (time, line.decode()) for c in contributions for s in c.slices for time, line in zip(s.times(), s.data().splitlines(), strict=True)
    )
