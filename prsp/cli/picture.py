"""A query as a picture: the tuple in words, and a timeline of its first windows."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from prsp.model import Bounds, ContinuousQuery, CountWindow, Feature, Origin, Placement, Profile, Strategy, StreamWindow, TimeWindow
from prsp.parse.duration import readable
from prsp.parse.rho import tidy
from prsp.plan import Verdict

_FIRST_WINDOWS = 4
_AXIS = 56
_ENDS = {Bounds.CLOSED: ("[", "]"), Bounds.LEFT_OPEN: ("(", "]"), Bounds.RIGHT_OPEN: ("[", ")")}


def show(query: ContinuousQuery, profile: Profile) -> None:
    """Print the picture to standard output."""
    console = Console(highlight=False)
    console.print(_facts(query, profile))
    for stream in query.streams:
        console.print()
        console.print(Text(f"First windows of {stream.iri}", style="bold"))
        lines = _elements(stream.window) if isinstance(stream.window, CountWindow) else timeline(stream.window, profile)
        console.print(Text("\n".join(f"  {line}" for line in lines)), soft_wrap=True)
    console.print()
    console.print(Text("ρ(Q), the SPARQL each window is asked", style="bold"))
    # Neither wrapped nor indented: what is shown can be copied into an engine.
    console.print(Text(tidy(query.sparql)), soft_wrap=True)
    if Feature.TIMESTAMP in query.features:
        console.print(
            "\nNote: f:timestamp is looked up in a named graph of times that every window is given with, so it takes named graphs."
        )
    if {Strategy.CONTENT_CHANGE, Strategy.ARRIVAL} & set(profile.report_for(query.registration.every)):
        when = "comes or goes" if Strategy.CONTENT_CHANGE in profile.report else "comes"
        console.print(
            f"\nNote: it is evaluated whenever an element {when}. An engine that takes snapshots reads the whole window each time;"
            " spectra is given the change alone."
        )
    if Feature.UNREPEATABLE in query.features:
        console.print("\nNote: the same window may be answered differently each time (NOW, RAND, UUID, SAMPLE, LIMIT without ORDER BY …).")


def show_engines(verdicts: list[Verdict]) -> None:
    """Print which engines can run the query, and why the others cannot; for one engine also how."""
    console = Console(highlight=False)
    console.print()
    console.print(Text("Engines", style="bold"))
    for verdict in verdicts:
        words = "can run it" if verdict.can else f"cannot: {'; '.join(verdict.reasons)}"
        console.print(Text(f"  {verdict.backend:<10} {words}"), soft_wrap=True)
        for line in (verdict.plan or "").splitlines():
            console.print(Text(f"    {line}"), soft_wrap=True)


def _facts(query: ContinuousQuery, profile: Profile) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    registration = query.registration
    every = f", computed every {readable(registration.every)}" if registration.every else ""
    table.add_row("Req", Text(f"{registration.kind} {registration.name}{every}"))
    for stream in query.streams:
        table.add_row("(S, w, s)", Text(f"{stream.iri}: {_words(stream.window)}, {_graph(stream, profile)}"))
    for graph in query.static.default:
        table.add_row("static", Text(f"{graph}: default graph"))
    for graph in query.static.named:
        table.add_row("static", Text(f"{graph}: named graph"))
    table.add_row("form", Text(query.form + (f" {' '.join('?' + v for v in query.variables)}" if query.variables else "")))
    table.add_row("features", ", ".join(sorted(query.features)))
    origin = f"window 0 {profile.origin} at t0, {'taken from the data' if profile.t0 is None else profile.t0}"
    table.add_row("profile", f"{profile.name}: bounds {profile.bounds}, report {_policy(query, profile)}, {profile.operator}, {origin}")
    return table


def _policy(query: ContinuousQuery, profile: Profile) -> str:
    every = profile.every_for(query.registration.every)
    names = profile.report_for(query.registration.every)
    words = [f"{name} every {readable(every)}" if name is Strategy.PERIODIC and every is not None else str(name) for name in names]
    return " and ".join(words) + (f" of {' or '.join(profile.bound)}" if profile.bound else "")


def _graph(stream: StreamWindow, profile: Profile) -> str:
    if stream.named and profile.placement is Placement.DEFAULT_GRAPH:
        return f"default graph (profile {profile.name} has no named windows: GRAPH <{stream.iri}> finds nothing)"
    return "named graph" if stream.named else "default graph"


def _words(window: TimeWindow | CountWindow) -> str:
    if isinstance(window, CountWindow):
        return f"the last {window.size} elements, every {window.step}"
    relation = "tumbling" if window.step == window.range else "sliding" if window.step < window.range else "with gaps"
    return f"range {readable(window.range)}, step {readable(window.step)} ({relation})"


def timeline(window: TimeWindow, profile: Profile) -> list[str]:
    """The first windows drawn to scale, one a line, each with its instants relative to t0."""
    shift = -window.range if profile.origin is Origin.ENDS else 0
    span = (_FIRST_WINDOWS - 1) * window.step + window.range
    left, right = _ENDS[profile.bounds]
    lines = []
    for k in range(_FIRST_WINDOWS):
        opens = k * window.step
        start = opens * _AXIS // span
        width = max(2, window.range * _AXIS // span)
        bar = " " * start + left + "─" * (width - 2) + right
        lines.append(f"{bar.ljust(_AXIS + 2)} {k}: {_instant(opens + shift)} to {_instant(opens + shift + window.range)}")
    return lines


def _instant(offset: int) -> str:
    return "t0" if offset == 0 else f"t0{'+' if offset > 0 else '-'}{readable(abs(offset))}"


def _elements(window: CountWindow) -> list[str]:
    ends = [j * window.step for j in range(1, _FIRST_WINDOWS + 1)]
    return [f"{k}: elements {max(1, end - window.size + 1)} to {end}" for k, end in enumerate(ends)]
