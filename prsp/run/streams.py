"""The streams of a run: their logs, and each query's windows over them."""

from __future__ import annotations

import gzip
from pathlib import Path

from prsp.errors import InputError
from prsp.model.pane import Part, pane_length
from prsp.model.profile import Bounds, Origin, Placement
from prsp.model.query import ContinuousQuery, StreamWindow
from prsp.model.window import CountWindow, TimeWindow
from prsp.run.options import RunOptions
from prsp.run.summary import StreamCounts
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
    streams = [_stream(options, s, logs[s.iri], origin, lateness) for s in query.streams]
    policy = policy_of(profile.report_for(query.registration.every), query.registration.every)
    return Evaluations(streams, policy, origin)


def _stream(options: RunOptions, window: StreamWindow, log: PaneLog, origin: int, lateness: int | None) -> QueryStream:
    profile = options.profile
    graph = window.iri if window.named and profile.placement is Placement.AS_WRITTEN else None
    # Labels belong to the stream: two windows on one stream share them.
    scope = f"s{next(i for i, other in enumerate(options.query.streams) if other.iri == window.iri)}_"
    if isinstance(window.window, CountWindow):
        return CountStream(window.iri, graph, log, window.window, lateness, scope)
    own = options.origins.get(window.iri, origin)
    opens = own - window.window.range if profile.origin is Origin.ENDS else own
    grid = Grid(window.window.range, window.window.step, opens, profile.bounds)
    return TimeStream(window.iri, graph, log, grid, lateness, scope)


def stream_counts(query: str, evaluations: Evaluations | None, logs: dict[str, PaneLog]) -> list[StreamCounts]:
    """What became of every element; without an evaluation there was none to be in a window."""
    if evaluations is None:
        return [StreamCounts(query, iri, log.rejected, 0, 0, 0, log.rejected) for iri, log in logs.items()]
    return [
        StreamCounts(
            query, s.stream, s.log.accepted + s.log.rejected, s.tally.in_windows, s.tally.in_no_window, s.tally.late, s.log.rejected
        )
        for s in evaluations.streams
    ]


def smallest_step(query: ContinuousQuery) -> int | None:
    """The smallest step of the query's time windows or periods: what a gap is measured in."""
    steps = [s.window.step for s in query.streams if isinstance(s.window, TimeWindow)]
    if query.registration.every is not None:
        steps.append(query.registration.every)
    return min(steps, default=None)


def first_due(evaluations: Evaluations) -> int:
    """Before this instant no window of the query is due."""
    return min((s.grid.origin for s in evaluations.streams if isinstance(s, TimeStream)), default=evaluations.origin)


def check_origin(options: RunOptions, evaluations: Evaluations) -> None:
    """Refuse a t0 so far before the first element that the windows between cannot be meant."""
    step = smallest_step(options.query)
    smallest = min((s.log.smallest for s in evaluations.streams if s.log.smallest is not None), default=None)
    if step is not None and smallest is not None and smallest - first_due(evaluations) > options.max_gap * step:
        raise InputError(
            f"t0 {first_due(evaluations)} lies {(smallest - first_due(evaluations)) // step} windows before the first element "
            f"({smallest}); --max-gap allows {options.max_gap}. Is t0 in milliseconds?"
        )


def check_gaps(options: RunOptions, evaluations: Evaluations, logs: dict[str, PaneLog]) -> None:
    """Refuse a stretch with more due windows than can be meant: it is a mistake in the data."""
    step = smallest_step(options.query)
    if step is None:
        return
    limit, start = options.max_gap * step, first_due(evaluations)
    largest: int | None = None
    for log, part in sorted(((owner, part) for owner in logs.values() for part in owner.parts()), key=lambda item: item[1].first):
        times = log.integers(part, "times").tolist() if part.last - part.first > limit else [part.first, part.last]
        for time in times:
            if largest is not None and time - max(largest, start) > limit:
                raise InputError(
                    f"{_place(log, part, time)}: timestamp {time} is {(time - max(largest, start)) // step} windows after the element "
                    f"before it ({largest}); --max-gap allows {options.max_gap}. Are all timestamps in milliseconds?"
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
