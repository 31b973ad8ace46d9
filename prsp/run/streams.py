"""The streams of a run: their logs, and each query's windows over them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

from prsp.errors import InputError
from prsp.model.pane import Part, pane_length
from prsp.model.profile import Bounds, Origin, Placement
from prsp.model.query import StreamWindow
from prsp.model.window import CountWindow, TimeWindow
from prsp.run.options import Registered, RunOptions
from prsp.source import StreamFormat
from prsp.source.read import FILE_SHIFT
from prsp.transform.evaluations import Evaluations
from prsp.transform.log import PaneLog
from prsp.transform.storage import Storage
from prsp.transform.streams import CountStream, QueryStream, TimeStream
from prsp.trigger import Grid, policy_of

_COUNT_PANE = 1_000
_NEWLINE = b"\n"


def open_logs(options: RunOptions, root: str, *, batches: int | None = None) -> dict[str, PaneLog]:
    """One log per stream from outside in a folder, made when it is not there."""
    logs: dict[str, PaneLog] = {}
    for number, iri in enumerate(options.sources):
        storage = Storage(f"{root}/streams/{number}")
        log = PaneLog.open(storage, batches=batches)
        if log is None:
            log = new_log(options, iri, storage)
        elif log.stream != iri:
            raise InputError(f"{storage.root} holds stream {log.stream}, not {iri}: is this checkpoint another query's?")
        logs[iri] = log
    return logs


def new_log(options: RunOptions, iri: str, storage: Storage) -> PaneLog:
    """An empty log whose panes suit the first window that is read from it."""
    window = next(s.window for registered in options.queries for s in registered.query.streams if s.iri == iri)
    return PaneLog.create(storage, iri, _COUNT_PANE if isinstance(window, CountWindow) else pane_length(window.range))


def origin_of(registered: Registered, logs: Mapping[str, PaneLog]) -> int | None:
    """t0: what the user says, else the smallest time of the query's streams, a millisecond less with left-open bounds."""
    profile = registered.profile
    if profile.t0 is not None:
        return profile.t0
    own = [logs[s.iri] for s in registered.query.streams]
    smallest = min((log.smallest for log in own if log.smallest is not None), default=None)
    return None if smallest is None else smallest - (profile.bounds is Bounds.LEFT_OPEN)


def evaluations_of(registered: Registered, logs: Mapping[str, PaneLog], origin: int, lateness: int | None) -> Evaluations:
    """The query's windows over the logs."""
    query, profile = registered.query, registered.profile
    streams = [_stream(registered, s, logs[s.iri], origin, lateness) for s in query.streams]
    every = query.registration.every
    return Evaluations(streams, policy_of(profile.report_for(every), profile.every_for(every), profile.bound), origin)


def _stream(registered: Registered, window: StreamWindow, log: PaneLog, origin: int, lateness: int | None) -> QueryStream:
    profile = registered.profile
    graph = window.iri if window.named and profile.placement is Placement.AS_WRITTEN else None
    # Labels belong to the stream: two windows on one stream share them.
    scope = f"s{next(i for i, other in enumerate(registered.query.streams) if other.iri == window.iri)}_"
    if isinstance(window.window, CountWindow):
        return CountStream(window.iri, graph, log, window.window, lateness, scope)
    own = registered.origins.get(window.iri, origin)
    opens = own - window.window.range if profile.origin is Origin.ENDS else own
    grid = Grid(window.window.range, window.window.step, opens, profile.bounds)
    return TimeStream(window.iri, graph, log, grid, lateness, scope)


def smallest_step(registered: Registered) -> int | None:
    """The smallest step of the query's time windows or periods: what a gap is measured in."""
    query = registered.query
    steps = [s.window.step for s in query.streams if isinstance(s.window, TimeWindow)]
    every = registered.profile.every_for(query.registration.every)
    return min([*steps, *([] if every is None else [every])], default=None)


def first_due(evaluations: Evaluations) -> int:
    """Before this instant no window of the query is due."""
    return min((s.grid.origin for s in evaluations.streams if isinstance(s, TimeStream)), default=evaluations.origin)


def check_origin(registered: Registered, evaluations: Evaluations, max_gap: int) -> None:
    """Refuse a t0 so far before the first element that the windows between cannot be meant."""
    step = smallest_step(registered)
    smallest = min((s.log.smallest for s in evaluations.streams if s.log.smallest is not None), default=None)
    if step is not None and smallest is not None and smallest - first_due(evaluations) > max_gap * step:
        raise InputError(
            f"t0 {first_due(evaluations)} lies {(smallest - first_due(evaluations)) // step} windows before the first element "
            f"({smallest}); --max-gap allows {max_gap}. Is t0 in milliseconds?"
        )


def check_gaps(registered: Registered, evaluations: Evaluations, max_gap: int) -> None:
    """Refuse a stretch with more due windows than can be meant: it is a mistake in the data."""
    step = smallest_step(registered)
    if step is None:
        return
    limit, start = max_gap * step, first_due(evaluations)
    largest: int | None = None
    logs = dict.fromkeys(stream.log for stream in evaluations.streams)
    for log, part in sorted(((owner, part) for owner in logs for part in owner.parts()), key=lambda item: item[1].first):
        times = log.integers(part, "times").tolist() if part.last - part.first > limit else [part.first, part.last]
        for time in times:
            if largest is not None and time - max(largest, start) > limit:
                raise InputError(
                    f"{_place(log, part, time)}: timestamp {time} is {(time - max(largest, start)) // step} windows after the element "
                    f"before it ({largest}); --max-gap allows {max_gap}. Are all timestamps in milliseconds?"
                )
            largest = time if largest is None else max(largest, time)


def _place(log: PaneLog, part: Part, time: int) -> str:
    """File and line of the first element of a part with that time, found again in the source."""
    position = log.integers(part, "times").tolist().index(time)
    offset = int(log.integers(part, "arrivals")[position]) & ((1 << FILE_SHIFT) - 1)
    name = part.file.removeprefix("panes/").removesuffix(".parquet")
    file = next(split.file for split in log.splits if split.name == name)
    kind = file.removesuffix(".gz").rpartition(".")[2]
    if kind == StreamFormat.CSV:
        return f"{file}, line {offset}"
    if kind in (StreamFormat.TRIG, StreamFormat.NQUADS):
        return file
    with gzip.open(file, "rb") if file.endswith(".gz") else Path(file).open("rb") as stream:
        return f"{file}, line {stream.read(offset).count(_NEWLINE) + 1}"
