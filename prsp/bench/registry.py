"""The benchmarks by name, imported only when asked for."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from os import cpu_count
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Measured:
    """What a benchmark found: the ratios others rely on, and the figures behind them."""

    ratios: Mapping[str, float]
    details: Mapping[str, object] = field(default_factory=dict)


BENCHMARKS: Mapping[str, str] = MappingProxyType(
    {
        "parse": "registering a query against rdflib's parser on the same ρ(Q)",
        "backends": "a window through our backends against a bare script (time over time, the worse of two window sizes)",
        "cut": "text to durable panes against Spark passing the same text through (speed over speed)",
        "compare": "TLT and QRT as prsp compare takes them against a bare script's (time over time, the worst of two engines and loads)",
        "run": "a whole run against a bare script with the same output, SPECTRA against oxigraph, executors against the driver",
        "spectra": "the incremental engine against re-evaluation by pyoxigraph and a re-join by polars (their CPU time over ours)",
    }
)
"""What each benchmark compares; each is a module of this package with a function ``measure(*, quick)``."""


def load(name: str) -> Callable[..., Measured]:
    """The function that runs a benchmark."""
    measure: Callable[..., Measured] = import_module(f"prsp.bench.{name}").measure
    return measure


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    packages = ("prsp", "lark", "rdflib", "pyoxigraph", "pyspark", "pyarrow")
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": cpu_count(),
        "packages": {package: version(package) for package in packages},
    }
