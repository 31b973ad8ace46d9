"""The suites by name."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from prsp.compare.suites import prsp_paper, spectra_paper
from prsp.compare.suites.suite import Suite

SUITES: MappingProxyType[str, Callable[..., Suite]] = MappingProxyType({"prsp": prsp_paper.suite, "spectra": spectra_paper.suite})
"""Each a function with the keyword ``quick`` that gives the suite."""
