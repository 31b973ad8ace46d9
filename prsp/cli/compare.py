"""``prsp compare``: many engines, identical windows."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from prsp.cli.common import DebugOption, ExitCode, options_of_each, parsed_text, read_text
from prsp.cli.inputs import graph_files, stream_sources
from prsp.cli.profile import profile_in_force
from prsp.cli.reports import Reports
from prsp.cli.steps import Steps
from prsp.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from prsp.compare import Case, Contender

HELP = """Give many engines identical windows: how long each loads and answers, and whether it answers right.
With --suite, run a paper's experiments again."""
_OUTPUTS = {"--html": 1, "--json": 1, "--csv": 1, "--save-window": 2, "--overwrite": 0, "--quiet": 0}
"""Options that say what becomes of the results, and how many values each takes."""
EXAMPLE = "Example: prsp compare examples/sensor.rq --stream examples/sensors.nts --backend oxigraph --backend rdflib --backend spectra"


def compare(
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="A query file, or - for standard input; none with --suite.")
    ] = None,
    stream: Annotated[
        list[str] | None, typer.Option("--stream", metavar="IRI=SOURCE", help="A file, a glob, a directory, or -; with one stream, SOURCE.")
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option("--graph", metavar="IRI=FILE", help="A static graph of FROM or FROM NAMED: a local file.")
    ] = None,
    backend: Annotated[
        list[str] | None,
        typer.Option(
            "--backend",
            metavar="[LABEL=]NAME",
            help="An engine, several times; a label tells two apart (default: all that need no options).",
        ),
    ] = None,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="LABEL.K=V", help="An option of one engine.")] = None,
    suite: Annotated[str | None, typer.Option("--suite", metavar="NAME", help="A paper's experiments: prsp or spectra.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="With --suite: a smaller run, for a first look.")] = False,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="DIR", help="With --suite: keep what is done; the same command goes on.")
    ] = None,
    reference: Annotated[
        str | None, typer.Option("--reference", metavar="NAME", help="Who is right: oracle (default), or an engine.")
    ] = None,
    evaluator: Annotated[
        str | None,
        typer.Option(
            "--evaluator",
            metavar="NAME",
            help="Who answers for the oracle: naive (default for small windows), oxigraph (for others), rdflib.",
        ),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeat", metavar="N", min=1, help="Rounds; figures are their medians.")] = 3,
    no_memory: Annotated[bool, typer.Option("--no-memory", help="Leave out the round that measures memory.")] = False,
    deadline: Annotated[str | None, typer.Option("--deadline", metavar="D", help="How long one evaluation may take.")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a report, its figures beside it as SVG.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write everything as JSON; - for standard output.")] = None,
    as_csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a line per engine, window and round.")] = None,
    save_window: Annotated[
        tuple[int, Path] | None,
        typer.Option("--save-window", metavar="K DIR", help="Save window K, counted from 0; prsp bundle run replays it."),
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="Profile: prsp, prsp-eq3 or csparql.")] = "prsp",
    t0: Annotated[list[str] | None, typer.Option("--t0", metavar="MS|IRI=MS", help="Where window 0 opens.")] = None,
    bounds: Annotated[str | None, typer.Option("--bounds", metavar="B", help="closed, left-open or right-open.")] = None,
    report: Annotated[str | None, typer.Option("--report", metavar="R", help="The report policy.")] = None,
    operator: Annotated[str | None, typer.Option("--operator", metavar="O", help="rstream, istream or dstream.")] = None,
    every: Annotated[str | None, typer.Option("--every", metavar="D", help="Evaluate every D, as COMPUTED EVERY does.")] = None,
    lateness: Annotated[str | None, typer.Option("--lateness", metavar="D", help="How late an element may come.")] = None,
    no_flush: Annotated[bool, typer.Option("--no-flush", help="Only windows that have passed when the stream ends.")] = False,
    max_gap: Annotated[
        int, typer.Option("--max-gap", metavar="N", min=1, help="More due windows between two elements are a mistake.")
    ] = 1_000_000,
    windows: Annotated[int | None, typer.Option("--windows", metavar="N", min=1, help="Only the first N windows.")] = None,
    master: Annotated[str | None, typer.Option("--master", metavar="URL", help="Spark master (default local[*]).")] = None,
    stream_format: Annotated[str | None, typer.Option("--stream-format", metavar="F", help="nts, csv, trig or nq.")] = None,
    time_predicate: Annotated[str | None, typer.Option("--time-predicate", metavar="IRI", help="What dates a graph.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace outputs that exist.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no table.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Compare and report."""
    from prsp.compare import Asked, Case, contenders, labelled_name
    from prsp.parse.duration import parse_duration

    if (query is None) == (suite is None):
        raise InputError("give a query file, or --suite NAME for a paper's experiments; not both")
    reports = Reports(html, as_json, as_csv, overwrite=overwrite, quiet=quiet)
    labels = [labelled_name(text)[0] for text in backend or []]
    engines = contenders(backend or [], options_of_each(option or [], labels) if labels else _no_options(option))
    asked = None if reference is None and evaluator is None else Asked(reference or "oracle", evaluator)
    limit = None if deadline is None else parse_duration(deadline)
    with Steps(quiet=quiet) as steps:
        if suite is not None:
            _refuse_with_suite(
                stream=stream,
                graph=graph,
                save_window=save_window,
                windows=windows,
                no_memory=no_memory,
                profile=profile != "prsp",
                t0=t0,
                bounds=bounds,
                report=report,
                operator=operator,
                every=every,
                lateness=lateness,
                no_flush=no_flush,
                max_gap=max_gap != 1_000_000,
                stream_format=stream_format,
                time_predicate=time_predicate,
            )
            work = _Suite(suite, quick, checkpoint, engines, repeat, limit, asked, master)
            document = work.document(steps.show)
        else:
            if checkpoint is not None or quick:
                raise InputError(f"{'--checkpoint' if checkpoint is not None else '--quick'} goes with --suite")
            text = read_text(str(query))
            parsed = parsed_text(str(query), text)
            chosen, origins = profile_in_force(profile, bounds=bounds, t0=t0 or [], operator=operator, report=report, every=every)
            names = list(dict.fromkeys(s.iri for s in parsed.streams))
            case = Case(
                parsed,
                text,
                chosen,
                stream_sources(names, stream or [], stream_format, time_predicate),
                graph_files([parsed], graph or []),
                origins,
                asked or Asked(),
                repeat,
                not no_memory,
                limit,
                None if lateness is None else parse_duration(lateness),
                not no_flush,
                max_gap,
                windows,
            )
            document = _compared(case, engines, dict([save_window] if save_window else []), master, overwrite, steps.show)
    reports.write(document)
    _exit(document)


def _compared(
    case: Case,
    engines: Sequence[Contender],
    save: dict[int, Path],
    master: str | None,
    overwrite: bool,
    progress: Callable[[str, float], object],
) -> dict[str, Any]:
    from prsp.compare import compare as measure
    from prsp.compare import document, experiment, installed

    taking_part = list(engines) or installed()
    command = _command()
    with ExitStack() as stack:
        compared = measure(case, taking_part, lambda: _session(stack, master), progress, save=save, overwrite=overwrite)
    name = case.query.registration.name
    replays = {one.label: _replay(one) for one in taking_part}
    return document(
        f"{name}: {len(taking_part)} engines", [experiment(compared, replays, name=name)], taking_part, command=command, repeat=case.repeat
    )


class _Suite:
    """A paper's experiments, and where what is done of them is kept."""

    def __init__(
        self,
        name: str,
        quick: bool,
        folder: Path | None,
        engines: Sequence[Contender],
        repeat: int,
        deadline: int | None,
        asked: Any,
        master: str | None,
    ) -> None:
        from prsp.compare.suites import SUITES, suite_contenders

        if name not in SUITES:
            raise InputError(f"there is no suite '{name}'; there is {', '.join(SUITES)}")
        self._suite = SUITES[name](quick=quick)
        self._engines = suite_contenders(self._suite, engines)
        self._folder, self._repeat, self._deadline, self._asked, self._master = folder, repeat, deadline, asked, master

    def document(self, progress: Callable[[str, float], object]) -> dict[str, Any]:
        """All experiments as one comparison."""
        from prsp.compare import document
        from prsp.compare.suites import SuiteOptions, run_suite

        command = _command()
        with ExitStack() as stack:
            folder = self._folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-suite-")))
            options = SuiteOptions(folder, self._repeat, self._deadline, self._asked)
            try:
                made = run_suite(self._suite, self._engines, options, lambda: _session(stack, self._master), progress)
            except KeyboardInterrupt:
                kept = (
                    "nothing is kept: --checkpoint DIR would"
                    if self._folder is None
                    else f"{folder} keeps what is done: the same command goes on"
                )
                print(f"prsp: interrupted; {kept}", file=sys.stderr)
                raise
        return document(self._suite.title, made, self._engines, command=command, repeat=self._repeat, about=self._suite.about)


def _session(stack: ExitStack, master: str | None) -> SparkSession:
    from prsp.transform.session import leased_session

    session, release = leased_session(master)
    stack.callback(release)
    return session


def _command() -> str:
    """What was typed, to be typed again."""
    return shlex.join(["prsp", *sys.argv[1:]])


def _replay(engine: Contender) -> str:
    """How to save a window of this comparison and ask an engine of it again."""
    from prsp.compare import replaying

    arguments = iter(sys.argv[1:])
    kept: list[str] = []
    for argument in arguments:
        name, joined, _ = argument.partition("=")
        if name in _OUTPUTS:
            for _ in range(0 if joined else _OUTPUTS[name]):
                next(arguments, None)
        else:
            kept.append(argument)
    return replaying(["prsp", *kept], engine)


def _no_options(given: list[str] | None) -> dict[str, dict[str, str]]:
    if given:
        raise InputError(f"--option {given[0]}: name the engine it is for with --backend")
    return {}


def _refuse_with_suite(**given: object) -> None:
    for name, value in given.items():
        if value:
            raise InputError(f"--{name.replace('_', '-')} does not go with --suite, which says so itself")


def _exit(document: dict[str, Any]) -> None:
    totals = [result["totals"] for experiment in document["experiments"] for result in experiment["results"]]
    if any(each["failed"] for each in totals):
        raise typer.Exit(ExitCode.FAILED)
    if any(each["different"] for each in totals):
        raise typer.Exit(ExitCode.CHECK_FAILED)
