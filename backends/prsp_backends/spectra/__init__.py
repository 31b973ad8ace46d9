"""SPECTRA: answers a continuous query from the change of the window alone."""

from prsp_backends.spectra.auto import Mode
from prsp_backends.spectra.backend import SpectraBackend
from prsp_backends.spectra.engine import Engine
from prsp_backends.spectra.explain import describe

__all__ = ["Engine", "Mode", "SpectraBackend", "describe"]
