"""The contract between prsp and a SPARQL engine."""

from prsp.backend.feed import Feed
from prsp.backend.interface import (
    Backend,
    ChangeSession,
    DeltaSession,
    DrivesPrograms,
    Explains,
    HoldsGraphs,
    LeavesTraces,
    Session,
    TellsMemory,
)
from prsp.backend.options import Kind, Option, Requirement, chosen
from prsp.backend.registry import backend_named, backend_names, open_backend
from prsp.backend.sessions import open_feed

__all__ = [
    "Backend",
    "ChangeSession",
    "DeltaSession",
    "DrivesPrograms",
    "Explains",
    "Feed",
    "HoldsGraphs",
    "Kind",
    "LeavesTraces",
    "Option",
    "Requirement",
    "Session",
    "TellsMemory",
    "backend_named",
    "backend_names",
    "chosen",
    "open_backend",
    "open_feed",
]
