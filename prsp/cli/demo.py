"""``prsp demo``: the whole way on a small stream made on the spot."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prsp.cli.common import DebugOption

if TYPE_CHECKING:
    from prsp.model.evaluation import Evaluation
    from prsp.run import Status

HELP = "Run two queries over a small sensor stream made on the spot, and show windows and answers."
EXAMPLE = "Example: prsp demo"

_SENSORS, _SECONDS = 12, 30
_START = 1_483_850_232_556
_ROWS = 5
_PREFIXES = """PREFIX om-owl: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
"""
_READING = """  ?obs om-owl:observedProperty weather:_AirTemperature ;
       om-owl:procedure ?sensor ;
       om-owl:result [ om-owl:floatValue ?value ] ."""
_QUERIES = {
    "sensor": f"""REGISTER QUERY SensorQuery AS
{_PREFIXES}SELECT ?sensor ?obs ?value
FROM STREAM <{{stream}}> [RANGE 5s STEP 4s]
WHERE {{{{
{_READING}
  FILTER(?value > 90.0)
}}}}
""",
    "average": f"""REGISTER QUERY Warmest AS
{_PREFIXES}SELECT ?sensor (AVG(?value) AS ?average) (COUNT(?obs) AS ?observations)
FROM STREAM <{{stream}}> [RANGE 10s STEP 10s]
WHERE {{{{
{_READING}
}}}}
GROUP BY ?sensor
ORDER BY DESC(?average)
LIMIT 3
""",
}


def demo(
    backend: Annotated[str, typer.Option("--backend", metavar="NAME", help="The engine.")] = "oxigraph",
    keep: Annotated[str | None, typer.Option("--keep", metavar="DIR", help="Leave the stream and the queries in a new folder.")] = None,
    _debug: DebugOption = False,
) -> None:
    """Make the stream, run, show."""
    from prsp.errors import InputError

    if keep is None:
        with tempfile.TemporaryDirectory(prefix="prsp-demo-") as folder:
            _show(Path(folder), backend, "prsp demo --keep DIR")
        return
    try:
        Path(keep).mkdir(parents=True)
    except FileExistsError:
        raise InputError(f"{keep} exists; name a new folder") from None
    _show(Path(keep), backend, None)


def _show(folder: Path, backend: str, again: str | None) -> None:
    from rich.console import Console

    from prsp.api import run
    from prsp.sink.table import TableEncoder
    from prsp.workload import write_workload, yabench

    console = Console(highlight=False)
    workload = yabench(sensors=_SENSORS, seconds=_SECONDS, start=_START, windows=())
    write_workload(workload, folder / "data")
    texts = {name: text.format(stream=workload.stream) for name, text in _QUERIES.items()}
    for name, text in texts.items():
        (folder / f"{name}.rq").write_text(text, encoding="utf-8")
    console.print(f"[bold]A stream[/]: {_SENSORS} weather stations, an observation a second each, {_SECONDS} s: 7 triples an observation.")
    for text in texts.values():
        console.print(f"\n[dim]{text.strip()}[/]", soft_wrap=True)
    console.print()
    encoder, told = TableEncoder(terminal=console.is_terminal), _Teller()
    with run(list(texts.values()), str(folder / "data" / "stream.nts"), backend=backend, t0=_START, on_progress=told.tell) as going:
        for evaluation in going:
            told.end()
            sys.stdout.write(encoder.body(_shortened(evaluation)).decode())
    console.print(f"[bold]Summary[/]: {going.summary}", soft_wrap=True)
    place = "DIR" if again else str(folder)
    first = [f"{again}    (keeps this stream and these queries)"] if again else []
    console.print("\n[bold]What to try next[/]")
    for line in (
        *first,
        f"prsp explain {place}/sensor.rq",
        f"prsp run {place}/sensor.rq {place}/average.rq --stream {place}/data/stream.nts --backend spectra",
        f"prsp run {place}/sensor.rq --stream {place}/data/stream.nts --operator istream --format csv",
        "prsp backends",
    ):
        console.print(f"  {line}", soft_wrap=True)


def _shortened(evaluation: Evaluation) -> Evaluation:
    """The first rows, and a row of dots for the others."""
    from dataclasses import replace

    from prsp.model.result import RowSolutions
    from prsp.model.term import Literal

    rows, names = evaluation.rows(), evaluation.arrow().column_names
    if len(rows) <= _ROWS:
        return evaluation
    more = (Literal(f"… {len(rows) - _ROWS} more"), *[None] * (len(names) - 1))
    return replace(evaluation, result=RowSolutions(tuple(names), [*rows[:_ROWS], more]))


class _Teller:
    """Says that Spark starts, which takes the most of the time, and cuts; on a terminal only."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        if self._shown:
            print("starting Spark …", end="", file=sys.stderr, flush=True)

    def tell(self, status: Status) -> None:
        if self._shown and not status.elements:
            print("\r\x1b[Kcutting …", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False
