"""``prsp backends``: the engines found here, what they can do, and the conformance kit run on one of them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption, ExitCode, backend_options
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.backend import Backend
    from prsp.testing import Check, Judgement, Verdict

HELP = """Show the engines found here (NAME: one in detail), run the conformance kit on one (check NAME), or show what crashed runs
left in one (leftovers NAME) and remove it (--remove)."""
EXAMPLE = "Example: prsp backends check oxigraph --option mode=delta"


def backends(
    words: Annotated[list[str] | None, typer.Argument(metavar="NAME | check NAME | leftovers NAME [RUN...]", show_default=False)] = None,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the backend.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the table of docs/backends.md.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="check: only some checks of each group, for a slow engine.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="leftovers: remove them, also those of a RUN of unknown fate.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Tell, check or clean up."""
    match words or []:
        case [] if option:
            raise InputError("--option is of one backend: prsp backends NAME --option k=v")
        case []:
            _every(as_json=as_json, as_markdown=as_markdown)
        case ["check", name]:
            _check(_opened(name, option), quick=quick, as_json=as_json)
        case ["leftovers", name, *runs]:
            _leftovers(_opened(name, option), runs, remove=remove)
        case [("check" | "leftovers") as verb]:
            raise InputError(f"{verb} what? Write: prsp backends {verb} NAME; prsp backends shows the names")
        case [name]:
            _one(name, option or [], as_json=as_json)
        case _:
            raise InputError("write prsp backends, prsp backends NAME, prsp backends check NAME, or prsp backends leftovers NAME")


def _every(*, as_json: bool, as_markdown: bool) -> None:
    from prsp.cli import backend_table

    if as_markdown:
        typer.echo(backend_table.markdown(backend_table.engines()))
    elif as_json:
        typer.echo(json.dumps([backend_table.document(engine) for engine in backend_table.engines()], ensure_ascii=False))
    else:
        typer.echo("\n".join(backend_table.table(backend_table.engines())))


def _one(name: str, option: list[str], *, as_json: bool) -> None:
    from prsp.cli import backend_table

    engine = backend_table.engine_named(name, backend_options(option, name))
    typer.echo(json.dumps(backend_table.document(engine), ensure_ascii=False) if as_json else "\n".join(backend_table.details(engine)))


def _opened(name: str, option: list[str] | None) -> Backend:
    from prsp.backend import open_backend

    return open_backend(name, backend_options(option or [], name))


def _check(backend: Backend, *, quick: bool, as_json: bool) -> None:
    import logging
    import warnings

    from prsp.testing import checks, run_kit
    from prsp.testing.verdict import unusable

    # What an engine logs or warns about in a case is its answer's business.
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    problem = unusable(backend)
    if problem is not None:
        raise problem
    total, done = len(checks(quick=quick)), 0
    shown = sys.stderr.isatty()

    def watch(check: Check, judged: Judgement) -> None:
        nonlocal done
        done += 1
        if shown:
            mark = "" if judged.is_right else f"\r\x1b[K{judged.outcome}: {check.name}\n"
            print(f"{mark}\r\x1b[K{done}/{total} {check.name}", end="", file=sys.stderr, flush=True)

    verdict = run_kit(backend, quick=quick, watch=watch)
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
    typer.echo(_document(verdict) if as_json else "\n".join(_readable(verdict)))
    if not verdict.passes:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _document(verdict: Verdict) -> str:
    found = [{"check": j.check, "outcome": j.outcome, "reason": j.reason} for j in verdict.judgements]
    return json.dumps({"backend": verdict.backend, "passes": verdict.passes, "checks": found}, ensure_ascii=False)


def _readable(verdict: Verdict) -> list[str]:
    from prsp.testing import Outcome
    from prsp.testing.verdict import counts

    lines: list[str] = []
    titles = {
        Outcome.GAP: "declared gaps",
        Outcome.FAULT: "declared faults",
        Outcome.FAILS: "does not hold",
        Outcome.STALE: "declared without need",
        Outcome.NOT_RUN: "not run",
    }
    for outcome, title in titles.items():
        judged = verdict.of(outcome)
        if outcome is Outcome.GAP:
            judged = [judgement for judgement in judged if judgement.check.startswith("gaps/")]
        if judged:
            lines += [f"{title}:", *(f"  {j.check}: {_indented(j.reason)}" for j in judged), ""]
    numbers = ", ".join(f"{number} {outcome}" for outcome, number in counts(verdict.judgements).items() if number)
    return [*lines, f"{verdict.backend}: {'passes' if verdict.passes else 'DOES NOT PASS'} ({numbers})"]


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _leftovers(backend: Backend, runs: list[str], *, remove: bool) -> None:
    from prsp.backend.interface import LeavesTraces

    if not isinstance(backend, LeavesTraces):
        raise InputError(f"the {backend.name} backend leaves nothing behind: its data ends with the run")
    if runs and not remove:
        raise InputError(f"a run is named to remove what it left: prsp backends leftovers {backend.name} --remove {' '.join(runs)}")
    found = backend.remove_leftovers(runs) if remove else backend.leftovers()
    for line in found:
        typer.echo(f"removed {line}" if remove else line)
    if not found:
        typer.echo("nothing is left of earlier runs")
