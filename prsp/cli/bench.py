"""``prsp bench``: the project's own benchmarks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.bench import Measured

HELP = "Run one of the project's own benchmarks: ratios measured in one run."
EXAMPLE = "Example: prsp bench parse --quick"


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which: parse, cut, backends …")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="A smaller run, for a first look.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Measure and print."""
    from prsp.bench import BENCHMARKS
    from prsp.bench.registry import load, machine

    if name not in BENCHMARKS:
        raise InputError(f"there is no benchmark '{name}'; there is {', '.join(BENCHMARKS)}")
    measured = load(name)(quick=quick)
    if as_json:
        document = {"bench": name, "ratios": dict(measured.ratios), "details": dict(measured.details), "machine": machine()}
        typer.echo(json.dumps(document, ensure_ascii=False))
    else:
        _table(name, measured)


def _table(name: str, measured: Measured) -> None:
    from prsp.bench import BENCHMARKS

    typer.echo(f"{name}: {BENCHMARKS[name]}\n")
    for key, value in measured.ratios.items():
        typer.echo(f"  {key:<32} {value:.2f}")
    typer.echo("")
    for key, detail in measured.details.items():
        typer.echo(f"  {key:<32} {detail}")
