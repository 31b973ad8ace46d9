"""``prsp bundle``: windows that ``prsp compare`` saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from prsp.cli.common import DebugOption, ExitCode, backend_options

if TYPE_CHECKING:
    from prsp.compare import Replayed

HELP = "Replay windows that prsp compare --save-window saved."
EXAMPLE = "Example: prsp bundle run window-3 --backend rdflib"

app = typer.Typer(no_args_is_help=True, help=HELP, epilog=EXAMPLE, context_settings={"help_option_names": ["-h", "--help"]})


@app.callback()
def _several() -> None:
    """Replay windows that prsp compare --save-window saved."""


@app.command("run", epilog=EXAMPLE)
def run(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The saved window.")],
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="The engine.")] = "oxigraph",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the backend.")] = None,
    deadline: Annotated[str | None, typer.Option("--deadline", metavar="D", help="How long it may take.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result line with the verdict as JSON.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Ask an engine of a saved window and say whether it answers as it should."""
    from prsp.backend import open_backend
    from prsp.compare import read_bundle, replay
    from prsp.parse.duration import parse_duration

    bundle = read_bundle(folder)
    engine = open_backend(backend, backend_options(option or [], backend))
    replayed = replay(bundle, engine, deadline=None if deadline is None else parse_duration(deadline))
    typer.echo(json.dumps(to_json(replayed), ensure_ascii=False) if as_json else _told(replayed, backend, bundle.reference))
    if replayed.evaluation.failure is not None:
        raise typer.Exit(ExitCode.FAILED)
    if replayed.check.verdict == "different":
        raise typer.Exit(ExitCode.CHECK_FAILED)


def to_json(replayed: Replayed) -> dict[str, Any]:
    """The result line, and beside it the times in seconds and the verdict."""
    check = replayed.check
    return replayed.evaluation.line() | {
        "tlt": replayed.tlt,
        "qrt": replayed.qrt,
        "verdict": str(check.verdict),
        "difference": check.difference,
        "right": check.right,
        "wanted": check.wanted,
        "given": check.given,
    }


def _told(replayed: Replayed, backend: str, reference: str) -> str:
    check, evaluation = replayed.check, replayed.evaluation
    lines = [f"{evaluation.query} at {evaluation.at} on {backend}: TLT {1000 * replayed.tlt:,.1f} ms, QRT {1000 * replayed.qrt:,.1f} ms"]
    match check.verdict:
        case "failed":
            assert evaluation.failure is not None
            lines.append(f"failed: {evaluation.failure.kind}: {evaluation.failure.message}")
        case "different":
            lines.append(f"not as expected ({reference}): {check.difference}")
        case "unjudged":
            lines.append(f"{_rows(check.given)}; not judged: the query may be answered differently each time, or its reference failed")
        case verdict:
            note = ", though some numbers have another datatype" if verdict == "datatypes" else ""
            lines.append(f"as expected ({reference}): {_rows(check.wanted)}{note}")
    return "\n".join(lines)


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"
