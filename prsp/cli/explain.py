"""``prsp explain``: the tuple of a query, for people and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption, backend_options, parsed_query
from prsp.cli.profile import profile_in_force
from prsp.errors import InputError

if TYPE_CHECKING:
    from prsp.model import ContinuousQuery, Profile

HELP = "Show what a query means: its registration, stream windows, static graphs, ρ(Q) and the features it uses."
EXAMPLE = "Example: prsp explain examples/sensor.rq"


def explain(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A query file, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a picture.")] = False,
    profile: Annotated[str, typer.Option("--profile", metavar="P", help="Profile: prsp, prsp-eq3 or csparql.")] = "prsp",
    t0: Annotated[int | None, typer.Option("--t0", metavar="MS", help="Where window 0 opens.")] = None,
    bounds: Annotated[str | None, typer.Option("--bounds", metavar="B", help="closed, left-open or right-open.")] = None,
    report: Annotated[str | None, typer.Option("--report", metavar="R", help="The report policy.")] = None,
    operator: Annotated[str | None, typer.Option("--operator", metavar="O", help="rstream, istream or dstream.")] = None,
    every: Annotated[str | None, typer.Option("--every", metavar="D", help="Evaluate every D.")] = None,
    backend: Annotated[str | None, typer.Option("--backend", metavar="B", help="Whether this engine can run it, and how.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the backend.")] = None,
    _debug: DebugOption = False,
) -> None:
    """Print the tuple."""
    from prsp.operator import refuse_operator
    from prsp.plan import verdict_on, verdicts

    if option and backend is None:
        raise InputError(f"--option {option[0]}: for which backend? Write --backend NAME, too")
    given = [] if t0 is None else [str(t0)]
    chosen, _ = profile_in_force(profile, bounds=bounds, t0=given, operator=operator, report=report, every=every)
    parsed = parsed_query(query)
    refuse_operator(chosen.operator, parsed.form)
    engine = None if backend is None else verdict_on(parsed, chosen, backend, backend_options(option or [], backend))
    if as_json:
        document = to_json(parsed, chosen)
        if engine is not None:
            document["backend"] = {"name": engine.backend, "can": engine.can, "reasons": list(engine.reasons), "plan": engine.plan}
        typer.echo(json.dumps(document, ensure_ascii=False))
    else:
        from prsp.cli.picture import show, show_engines

        show(parsed, chosen)
        show_engines([engine] if engine is not None else list(verdicts(parsed, chosen)))


def to_json(query: ContinuousQuery, profile: Profile) -> dict[str, object]:
    """The query and its profile as plain values, keys in the order scripts rely on."""
    from prsp.model import CountWindow
    from prsp.parse.rho import tidy

    return {
        "registration": {"kind": query.registration.kind, "name": query.registration.name, "every": query.registration.every},
        "streams": [
            {
                "iri": stream.iri,
                "named": stream.named,
                "window": {"kind": "count", "size": stream.window.size, "step": stream.window.step}
                if isinstance(stream.window, CountWindow)
                else {"kind": "time", "range": stream.window.range, "step": stream.window.step},
            }
            for stream in query.streams
        ],
        "static": {"default": list(query.static.default), "named": list(query.static.named)},
        "sparql": tidy(query.sparql),
        "form": query.form,
        "variables": list(query.variables),
        "features": sorted(query.features),
        "profile": {
            "name": profile.name,
            "bounds": profile.bounds,
            "report": profile.report_text(query.registration.every),
            "operator": profile.operator,
            "t0": profile.t0,
        },
    }
