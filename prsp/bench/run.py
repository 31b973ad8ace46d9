"""The whole run, from files to written answers: against a bare script, and with one engine against another."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from prsp.backend import open_backend
from prsp.bench.registry import Measured
from prsp.bench.run_bare import bare_tumbling
from prsp.model import PROFILES, ContinuousQuery
from prsp.parse import parse_query
from prsp.run import RunOptions, Summary, Where, register, run_bounded
from prsp.source import StreamSource
from prsp.transform.session import leased_session
from prsp.workload import write_workload, yabench

_START = 1_483_850_232_000
_SIZES = {False: (250, 572), True: (50, 143)}
"""Sensors and seconds: a million elements, or fifty thousand for a first look."""
_SLOW_SIZES = {False: (200, 120), True: (100, 40)}
"""The stream for rdflib, which takes twenty times as long."""


def measure(*, quick: bool = False) -> Measured:
    """Speeds over speeds of runs on the same stream, the session started before and its start told apart."""
    with tempfile.TemporaryDirectory(prefix="prsp-bench-") as name:
        folder = Path(name)
        began = time.perf_counter()
        _, release = leased_session()
        started = time.perf_counter() - began
        try:
            return _measured(folder, started, quick=quick)
        finally:
            release()


def _measured(folder: Path, started: float, *, quick: bool) -> Measured:
    large, slow = _Stream(folder / "large", *_SIZES[quick]), _Stream(folder / "slow", *_SLOW_SIZES[quick])
    details: dict[str, object] = {"session_start_s": round(started, 2), "elements": large.elements}
    ratios: dict[str, float] = {}
    rounds = 3 if quick else 5

    tumbling = large.query("5s", "5s")
    bare, ours = [], []
    large.run(tumbling, "oxigraph")  # the first job of a session starts its workers
    for _ in range(rounds):
        bare.append(_timed(lambda: large.bare(tumbling)))
        ours.append(_timed(lambda: large.run(tumbling, "oxigraph")))
    large.compare()
    ratios["oxigraph_over_bare_tumbling"] = statistics.median(b / o for b, o in zip(bare, ours, strict=True))
    details |= _told("bare_5s_5s", bare) | _told("oxigraph_5s_5s", ours)
    details["oxigraph_5s_5s_stages_s"] = _stages(large.last)
    details |= _told("oxigraph_5s_4s", [_timed(lambda: large.run(large.query("5s", "4s"), "oxigraph"))])

    sliding = large.query("60s", "1s")
    spectra = [_timed(lambda: large.run(sliding, "spectra")) for _ in range(2)]
    details["spectra_60s_1s_stages_s"] = _stages(large.last)
    oxigraph = [_timed(lambda: large.run(sliding, "oxigraph"))]
    details["oxigraph_60s_1s_stages_s"] = _stages(large.last)
    ratios["spectra_over_oxigraph_60s_1s"] = oxigraph[0] / statistics.median(spectra)
    details |= _told("spectra_60s_1s", spectra) | _told("oxigraph_60s_1s", oxigraph)

    windows = slow.query("5s", "5s")
    pairs = [
        (_timed(lambda: slow.run(windows, "rdflib")), _timed(lambda: slow.run(windows, "rdflib", Where.EXECUTORS)))
        for _ in range(1 if quick else 3)
    ]
    ratios["executors_over_driver_rdflib"] = statistics.median(driver / executors for driver, executors in pairs)
    details |= _told("rdflib_driver", [p[0] for p in pairs]) | _told("rdflib_executors", [p[1] for p in pairs])
    return Measured(ratios, details)


class _Stream:
    """A YABench-like stream on disk, and runs over it."""

    def __init__(self, folder: Path, sensors: int, seconds: int) -> None:
        workload = yabench(sensors=sensors, seconds=seconds, start=_START, windows=())
        write_workload(workload, folder)
        self._folder, self._iri = folder, workload.stream
        self.elements = 7 * sensors * seconds
        self.last = Summary()

    def query(self, size: str, step: str) -> ContinuousQuery:
        """PRSP's sensor query over a window."""
        return parse_query(f"""REGISTER QUERY sensor AS
PREFIX om: <http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#>
PREFIX weather: <http://knoesis.wright.edu/ssw/ont/weather.owl#>
SELECT ?sensor ?obs ?value FROM STREAM <{self._iri}> [RANGE {size} STEP {step}]
WHERE {{ ?obs om:observedProperty weather:_AirTemperature ; om:procedure ?sensor ; om:result [ om:floatValue ?value ] }}""")

    def run(self, query: ContinuousQuery, backend: str, where: Where = Where.DRIVER) -> int:
        """Run to the end and write the answers; gives the number of windows."""
        registered = register([query], open_backend(backend, {}), replace(PROFILES["prsp"], t0=_START))
        sources = {self._iri: StreamSource(self._iri, str(self._folder / "stream.nts"))}
        self.last = run_bounded(RunOptions(registered, sources, where=where, output=str(self._folder / "ours"), overwrite=True))
        assert self.last.reported, "every window is reported"
        assert not self.last.failed, "none failed"
        return self.last.reported

    def compare(self) -> None:
        """The bare script and the last run have written the same."""
        ours, bare = _lines(self._folder / "ours"), _lines(self._folder / "bare")
        assert len(ours) == len(bare), f"{len(ours)} windows, the bare script has {len(bare)}"
        assert ours == bare, "the bare script has other windows or answers"

    def bare(self, query: ContinuousQuery) -> int:
        """The bare script on the same stream; gives the number of windows."""
        output = self._folder / "bare"
        return bare_tumbling(
            self._folder / "stream.nts", output, sparql=query.sparql, name="sensor", iri=self._iri, size=query.range, start=_START
        )


def _lines(path: Path) -> list[tuple[int, list[dict[str, int]], list[str]]]:
    """What each line says, but for ids and the order of the rows."""
    documents = map(json.loads, path.read_bytes().splitlines())
    return [(d["at"], d["windows"], sorted(json.dumps(row, sort_keys=True) for row in d["results"]["bindings"])) for d in documents]


def _timed(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _told(name: str, seconds: list[float]) -> dict[str, object]:
    return {f"{name}_s": [round(value, 2) for value in seconds]}


def _stages(summary: Summary) -> dict[str, float]:
    return {name: round(value, 2) for name, value in summary.seconds.items()}
