"""``prsp run``: continuous queries over streams."""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption, ExitCode, backend_options, parsed_query
from prsp.cli.inputs import graph_files, stream_sources
from prsp.cli.profile import profile_in_force
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.model import ContinuousQuery
    from prsp.run import Where
    from prsp.sink import Format

HELP = "Evaluate continuous queries over streams, window by window, to the end of the input or, with --follow, live."
EXAMPLE = "Example: prsp run examples/sensor.rq --stream examples/sensors.nts --t0 1483850232556"


def run(
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="Query files, or - for standard input.")],
    stream: Annotated[
        list[str] | None,
        typer.Option("--stream", metavar="IRI=SOURCE", help="A file, a glob, a directory, or -; with one stream, SOURCE will do."),
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option("--graph", metavar="IRI=FILE", help="A static graph of FROM or FROM NAMED: a local file.")
    ] = None,
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="The engine.")] = "oxigraph",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the backend; also NAME.K=V.")] = None,
    deadline: Annotated[
        str | None, typer.Option("--deadline", metavar="D", help="How long an evaluation may take before it has failed.")
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="Profile: prsp, prsp-eq3 or csparql.")] = "prsp",
    t0: Annotated[list[str] | None, typer.Option("--t0", metavar="MS|IRI=MS", help="Where window 0 opens.")] = None,
    bounds: Annotated[str | None, typer.Option("--bounds", metavar="B", help="closed, left-open or right-open.")] = None,
    report: Annotated[
        str | None,
        typer.Option(
            "--report",
            metavar="R",
            help="window-close, non-empty, content-change, arrival, periodic, joined with '+', each with @IRI or without.",
        ),
    ] = None,
    operator: Annotated[
        str | None, typer.Option("--operator", metavar="O", help="What comes out: rstream (all), istream (new) or dstream (gone).")
    ] = None,
    every: Annotated[str | None, typer.Option("--every", metavar="D", help="Evaluate every D, as COMPUTED EVERY does.")] = None,
    lateness: Annotated[str | None, typer.Option("--lateness", metavar="D", help="How late an element may come: 500ms, 5s …")] = None,
    no_flush: Annotated[bool, typer.Option("--no-flush", help="Report only windows that have passed.")] = False,
    max_gap: Annotated[
        int, typer.Option("--max-gap", metavar="N", min=1, help="More due windows between two elements are a mistake.")
    ] = 1_000_000,
    windows: Annotated[int | None, typer.Option("--windows", metavar="N", min=1, help="Stop after N reported evaluations.")] = None,
    where: Annotated[str, typer.Option("--where", metavar="driver|executors", help="Where ρ(Q) is asked.")] = "driver",
    master: Annotated[str | None, typer.Option("--master", metavar="URL", help="Spark master (default local[*]).")] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Live: read files as they appear in a directory, until interrupted.")] = False,
    idle: Annotated[str | None, typer.Option("--idle", metavar="D", help="Live: do not wait for a stream silent for so long.")] = None,
    retain: Annotated[str | None, typer.Option("--retain", metavar="D|all", help="Live: keep panes so much longer than needed.")] = None,
    checkpoint: Annotated[
        str | None, typer.Option("--checkpoint", metavar="DIR", help="Panes, offsets and progress: run again to resume.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", metavar="FILE|DIR/|-", help="Where results go; DIR/: a file for each evaluation.")
    ] = "-",
    form: Annotated[
        str | None, typer.Option("--format", metavar="F", help="table, ndjson, csv or nt; default: table on a terminal, else ndjson.")
    ] = None,
    late: Annotated[str | None, typer.Option("--late", metavar="FILE", help="Write late elements here.")] = None,
    rejected: Annotated[str | None, typer.Option("--rejected", metavar="FILE", help="Write rejected lines here.")] = None,
    summary: Annotated[str | None, typer.Option("--summary", metavar="FILE", help="Write the summary here as JSON.")] = None,
    stream_format: Annotated[str | None, typer.Option("--stream-format", metavar="F", help="nts, csv, trig or nq.")] = None,
    time_predicate: Annotated[str | None, typer.Option("--time-predicate", metavar="IRI", help="What dates a graph.")] = None,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first evaluation that fails.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no summary line.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Run and print the summary."""
    from prsp.backend import open_backend
    from prsp.cli.progress import Progress
    from prsp.parse.duration import parse_duration
    from prsp.run import RunOptions, read_from_outside, register, run_bounded, run_live
    from prsp.run.side import refuse_existing

    refuse_existing(summary, overwrite=overwrite or checkpoint is not None)
    if not follow and (idle is not None or retain is not None):
        raise InputError(f"{'--idle' if idle is not None else '--retain'} is for live runs: add --follow")
    if len(query) > 1 and "-" in query:
        raise InputError("standard input holds one query; give the others, and this one, as files")
    parsed = [parsed_query(name) for name in query]
    chosen, origins = profile_in_force(profile, bounds=bounds, t0=t0 or [], operator=operator, report=report, every=every)
    sources = stream_sources(read_from_outside(parsed), stream or [], stream_format, time_predicate)
    written = _written(form, output, parsed)
    engine = open_backend(backend, backend_options(option or [], backend))
    place = _where(where)
    registered = register(parsed, engine, chosen, files=graph_files(parsed, graph or []), origins=origins, where=place)
    with Progress(quiet=quiet or (output == "-" and sys.stdout.isatty())) as progress:
        options = RunOptions(
            registered,
            sources,
            deadline=None if deadline is None else parse_duration(deadline),
            lateness=None if lateness is None else parse_duration(lateness),
            flush=not no_flush,
            max_gap=max_gap,
            windows=windows,
            where=place,
            fail_fast=fail_fast,
            master=master,
            checkpoint=checkpoint,
            output=output,
            format=written,
            overwrite=overwrite,
            late=late,
            rejected=rejected,
            idle=None if idle is None else parse_duration(idle),
            retain=None if retain in (None, "all") else parse_duration(str(retain)),
            retain_all=retain == "all",
            on_progress=progress.show,
        )
        done = run_live(options, interrupted()) if follow else run_bounded(options)
    if summary is not None:
        Path(summary).write_text(json.dumps(done.to_json(), indent=1) + "\n", encoding="utf-8")
    if not quiet:
        if done.first_rejected is not None and rejected is None:
            print(f"prsp: {done.rejected} rejected, the first: {done.first_rejected}; --rejected FILE collects them", file=sys.stderr)
        print(done, file=sys.stderr)
    if done.failed:
        raise typer.Exit(ExitCode.FAILED)


def interrupted() -> threading.Event:
    """Set by the first Ctrl-C, or by SIGTERM; a second Ctrl-C interrupts as usual."""
    stop = threading.Event()

    def on_signal(_number: int, _frame: object) -> None:
        stop.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    return stop


def _where(name: str) -> Where:
    from prsp.run import Where

    try:
        return Where(name)
    except ValueError:
        raise InputError(f"--where {name}: it is {' or '.join(Where)}") from None


def _written(name: str | None, output: str, queries: list[ContinuousQuery]) -> Format:
    from prsp.sink import Format, encoder_of

    try:
        form = Format.TABLE if name is None and output == "-" and sys.stdout.isatty() else Format(name or Format.NDJSON)
    except ValueError:
        raise InputError(f"there is no format '{name}'; there is {', '.join(Format)}") from None
    for query in queries:
        encoder_of(form, query.form, query.variables)  # refuses, before anything runs, a format without a place for the answer
    return form
