"""The plan as text, for people: what is pruned, which views and indexes there are, in which order patterns are joined."""

from __future__ import annotations

from dataclasses import fields

from prsp_backends.spectra.codegen import Program, Signature
from prsp_backends.spectra.engine import Engine
from prsp_backends.spectra.operators.pattern import Matches
from prsp_backends.spectra.plan import Bgp, Plan


def describe(text: str, named: tuple[str, ...] = (), *, source: bool = False) -> str:
    """The plan of a query; with ``source`` the generated Python too."""
    engine = Engine(text, named=named)
    matches = iter(engine.matches)
    lines = ["plan"]
    _tree(engine.plan, 1, matches, lines)
    for graph, summary in engine.summaries.items():
        lines.append(f"summary of {'the default graph' if graph is None else f'<{graph}>'}: a line is read when it is")
        lines += [f"  {_constants(constants)}" for constants in summary.wanted]
    if engine.volatile:
        lines.append("evaluated from scratch: NOW, RAND, UUID or BNODE give another answer each time")
    if source:
        for item in engine.matches:
            lines += ["", *item.source.splitlines()]
            for route in item.route_source.values():
                lines += route.splitlines()
    return "\n".join(lines) + "\n"


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
        lines.append(f"view {view}: {_signature(signature)}, indexed {keys}")
    for leaf, order in sorted(program.orders.items()):
        lines.append(
            f"change of {_leaf(plan, program, leaf)}: then {', '.join(_leaf(plan, program, other) for other in order) or 'nothing'}"
        )
    if plan.tests:
        lines.append(f"{len(plan.tests)} filters tested inside")
    return lines


def _columns(key: tuple[int, ...]) -> str:
    return "column " + " and ".join(str(column) for column in key) if key else "nothing"


def _leaf(plan: Bgp, program: Program, leaf: int) -> str:
    if leaf < len(plan.patterns):
        return " ".join(f"?{p}" if isinstance(p, str) else p.decode() for p in plan.patterns[leaf].positions)
    return f"VALUES ({' '.join(program.leaves[leaf].names)})"


def _signature(signature: Signature) -> str:
    if signature.table >= 0:
        return "VALUES"
    text = _constants(signature.constants)
    return text + (f", {len(signature.tests)} filters" if signature.tests else "")


def _constants(constants: tuple[bytes | None, bytes | None, bytes | None]) -> str:
    return " ".join("any" if token is None else token.decode() for token in constants)
