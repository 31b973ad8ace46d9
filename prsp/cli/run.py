"""``prsp run``: a continuous query over a stream."""

from __future__ import annotations

import json
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption, ExitCode, backend_options, graph_files, parsed_query, profile_named, with_operator
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.model import ContinuousQuery, Profile
    from prsp.sink import Format
    from prsp.source import StreamFormat, StreamSource

HELP = "Evaluate a continuous query over a stream, window by window, to the end of the input."
EXAMPLE = "Example: prsp run examples/sensor.rq --stream examples/sensors.nts --t0 1483850232556"


def run(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query file, or - for standard input.")],
    stream: Annotated[
        list[str],
        typer.Option("--stream", metavar="IRI=SOURCE", help="A file, a glob, a directory, or -; with one stream, SOURCE will do."),
    ],
    graph: Annotated[
        list[str] | None, typer.Option("--graph", metavar="IRI=FILE", help="A static graph of FROM or FROM NAMED: a local file.")
    ] = None,
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="The engine.")] = "oxigraph",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the backend.")] = None,
    deadline: Annotated[
        str | None, typer.Option("--deadline", metavar="D", help="How long an evaluation may take before it has failed.")
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="Profile: prsp, prsp-eq3 or csparql.")] = "prsp",
    t0: Annotated[list[str] | None, typer.Option("--t0", metavar="MS|IRI=MS", help="Where window 0 opens.")] = None,
    bounds: Annotated[str | None, typer.Option("--bounds", metavar="B", help="closed, left-open or right-open.")] = None,
    operator: Annotated[
        str | None, typer.Option("--operator", metavar="O", help="What comes out: rstream (all), istream (new) or dstream (gone).")
    ] = None,
    lateness: Annotated[str | None, typer.Option("--lateness", metavar="D", help="How late an element may come: 500ms, 5s …")] = None,
    no_flush: Annotated[bool, typer.Option("--no-flush", help="Report only windows that have passed.")] = False,
    max_gap: Annotated[
        int, typer.Option("--max-gap", metavar="N", help="More due windows between two elements are a mistake.")
    ] = 1_000_000,
    windows: Annotated[int | None, typer.Option("--windows", metavar="N", help="Stop after N reported evaluations.")] = None,
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
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no summary line.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Run and print the summary."""
    from prsp.backend import open_backend
    from prsp.cli.progress import Progress
    from prsp.operator import refuse_operator
    from prsp.parse.duration import parse_duration
    from prsp.plan import dataset_of, refuse
    from prsp.run import RunOptions, run_bounded, run_live, static_data

    if summary is not None and Path(summary).exists() and not overwrite and checkpoint is None:
        raise InputError(f"{summary} exists; --overwrite replaces it")
    parsed = parsed_query(query)
    sources = stream_sources(parsed, stream, stream_format, time_predicate)
    chosen, origins = _profile(profile, bounds, t0 or [], parsed)
    chosen = with_operator(chosen, operator)
    refuse_operator(chosen.operator, parsed.form)
    written = _written(form, output, parsed)
    engine = open_backend(backend, backend_options(option or []))
    files = graph_files(parsed, graph or [])
    dataset = dataset_of(parsed, files, engine)
    refuse(parsed, chosen, engine, dataset)
    with Progress(quiet=quiet or (output == "-" and sys.stdout.isatty())) as progress:
        options = RunOptions(
            parsed,
            sources,
            engine,
            chosen,
            static=static_data(parsed, dataset, files),
            deadline=None if deadline is None else parse_duration(deadline),
            lateness=None if lateness is None else parse_duration(lateness),
            origins=origins,
            flush=not no_flush,
            max_gap=max_gap,
            windows=windows,
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


def stream_sources(query: ContinuousQuery, given: list[str], form: str | None, predicate: str | None) -> dict[str, StreamSource]:
    """Each stream of the query with its source; every one has to be given, and no other."""
    from prsp.source import StreamSource
    from prsp.source.files import GENERATED_AT
    from prsp.source.spool import spooled

    names = list(dict.fromkeys(s.iri for s in query.streams))
    located: dict[str, str] = {}
    for text in given:
        iri = next((n for n in sorted(names, key=len, reverse=True) if text.startswith(n + "=")), None)
        location = text.removeprefix(f"{iri}=") if iri is not None else text
        if iri is None and (len(names) > 1 or len(given) > 1 or ("=" in text and not Path(text).exists())):
            raise InputError(f"--stream {text}: the query has no such stream; it reads {', '.join(names)}")
        if (iri or names[0]) in located:
            raise InputError(f"--stream gives {iri or names[0]} twice; a glob or a directory names several files")
        located[iri or names[0]] = location
    missing = [name for name in names if name not in located]
    if missing:
        raise InputError(f"no --stream for {', '.join(missing)}: say --stream {missing[0]}=FILE")
    kind = _format(form)
    return {iri: StreamSource(iri, *spooled(location, kind), predicate or GENERATED_AT) for iri, location in located.items()}


def _written(name: str | None, output: str, query: ContinuousQuery) -> Format:
    from prsp.sink import Format, encoder_of

    try:
        form = Format.TABLE if name is None and output == "-" and sys.stdout.isatty() else Format(name or Format.NDJSON)
    except ValueError:
        raise InputError(f"there is no format '{name}'; there is {', '.join(Format)}") from None
    encoder_of(form, query.form, query.variables)  # refuses, before anything runs, a format without a place for the answer
    return form


def _format(name: str | None) -> StreamFormat | None:
    from prsp.source import StreamFormat

    try:
        return None if name is None else StreamFormat(name)
    except ValueError:
        raise InputError(f"there is no stream format '{name}'; there is {', '.join(StreamFormat)}") from None


def _profile(name: str, bounds: str | None, t0: list[str], query: ContinuousQuery) -> tuple[Profile, dict[str, int]]:
    from prsp.model import Bounds

    profile = profile_named(name)
    try:
        profile = profile if bounds is None else replace(profile, bounds=Bounds(bounds))
    except ValueError:
        raise InputError(f"there are no bounds '{bounds}'; there is {', '.join(Bounds)}") from None
    origins: dict[str, int] = {}
    for text in t0:
        iri, found, value = text.rpartition("=")
        if found and iri not in {s.iri for s in query.streams}:
            raise InputError(f"--t0 {text}: the query has no stream {iri}")
        try:
            instant = int(value)
        except ValueError:
            raise InputError(f"--t0 {text}: not an integer of milliseconds") from None
        if found:
            origins[iri] = instant
        else:
            profile = replace(profile, t0=instant)
    return profile, origins
