"""The plan as text, for people: what is pruned, which views and indexes there are, in which order patterns are joined."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rdflib import URIRef

from prsp_backends.spectra.algebra import parts, read_query
from prsp_backends.spectra.codegen import Program, Signature
from prsp_backends.spectra.engine import Engine
from prsp_backends.spectra.operators.pattern import Matches
from prsp_backends.spectra.plan import Bgp, Plan, Position

_EACH = "each named graph"


def describe(text: str, named: tuple[str, ...] = (), *, source: bool = False) -> str:
    """The plan of a query, as if the graphs that it names were there; with ``source`` the generated Python too."""
    engine = Engine(text, named=named or _graphs(read_query(text)[1]))
    matches = iter(engine.matches)
    lines = ["plan"]
    _tree(engine.plan, 1, matches, lines)
    for graph, summary in sorted(engine.summaries.items(), key=lambda item: item[0] or ""):
        every = (None, None, None) in summary.wanted
        lines.append(f"summary of {_graph(graph)}: {'every line is read' if every else 'a line is read when it is'}")
        lines += [] if every else [f"  {_constants(constants)}" for constants in summary.wanted]
    if engine.volatile:
        lines.append("evaluated from scratch: NOW, RAND, UUID or BNODE give another answer each time")
    if source:
        for item in engine.matches:
            lines += ["", *item.source.splitlines()]
            for route in item.route_source.values():
                lines += route.splitlines()
    return "\n".join(lines) + "\n"


def _graphs(algebra: Any) -> tuple[str, ...]:
    """The graphs a query names; for GRAPH ?g alone one that stands for all."""
    found, stack = set[Any](), [algebra]
    while stack:
        item = stack.pop()
        if getattr(item, "name", "") == "Graph":
            found.add(item.term)
        stack.extend(parts(item))
    names = tuple(sorted(str(term) for term in found if isinstance(term, URIRef)))
    return names or ((_EACH,) if found else ())


def _graph(name: str | None) -> str:
    return "the default graph" if name is None else name if name == _EACH else f"<{name}>"


def _tree(plan: Plan, depth: int, matches: object, lines: list[str]) -> None:
    pad = "  " * depth
    lines.append(f"{pad}{type(plan).__name__.lower()} ({' '.join('?' + name for name in plan.variables if not name.startswith('_:'))})")
    if isinstance(plan, Bgp):
        item = next(matches)  # type: ignore[call-overload]
        lines += [f"{pad}  {line}" for line in _pattern(plan, item)]
        return
    for child in (getattr(plan, field.name) for field in fields(plan)):
        if isinstance(child, Plan):
            _tree(child, depth + 1, matches, lines)


def _pattern(plan: Bgp, matches: Matches) -> list[str]:
    program = matches.program
    lines = []
    for view, signature in enumerate(program.views):
        keys = ", ".join(f"by {_columns(key)}" for key in sorted(program.indexes[view]))
        lines.append(f"view {view}{_of(signature)}: {_signature(signature)}, indexed {keys}")
    for leaf, order in sorted(program.orders.items()):
        lines.append(
            f"change of {_leaf(plan, program, leaf)}: then {', '.join(_leaf(plan, program, other) for other in order) or 'nothing'}"
        )
    if plan.tests:
        lines.append(f"{_filters(len(plan.tests))} tested inside")
    return lines


def _of(signature: Signature) -> str:
    return "" if signature.graph is None else f" of {_graph(signature.graph)}"


def _columns(key: tuple[int, ...]) -> str:
    return "column " + " and ".join(str(column) for column in key) if key else "nothing"


def _leaf(plan: Bgp, program: Program, leaf: int) -> str:
    if leaf < len(plan.patterns):
        return " ".join(map(_position, plan.patterns[leaf].positions))
    return f"VALUES ({' '.join(program.leaves[leaf].names)})"


def _position(position: Position) -> str:
    if isinstance(position, bytes):
        return position.decode()
    return position if position.startswith("_:") else f"?{position}"


def _signature(signature: Signature) -> str:
    if signature.table >= 0:
        return "VALUES"
    text = _constants(signature.constants)
    return text + (f", {_filters(len(signature.tests))}" if signature.tests else "")


def _filters(count: int) -> str:
    return f"{count} filter" + ("s" if count > 1 else "")


def _constants(constants: tuple[bytes | None, bytes | None, bytes | None]) -> str:
    return " ".join("any" if token is None else token.decode() for token in constants)
