"""``prsp verify``: whether recorded answers are correct under RSP-QL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from prsp.cli.common import DebugOption, ExitCode, parsed_query
from prsp.cli.inputs import graph_files, stream_sources
from prsp.cli.profile import profile_in_force
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.verify import Trial, Verdict

HELP = "Say whether an engine's recorded answers are correct under RSP-QL: for which t0, or where they differ first, and why."
EXAMPLE = "Example: prsp verify examples/sensor.rq --stream examples/sensors.nts --answers answers.ndjson --t0 1483850232556"


def verify(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query file, or - for standard input.")],
    answers: Annotated[str, typer.Option("--answers", metavar="FILE", help="What the engine answered: prsp's NDJSON or CSRBench's JSON.")],
    stream: Annotated[
        list[str] | None, typer.Option("--stream", metavar="IRI=SOURCE", help="A file, a glob, a directory, or -; with one stream, SOURCE.")
    ] = None,
    graph: Annotated[
        list[str] | None, typer.Option("--graph", metavar="IRI=FILE", help="A static graph of FROM or FROM NAMED: a local file.")
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="Profile: prsp, prsp-eq3 or csparql.")] = "prsp",
    t0: Annotated[
        list[str] | None, typer.Option("--t0", metavar="MS|IRI=MS", help="The origin, where it is known; else every one is tried.")
    ] = None,
    bounds: Annotated[str | None, typer.Option("--bounds", metavar="B", help="closed, left-open or right-open.")] = None,
    report: Annotated[str | None, typer.Option("--report", metavar="R", help="The report policy.")] = None,
    operator: Annotated[str | None, typer.Option("--operator", metavar="O", help="rstream, istream or dstream.")] = None,
    every: Annotated[str | None, typer.Option("--every", metavar="D", help="Evaluated every D, as COMPUTED EVERY says.")] = None,
    no_flush: Annotated[bool, typer.Option("--no-flush", help="Expect only windows that have passed when the stream ends.")] = False,
    tolerance: Annotated[
        str | None, typer.Option("--tolerance", metavar="D", help="How long after its instant an answer may come: 500ms, 1s …")
    ] = None,
    evaluator: Annotated[
        str, typer.Option("--evaluator", metavar="NAME", help="Who answers ρ(Q): naive (by definition), oxigraph or rdflib.")
    ] = "naive",
    stream_format: Annotated[str | None, typer.Option("--stream-format", metavar="F", help="nts, csv, trig or nq.")] = None,
    time_predicate: Annotated[str | None, typer.Option("--time-predicate", metavar="IRI", help="What dates a graph.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
    _debug: DebugOption = False,
) -> None:
    """Judge the answers."""
    from prsp.oracle.continuous import Setting
    from prsp.parse.duration import parse_duration
    from prsp.verify import Case, evaluator_named, oracle_static, oracle_streams, read_answers
    from prsp.verify import verify as judge

    parsed = parsed_query(query)
    chosen, origins = profile_in_force(profile, bounds=bounds, t0=t0 or [], operator=operator, report=report, every=every)
    sources = stream_sources(list(dict.fromkeys(s.iri for s in parsed.streams)), stream or [], stream_format, time_predicate)
    case = Case(
        parsed,
        oracle_streams(sources),
        Setting(chosen, origins, static=oracle_static(parsed, graph_files([parsed], graph or []))),
        read_answers(answers, parsed.registration.name),
        evaluator_named(evaluator, parsed),
        tolerance=0 if tolerance is None else parse_duration(tolerance),
        flush=not no_flush,
    )
    verdict = judge(case)
    if not verdict.best.compared and verdict.after is not None:
        raise InputError(
            f"nothing to compare: until {verdict.after} some origin may have had no whole window, and no evaluation is later; "
            "say the origin with --t0 MS, or take a longer stream"
        )
    typer.echo(json.dumps(to_json(verdict), ensure_ascii=False) if as_json else _told(verdict))
    if not verdict.correct and verdict.repeatable:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def to_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain values."""
    best, first = verdict.best, verdict.best.first
    whole = best.whole()
    return {
        "correct": verdict.correct,
        "origins": [{iri: [chosen.start, chosen.stop - 1] for iri, chosen in origins.items()} for origins in verdict.origins],
        "after": verdict.after,
        "repeatable": verdict.repeatable,
        "compared": len(best.compared),
        "agreeing": best.agreeing,
        "precision": whole.precision,
        "recall": whole.recall,
        "f": whole.f,
        "first": None if first is None else {"at": first.at, "seq": first.seq, "difference": first.difference},
        "reason": verdict.reason,
        "windows": [
            {"at": c.at, "seq": c.seq, "right": c.right, "wanted": c.wanted, "given": c.given}
            | {"precision": c.precision, "recall": c.recall, "f": c.f, "datatypes": c.only_datatypes}
            for c in best.compared
        ],
    }


def _told(verdict: Verdict) -> str:
    from prsp.verify.reasons import told_origins

    best, whole = verdict.best, verdict.best.whole()
    since = "" if verdict.after is None else f" after {verdict.after}, when every origin has its first window"
    lines = []
    if verdict.correct:
        lines.append(f"correct for {told_origins(verdict)}: {len(best.compared)} evaluations{since} agree")
    elif not verdict.repeatable:
        lines.append(
            "not judged: the same window may be answered differently each time (NOW, RAND, UUID, SAMPLE, LIMIT without ORDER BY …)"
        )
    else:
        lines.append(f"not correct: {best.agreeing} of {len(best.compared)} evaluations{since} agree under {_origin(best)}")
    if (first := best.first) is not None:
        lines.append(f"the first that differs is at {first.at}{f', number {first.seq}' if first.seq else ''}: {first.difference}")
    if verdict.reason is not None:
        lines.append(f"why: {verdict.reason}")
    if any(c.only_datatypes for c in best.compared):
        lines.append("some numbers are equal by value, but have another datatype")
    lines.append(f"precision {whole.precision:.3f}, recall {whole.recall:.3f}, F {whole.f:.3f} over the run")
    return "\n".join(lines)


def _origin(trial: Trial) -> str:
    origins = set(trial.origins.values())
    if len(origins) == 1:
        return f"t0 = {next(iter(origins))}, which comes closest"
    return ", ".join(f"<{iri}> t0 = {t0}" for iri, t0 in trial.origins.items()) or "any t0"
