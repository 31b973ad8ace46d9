"""``prsp workload``: writes a benchmark stream and its queries."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.workload import Workload

HELP = "Write a benchmark stream and its queries: yabench, lubm or power."
EXAMPLE = "Example: prsp workload yabench --preset prsp-500 --output yabench-500"

app = typer.Typer(no_args_is_help=True, help=HELP, epilog=EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})

Output = Annotated[Path, typer.Option("--output", metavar="DIR", help="The folder to write.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same bytes.")]
Start = Annotated[int, typer.Option("--start", metavar="MS", help="Time of the first element.")]
Skew = Annotated[float, typer.Option("--skew", metavar="S", help="0: all alike; else the n-th is drawn with weight 1/n^S.")]
Disorder = Annotated[str, typer.Option("--disorder", metavar="D", help="Events come up to so late: 500ms, 2s …; 0ms: in order.")]
Range = Annotated[str | None, typer.Option("--range", metavar="D", help="A window of your own instead of the papers'.")]
Step = Annotated[str | None, typer.Option("--step", metavar="D", help="Its step (default: the range).")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the workload in the folder.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no summary line.")]


@app.command("yabench", epilog=EXAMPLE)
def yabench(
    output: Output,
    preset: Annotated[str | None, typer.Option("--preset", metavar="P", help="A load of PRSP's: prsp-500, -1000 … prsp-2500.")] = None,
    sensors: Annotated[int | None, typer.Option("--sensors", metavar="N", help="Stations (default 500).")] = None,
    rate: Annotated[float | None, typer.Option("--rate", metavar="R", help="Observations a second of each (default 1).")] = None,
    seconds: Annotated[int | None, typer.Option("--seconds", metavar="N", help="Length of the stream (default 12).")] = None,
    seed: Seed = 1,
    start: Start = 0,
    skew: Skew = 0.0,
    disorder: Disorder = "0ms",
    size: Range = None,
    step: Step = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    _debug: DebugOption = False,
) -> None:
    """Temperature observations of YABench, seven triples each, with PRSP's query and those of YABench-One."""
    from prsp.parse.duration import parse_duration
    from prsp.workload import PRESETS
    from prsp.workload import yabench as make
    from prsp.workload.yabench import WINDOWS

    if preset is not None:
        if preset not in PRESETS:
            raise InputError(f"there is no preset '{preset}'; there is {', '.join(PRESETS)}")
        if (sensors, rate, seconds) != (None, None, None):
            raise InputError("--preset fixes --sensors, --rate and --seconds; give either")
        sensors = PRESETS[preset]
    _write(
        make(
            sensors=500 if sensors is None else sensors,
            rate=1.0 if rate is None else rate,
            seconds=12 if seconds is None else seconds,
            seed=seed,
            start=start,
            skew=skew,
            disorder=parse_duration(disorder),
            windows=_windows(size, step) or WINDOWS,
        ),
        output,
        overwrite,
        quiet,
    )


@app.command("lubm", epilog="Example: prsp workload lubm --universities 1 --output lubm-1")
def lubm(
    output: Output,
    universities: Annotated[int, typer.Option("--universities", metavar="N", help="About 170,000 triples each.")] = 1,
    rate: Annotated[int, typer.Option("--rate", metavar="N", help="Triples a second.")] = 1_000,
    home_degrees: Annotated[
        int,
        typer.Option(
            "--home-degrees", metavar="PERCENT", min=0, max=100, help="Students with a degree of their own university; 0: LUBM's own."
        ),
    ] = 2,
    seed: Seed = 1,
    start: Start = 0,
    skew: Skew = 0.0,
    disorder: Disorder = "0ms",
    size: Range = None,
    step: Step = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    _debug: DebugOption = False,
) -> None:
    """Universities of LUBM, a triple an element, with the seven queries SPECTRA used."""
    from prsp.parse.duration import parse_duration
    from prsp.workload import lubm as make
    from prsp.workload.lubm import WINDOWS

    _write(
        make(
            universities=universities,
            rate=rate,
            home_degrees=home_degrees,
            seed=seed,
            start=start,
            skew=skew,
            disorder=parse_duration(disorder),
            windows=_windows(size, step) or WINDOWS,
        ),
        output,
        overwrite,
        quiet,
    )


@app.command("power", epilog="Example: prsp workload power --meters 50 --output power")
def power(
    output: Output,
    meters: Annotated[int, typer.Option("--meters", metavar="N", help="Meters.")] = 50,
    interval: Annotated[str, typer.Option("--interval", metavar="D", help="Time between two readings of a meter.")] = "5m",
    seconds: Annotated[int, typer.Option("--seconds", metavar="N", help="Length of the stream.")] = 86_400,
    seed: Seed = 1,
    start: Start = 0,
    skew: Skew = 0.0,
    disorder: Disorder = "0ms",
    size: Range = None,
    step: Step = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    _debug: DebugOption = False,
) -> None:
    """Power measurements as in SEAS, nine triples each, with a query that selects little and one that selects all."""
    from prsp.parse.duration import parse_duration
    from prsp.workload import power as make
    from prsp.workload.power import WINDOWS

    _write(
        make(
            meters=meters,
            interval=parse_duration(interval),
            seconds=seconds,
            seed=seed,
            start=start,
            skew=skew,
            disorder=parse_duration(disorder),
            windows=_windows(size, step) or WINDOWS,
        ),
        output,
        overwrite,
        quiet,
    )


def _windows(size: str | None, step: str | None) -> tuple[tuple[int, int], ...]:
    from prsp.parse.duration import parse_duration

    if size is None:
        if step is not None:
            raise InputError("--step needs --range")
        return ()
    return ((parse_duration(size), parse_duration(size if step is None else step)),)


def _write(workload: Workload, output: Path, overwrite: bool, quiet: bool) -> None:
    from rich.console import Console
    from rich.progress import Progress

    from prsp.workload import write_workload

    started = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"writing {output}", total=1.0)
        manifest = write_workload(
            workload,
            output,
            overwrite=overwrite,
            on_progress=lambda elements, part: bar.update(task, completed=part, description=f"{elements:,} elements"),
        )
    if not quiet:
        count, seconds = manifest["stream"]["elements"], time.monotonic() - started
        print(
            f"{output}: {count:,} elements, {len(workload.queries)} queries; {count / max(seconds, 0.001):,.0f} elements/s", file=sys.stderr
        )
