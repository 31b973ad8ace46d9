"""Static data: the graphs of FROM and FROM NAMED that do not change while the streams do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StaticData:
    """What the engine holds beside the windows.

    ``graphs`` are canonical N-Triples lines, each triple once per graph; None is the default graph. ``held_default`` and
    ``held_named`` are graphs the engine has already, by name, and that the query may see.
    """

    graphs: Mapping[str | None, bytes] = field(default_factory=dict)
    held_default: tuple[str, ...] = ()
    held_named: tuple[str, ...] = ()


NO_STATIC_DATA = StaticData()
