"""What measuring costs: TLT and QRT as prsp compare takes them against a bare script around the engine's own calls, window by window."""

from __future__ import annotations

import gc
import statistics
import tempfile
from contextlib import ExitStack
from pathlib import Path

from prsp.backend import open_backend
from prsp.bench.bare import Bare, Times, bare_oxigraph, bare_rdflib
from prsp.bench.registry import Measured
from prsp.bench.stream import write_stream
from prsp.compare.frozen import Frozen, freeze
from prsp.compare.measure import Lane
from prsp.model.profile import PROFILES
from prsp.parse import parse_query
from prsp.run import Registered, RunOptions
from prsp.source import StreamSource
from prsp.transform.session import leased_session

_QUERY = """REGISTER QUERY readings AS
PREFIX om: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
SELECT ?sensor ?obs ?value FROM STREAM <http://example.org/sensors> [RANGE 5s STEP 4s] WHERE {
  ?obs om:observedProperty weather:_AirTemperature ; om:procedure ?sensor ; om:result [ om:floatValue ?value ] }"""
_STREAM = "http://example.org/sensors"
_PER_SECOND = {"17k": 3_500, "87k": 17_500}
"""Triples a second of PRSP's least and largest load, so many thousand in a window of 5 s."""
_WINDOWS = 5

_ROUNDS = {"oxigraph": 9, "rdflib": 1}
"""Of a slow engine one round is enough: its sums are long."""


def measure(*, quick: bool = False) -> Measured:
    """The sums over all windows, ours over the script's: medians of rounds in which both are asked of each window in turns."""
    ratios: dict[str, float] = {}
    details: dict[str, object] = {}
    with ExitStack() as stack:
        spark, release = leased_session()
        stack.callback(release)
        for size, per_second in list(_PER_SECOND.items())[: 1 if quick else None]:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="prsp-bench-"))
            write_stream(Path(folder), per_second * (12 if quick else 30), per_second=per_second)
            for name, bare in (("oxigraph", bare_oxigraph()), ("rdflib", bare_rdflib())):
                registered = Registered(parse_query(_QUERY), open_backend(name, {}), PROFILES["prsp"])
                options = RunOptions((registered,), {_STREAM: StreamSource(_STREAM, f"{folder}/*.nts")}, windows=_WINDOWS)
                frozen = freeze(options, f"{folder}/{name}", spark)
                found = [_round(registered, frozen, bare, number) for number in range(-1, _ROUNDS[name])][1:]
                ratios[f"{name}_over_bare_{size}"] = statistics.median(ours / theirs for ours, theirs in found)
                details[f"{name}_{size}_s"] = [round(statistics.median(each), 3) for each in zip(*found, strict=True)]
    return Measured({"compare_over_bare": max(ratios.values()), **ratios}, {**details, "s": "medians of the sums, ours and the script's"})


def _round(registered: Registered, frozen: Frozen, bare: Bare, number: int) -> Times:
    """TLT and QRT summed over the windows, ours and the script's."""
    lane = Lane(registered, frozen, deadline=None, lateness=None)
    sums = {True: 0.0, False: 0.0}
    for window in range(len(frozen.windows)):
        snapshot = frozen.bring(window)
        data = snapshot.data()
        gc.collect()
        for mine in (True, False) if (window + number) % 2 else (False, True):
            tlt, qrt = lane.take(snapshot)[1:] if mine else bare(data, registered.query.sparql)
            sums[mine] += tlt + qrt
    lane.close()
    return sums[True], sums[False]
