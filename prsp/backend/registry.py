"""Backends by name, found through the entry point group ``prsp.backends`` and imported only when named."""

from __future__ import annotations

from importlib.metadata import entry_points

from prsp.backend.interface import Backend
from prsp.errors import InputError

GROUP = "prsp.backends"


def backend_names() -> list[str]:
    """Every backend installed here."""
    return sorted(point.name for point in entry_points(group=GROUP))


def backend_named(name: str) -> type[Backend]:
    """The backend of that name."""
    for point in entry_points(group=GROUP, name=name):
        backend: type[Backend] = point.load()
        return backend
    raise InputError(f"there is no backend '{name}'; installed are {', '.join(backend_names())}")
