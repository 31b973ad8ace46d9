"""``prsp``: one program with subcommands."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from prsp.cli import backends, bench, bundle, compare, demo, doctor, explain, run, verify, workload
from prsp.cli.common import ExitCode, report_error
from prsp.errors import EngineError, EnvironmentProblem, PrspError

app = typer.Typer(
    name="prsp",
    help="RDF stream processing with the SPARQL engine you have.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("explain", help=explain.HELP, epilog=explain.EXAMPLE)(explain.explain)
app.command("run", help=run.HELP, epilog=run.EXAMPLE)(run.run)
app.command("compare", help=compare.HELP, epilog=compare.EXAMPLE)(compare.compare)
app.command("verify", help=verify.HELP, epilog=verify.EXAMPLE)(verify.verify)
app.command("backends", help=backends.HELP, epilog=backends.EXAMPLE)(backends.backends)
app.command("doctor", help=doctor.HELP, epilog=doctor.EXAMPLE)(doctor.doctor)
app.command("demo", help=demo.HELP, epilog=demo.EXAMPLE)(demo.demo)
app.command("bench", help=bench.HELP, epilog=bench.EXAMPLE)(bench.bench)
app.add_typer(bundle.app, name="bundle")
app.add_typer(workload.app, name="workload")


def _show_version(value: bool) -> None:
    if value:
        from prsp import __version__

        typer.echo(f"prsp {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")] = False,
) -> None:
    """RDF stream processing with the SPARQL engine you have."""


def main() -> None:
    """Run the command line; every expected failure is one message and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Files and pipes get UTF-8, whatever the locale; a terminal gets what it can show.
            stream.reconfigure(errors="replace") if stream.isatty() else stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        app()
        sys.stdout.flush()
    except (EnvironmentProblem, EngineError) as error:
        report_error(error)
        sys.exit(ExitCode.FAILED)
    except PrspError as error:
        report_error(error)
        sys.exit(ExitCode.BAD_INPUT)
    except BrokenPipeError:
        # The reader of our output has gone (prsp … | head): nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.DONE)
    except OSError as error:
        report_error(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(ExitCode.FAILED)
