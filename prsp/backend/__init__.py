"""The contract between prsp and a SPARQL engine."""

from prsp.backend.interface import Backend, Session
from prsp.backend.registry import backend_named, backend_names

__all__ = ["Backend", "Session", "backend_named", "backend_names"]
