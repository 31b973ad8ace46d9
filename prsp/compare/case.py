"""What is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prsp.compare.asked import Asked
from prsp.model.profile import Profile
from prsp.model.query import ContinuousQuery
from prsp.source import StreamSource


@dataclass(frozen=True, slots=True)
class Case:
    """A query under a profile over streams, and how engines are compared on its windows."""

    query: ContinuousQuery
    text: str
    profile: Profile
    sources: Mapping[str, StreamSource]
    files: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, int] = field(default_factory=dict)
    reference: Asked = field(default_factory=Asked)
    repeat: int = 3
    memory: bool = True
    deadline: int | None = None
    lateness: int | None = None
    flush: bool = True
    max_gap: int = 1_000_000
    windows: int | None = None
