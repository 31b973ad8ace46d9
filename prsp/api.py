"""prsp from Python, also from a notebook: parse a query, run it over streams, iterate its evaluations, close.

``run`` is the door; an ``Evaluation`` hands out rows, Arrow or pandas; every error is a ``PrspError``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from prsp.backend import Backend, open_backend
from prsp.errors import InputError, PrspError
from prsp.model.evaluation import Evaluation
from prsp.model.profile import PROFILES, Profile
from prsp.model.query import ContinuousQuery
from prsp.parse import parse_query
from prsp.parse.duration import parse_duration
from prsp.run import RunOptions, Status, Summary, Where, read_from_outside, register
from prsp.run.handle import Run
from prsp.run.opened import Opened, StreamInput

__all__ = ["PROFILES", "ContinuousQuery", "Evaluation", "PrspError", "Run", "Status", "StreamInput", "Summary", "parse_query", "run"]

Duration = int | str
"""Milliseconds, or text as on the command line: ``"500ms"``, ``"5s"``, ``"1m"``."""


def run(
    queries: str | ContinuousQuery | Sequence[str | ContinuousQuery],
    streams: StreamInput | Mapping[str, StreamInput],
    *,
    backend: str | Backend = "oxigraph",
    options: Mapping[str, str] | None = None,
    graphs: Mapping[str, str | Path] | None = None,
    profile: str | Profile = "prsp",
    t0: int | Mapping[str, int] | None = None,
    lateness: Duration | None = None,
    deadline: Duration | None = None,
    flush: bool = True,
    windows: int | None = None,
    where: str = "driver",
    fail_fast: bool = False,
    follow: bool = False,
    idle: Duration | None = None,
    checkpoint: str | Path | None = None,
    late: str | Path | None = None,
    rejected: str | Path | None = None,
    overwrite: bool = False,
    master: str | None = None,
    on_progress: Callable[[Status], object] | None = None,
) -> Run:
    """A run of one or more queries: iterate it for its evaluations, lazily and in order, and close it.

    ``queries`` are texts or parsed queries. ``streams`` maps each stream's name to a path (file, glob, directory), to an iterable of
    ``(triple, milliseconds)``, or to a Spark DataFrame; with one stream the source alone will do. With ``follow`` the run is live:
    directories that grow, iterables without an end and streaming DataFrames are followed until the run is closed. The other
    parameters are the options of ``prsp run``; a profile can be changed with ``dataclasses.replace(PROFILES["prsp"], bounds=…)``.
    An existing SparkSession is used, and neither replaced nor stopped.
    """
    given = [queries] if isinstance(queries, str | ContinuousQuery) else list(queries)
    parsed = [parse_query(query) if isinstance(query, str) else query for query in given]
    names = read_from_outside(parsed)
    opened = Opened(_by_name(names, streams), follow=follow, checkpoint=None if checkpoint is None else str(checkpoint))
    try:
        place = _where(where)
        engine = open_backend(backend, dict(options or {})) if isinstance(backend, str) else backend
        registered = register(
            parsed,
            engine,
            _with_t0(_profile(profile), t0),
            files={graph: str(file) for graph, file in (graphs or {}).items()},
            origins=t0 if isinstance(t0, Mapping) else {},
            where=place,
        )
        return Run(
            RunOptions(
                registered,
                opened.sources(),
                deadline=_milliseconds(deadline),
                lateness=_milliseconds(lateness),
                flush=flush,
                windows=windows,
                where=place,
                fail_fast=fail_fast,
                master=master,
                checkpoint=opened.checkpoint,
                late=None if late is None else str(late),
                rejected=None if rejected is None else str(rejected),
                overwrite=overwrite,
                idle=_milliseconds(idle),
                on_progress=on_progress or _unseen,
            ),
            opened,
        )
    except BaseException:
        opened.close()
        raise


def _by_name(names: Sequence[str], streams: StreamInput | Mapping[str, StreamInput]) -> dict[str, StreamInput]:
    if not isinstance(streams, Mapping) and len(names) != 1:
        raise InputError(f"the queries read {len(names)} streams from outside: map each name to its source ({', '.join(names)})")
    if not isinstance(streams, Mapping):
        return {names[0]: streams}
    for name in streams:
        if name not in names:
            raise InputError(f"no query reads a stream {name}; what is read is {', '.join(names) or 'nothing from outside'}")
    missing = [name for name in names if name not in streams]
    if missing:
        raise InputError(f"no source for {', '.join(missing)}")
    return {name: streams[name] for name in names}


def _profile(profile: str | Profile) -> Profile:
    if isinstance(profile, Profile):
        return profile
    if profile not in PROFILES:
        raise InputError(f"there is no profile '{profile}'; there is {', '.join(PROFILES)}")
    return PROFILES[profile]


def _with_t0(profile: Profile, t0: int | Mapping[str, int] | None) -> Profile:
    return replace(profile, t0=t0) if isinstance(t0, int) else profile


def _where(name: str) -> Where:
    try:
        return Where(name)
    except ValueError:
        raise InputError(f"there is no where '{name}'; there is {', '.join(Where)}") from None


def _milliseconds(duration: Duration | None) -> int | None:
    return parse_duration(duration) if isinstance(duration, str) else duration


def _unseen(_status: Status) -> None:
    return
