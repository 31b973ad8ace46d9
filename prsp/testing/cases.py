"""The kit's cases: a query, windows and the answers, each a directory of plain files that any language can read.

A case is ``cases/<group>/<name>/``: ``query.rq`` (its first line says what it is about), ``data.nt`` (the window that is the default
graph), ``named/*.nt`` (windows that are named graphs), ``expected.srj`` or ``expected.nt``, and where needed ``case.toml``:
``ordered``, ``at_least``, and tables ``windows`` and ``static`` from file to graph (``""`` is the default graph). A case of several
windows, one after the other, has them in directories 1, 2, ….
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from prsp.model.ability import Ability
from prsp.model.feature import Feature
from prsp.model.query import Rho
from prsp.model.result import Boolean, JsonSolutions, Result, Triples
from prsp.model.static import StaticData
from prsp.parse import parse_rho

FOLDER = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Window:
    """One window of a case: its graphs as N-Triples lines, and the right answer."""

    graphs: Mapping[str | None, bytes]
    expected: Result


@dataclass(frozen=True, slots=True)
class Case:
    """A query with static data and one or more windows, and what it needs an engine to do."""

    name: str
    about: str
    rho: Rho
    static: StaticData
    windows: tuple[Window, ...]
    ordered: bool = False
    """Whether the rows must come in the order of the expected answer."""
    at_least: bool = False
    """Whether more triples of the data than the expected ones are right too (DESCRIBE)."""
    needs: frozenset[Feature | Ability] = field(default=frozenset())


@cache
def load_cases(folder: Path = FOLDER) -> tuple[Case, ...]:
    """Every case, by group and name."""
    return tuple(_read(path.parent, str(path.parent.relative_to(folder))) for path in sorted(folder.glob("*/*/query.rq")))


def _read(folder: Path, name: str) -> Case:
    text = (folder / "query.rq").read_text(encoding="utf-8")
    told = _told(folder / "case.toml")
    static = {graph or None: (folder / file).read_bytes() for file, graph in told.get("static", {}).items()}
    places = sorted((path for path in folder.iterdir() if path.name.isdigit()), key=lambda path: int(path.name)) or [folder]
    windows = tuple(_window(place, told.get("windows", {})) for place in places)
    rho = parse_rho(text)
    return Case(
        name=name,
        about=text.partition("\n")[0].removeprefix("#").strip(),
        rho=rho,
        static=StaticData(static),
        windows=windows,
        ordered=told.get("ordered", False),
        at_least=told.get("at_least", False),
        needs=frozenset[Feature | Ability](rho.features) | _asked_by_data(static, windows),
    )


def _told(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _window(folder: Path, named: Mapping[str, str]) -> Window:
    graphs: dict[str | None, bytes] = {None: (folder / "data.nt").read_bytes()}
    graphs |= {graph: (folder / file).read_bytes() for file, graph in named.items()}
    return Window(graphs, _expected(folder))


def _expected(folder: Path) -> Result:
    if (folder / "expected.nt").exists():
        return Triples((folder / "expected.nt").read_bytes())
    payload = (folder / "expected.srj").read_bytes()
    document = json.loads(payload)
    return Boolean(document["boolean"]) if "boolean" in document else JsonSolutions(payload)


def _asked_by_data(static: Mapping[str | None, bytes], windows: Iterable[Window]) -> frozenset[Feature | Ability]:
    graphs = [(graph, data) for window in windows for graph, data in window.graphs.items()]
    needed: dict[Feature | Ability, bool] = {
        Feature.NAMED_GRAPHS: any(graph is not None for graph in static),
        Ability.STATIC_DATA: bool(static),
        Ability.NAMED_WINDOWS: any(graph is not None for graph, _ in graphs),
        Ability.BLANK_NODES: any(b"_:" in data for _, data in graphs),
    }
    return frozenset(need for need, is_needed in needed.items() if is_needed)
