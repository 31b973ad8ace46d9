"""Backends by name, found through the entry point group ``prsp.backends`` and imported only when named."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from prsp.backend.interface import Backend
from prsp.backend.options import demand
from prsp.errors import EnvironmentProblem, InputError

GROUP = "prsp.backends"


def backend_names() -> list[str]:
    """Every backend installed here."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def backend_named(name: str) -> type[Backend]:
    """The backend class of that name; EnvironmentProblem says what has to be installed first."""
    for point in entry_points(group=GROUP, name=name):
        return _imported(point)
    raise InputError(f"there is no backend '{name}'; installed are {', '.join(backend_names())}")


def open_backend(name: str, options: Mapping[str, str]) -> Backend:
    """A configured backend whose requirements are met."""
    kind = backend_named(name)
    demand(name, kind.requires)
    return kind.from_options(options)


def _imported(point: EntryPoint) -> type[Backend]:
    try:
        backend: type[Backend] = point.load()
    except ModuleNotFoundError as error:
        raise EnvironmentProblem(f"the {point.name} backend needs the package {error.name}: pip install {error.name}") from error
    except Exception as error:  # a plugin's own fault must not look like ours
        raise EnvironmentProblem(f"the {point.name} backend ({point.value}) cannot be imported: {error}") from error
    return backend
