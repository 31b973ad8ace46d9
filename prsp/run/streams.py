"""The streams of a run: their logs, and each query's windows over them."""

from __future__ import annotations

import gzip
from pathlib import Path

from prsp.errors import InputError
from prsp.model.pane import BEFORE_ALL, pane_length
from prsp.model.profile import Bounds, Origin, Placement
from prsp.model.query import StreamWindow
from prsp.model.window import CountWindow
from prsp.run.options import RunOptions
from prsp.source.read import FILE_SHIFT
from prsp.transform.evaluations import Evaluations
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from prsp.transform.streams import CountStream, QueryStream, TimeStream
from prsp.trigger import Grid, policy_of

_COUNT_PANE = 1_000
_NEWLINE = b"\n"


def open_logs(options: RunOptions, root: str, *, batches: int | None = None) -> dict[str, PaneLog]:
    """One log per stream in a folder, made when it is not there."""
    logs: dict[str, PaneLog] = {}
    for number, iri in enumerate(dict.fromkeys(s.iri for s in options.query.streams)):
        storage = Storage(f"{root}/streams/{number}")
        log = PaneLog.open(storage, batches=batches)
        if log is None:
            window = next(s.window for s in options.query.streams if s.iri == iri)
            log = PaneLog.create(storage, iri, _COUNT_PANE if isinstance(window, CountWindow) else pane_length(window.range))
        elif log.stream != iri:
            raise InputError(f"{storage.root} holds stream {log.stream}, not {iri}: is this checkpoint another query's?")
        logs[iri] = log
    return logs


def origin_of(options: RunOptions, logs: dict[str, PaneLog]) -> int | None:
    """t0: what the user says, else the smallest time there is, a millisecond less with left-open bounds."""
    if options.profile.t0 is not None:
        return options.profile.t0
    smallest = min((log.smallest for log in logs.values() if log.smallest is not None), default=None)
    return None if smallest is None else smallest - (options.profile.bounds is Bounds.LEFT_OPEN)


def evaluations_of(options: RunOptions, logs: dict[str, PaneLog], origin: int, lateness: int | None) -> Evaluations:
    """The query's windows over the logs."""
    query, profile = options.query, options.profile
    streams = [_stream(options, s, number, logs[s.iri], origin, lateness) for number, s in enumerate(query.streams)]
    policy = policy_of(profile.report_for(query.registration.every), query.registration.every)
    return Evaluations(streams, policy, origin)


def _stream(options: RunOptions, window: StreamWindow, number: int, log: PaneLog, origin: int, lateness: int | None) -> QueryStream:
    profile = options.profile
    graph = window.iri if window.named and profile.placement is Placement.AS_WRITTEN else None
    scope = f"s{number}_"
    if isinstance(window.window, CountWindow):
        return CountStream(window.iri, graph, log, window.window, lateness, scope)
    own = options.origins.get(window.iri, origin)
    opens = own - window.window.range if profile.origin is Origin.ENDS else own
    grid = Grid(window.window.range, window.window.step, opens, profile.bounds)
    return TimeStream(window.iri, graph, log, grid, lateness, scope)


def smallest_step(evaluations: Evaluations) -> int | None:
    """The smallest step of the query's time windows or periods: what a gap is measured in."""
    steps = [s.grid.step for s in evaluations.streams if isinstance(s, TimeStream)]
    if evaluations.policy.every is not None:
        steps.append(evaluations.policy.every)
    return min(steps, default=None)


def check_gaps(options: RunOptions, evaluations: Evaluations, log: PaneLog) -> None:
    """Refuse a stretch with more due windows than can be meant: it is a mistake in the data or in t0."""
    step = smallest_step(evaluations)
    if step is None or log.smallest is None:
        return
    limit = options.max_gap * step
    if log.smallest - evaluations.origin > limit:
        raise InputError(
            f"t0 {evaluations.origin} lies {(log.smallest - evaluations.origin) // step} windows before the first element of {log.stream} "
            f"({log.smallest}); --max-gap allows {options.max_gap}. Is t0 in milliseconds?"
        )
    largest = BEFORE_ALL
    for part in log.parts():
        times = log.integers(part, "times").tolist() if log.pane > limit else [part.first, part.last]
        for time in times:
            if largest != BEFORE_ALL and time - largest > limit:
                place = _place(log, part.file, time)
                raise InputError(
                    f"{place}: timestamp {time} is {(time - largest) // step} windows after the element before it ({largest}); "
                    f"--max-gap allows {options.max_gap}. Are all timestamps in milliseconds?"
                )
            largest = max(largest, time)


def _place(log: PaneLog, pane_file: str, time: int) -> str:
    """File and line of the first element with a time, found again in the source."""
    part = next(p for p in log.parts_between(time, time) if p.file == pane_file)
    times = log.integers(part, "times").tolist()
    arrival = int(log.integers(part, "arrivals")[times.index(time)])
    name = pane_file.removeprefix("panes/").removesuffix(".parquet")
    file = next(split.file for split in log.splits if split.name == name)
    if file.endswith((".nts", ".nts.gz")):
        offset = arrival & ((1 << FILE_SHIFT) - 1)
        with gzip.open(file, "rb") if file.endswith(".gz") else Path(file).open("rb") as stream:
            return f"{file}, line {stream.read(offset).count(_NEWLINE) + 1}"
    return file
