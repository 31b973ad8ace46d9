"""Python source for one basic graph pattern: delta plans per triple pattern, and the upkeep of their indexes.

A delta plan joins a changed triple with all the other views by their indexes: QueryProc and IncQueryProc (Algorithms 3 and 4)
in one, without sibling lists, since what a triple matches is looked up when it comes and when it goes. For each view there
are five functions: ``insert`` and ``evict`` change the indexes and append the rows that come or go, ``fill`` and ``drop``
only change the indexes, ``match`` joins given rows of the view with everything else (S-Rev).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from prsp_backends.spectra.plan import Bgp, Pattern, Table


@dataclass(frozen=True, slots=True)
class Signature:
    """What a triple must be to enter a view: constants, equal positions, and one-variable filters per column."""

    graph: str | None
    constants: tuple[bytes | None, bytes | None, bytes | None]
    columns: tuple[int, ...]
    """The column of each variable position, in order of the positions."""
    tests: tuple[tuple[int, int], ...]
    """Pairs of column and test number."""
    table: int = -1
    """The fixed table it reads instead of triples."""

    @property
    def width(self) -> int:
        """How many columns it has."""
        return max(self.columns, default=-1) + 1


@dataclass(slots=True)
class Leaf:
    """A pattern or table of the group: its view, and the variable of each column."""

    view: int
    names: tuple[str, ...]


@dataclass(slots=True)
class Program:
    """What the generator decides: views, indexes, orders, and the source."""

    views: list[Signature] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)
    indexes: dict[int, set[tuple[int, ...]]] = field(default_factory=dict)
    orders: dict[int, list[int]] = field(default_factory=dict)
    source: list[str] = field(default_factory=list)


class Generator:
    """Generates the source of one group; ``singles`` are the one-variable tests, ``others`` the rest, by variables."""

    def __init__(self, plan: Bgp, singles: dict[int, str], others: dict[int, tuple[str, ...]], output: tuple[str, ...]) -> None:
        self._others = others
        self._output = output
        self.program = Program()
        by_name: dict[str, list[int]] = {}
        for number, name in singles.items():
            by_name.setdefault(name, []).append(number)
        for pattern in plan.patterns:
            self._leaf(*_pattern_signature(pattern, by_name))
        for number, table in enumerate(plan.tables):
            self._leaf(*_table_signature(table, number, by_name))
        self._local = {name: f"x{index}" for index, name in enumerate(plan.variables)}

    def _leaf(self, signature: Signature, names: tuple[str, ...]) -> None:
        program = self.program
        if signature not in program.views:
            program.views.append(signature)
        program.leaves.append(Leaf(program.views.index(signature), names))

    def generate(self, sizes: list[int] | None = None) -> str:
        """The whole source; ``sizes`` of the views, when known, put small ones first."""
        program = self.program
        bodies = {leaf: self._match(leaf, sizes) for leaf in range(len(program.leaves))}
        for view, signature in enumerate(program.views):
            if not program.indexes.get(view):
                program.indexes[view] = {(0,)} if signature.width == 2 else {tuple(range(signature.width))}
        for view in range(len(program.views)):
            self._functions(view, bodies)
        return "\n".join(program.source) + "\n"

    def index_name(self, view: int, key: tuple[int, ...]) -> str:
        """The global name of an index: ``V0_by_01`` is view 0 by its columns 0 and 1."""
        return f"V{view}_by_{''.join(map(str, key))}"

    def _functions(self, view: int, bodies: dict[int, list[str]]) -> None:
        program, width = self.program, self.program.views[view].width
        names = [f"d{column}" for column in range(width)]
        row = _tuple(names)
        leaves = [leaf for leaf, item in enumerate(program.leaves) if item.view == view]
        add, take = self.upkeep(view, names, insert=True), self.upkeep(view, names, insert=False)
        out = program.source
        self_join = len(leaves) > 1
        out += [f"def fill_{view}(delta):", f"    for {row} in delta:", *_indent(add, 2), ""]
        out += [f"def drop_{view}(delta):", f"    for {row} in delta:", *_indent(take, 2), ""]
        for verb, upkeep in (("insert", add), ("evict", take)):
            out += [f"def {verb}_{view}(delta, found):", f"    for {row} in delta:"]
            if self_join:
                # One triple at a time: it may meet itself, and each match is counted for its first pattern only.
                both = [line for leaf in leaves for line in bodies[leaf]]
                out += _indent(upkeep + both if verb == "insert" else both + upkeep, 2)
            elif verb == "insert":
                out += [*_indent(upkeep, 2), f"    for {row} in delta:", *_indent(bodies[leaves[0]], 2)]
            else:
                out += [*_indent(bodies[leaves[0]], 2), f"    for {row} in delta:", *_indent(upkeep, 2)]
            out.append("")
        first = self._match(leaves[0], None, exclude=False, order=program.orders[leaves[0]])
        out += [f"def match_{view}(delta, found):", f"    for {row} in delta:", *_indent(first, 2), ""]

    def upkeep(self, view: int, names: Sequence[str], *, insert: bool) -> list[str]:
        """The lines that put a row, its columns under these names, into the indexes of a view, or take it out."""
        width = self.program.views[view].width
        lines: list[str] = []
        for key in sorted(self.program.indexes[view]):
            name = self.index_name(view, key)
            rest = [column for column in range(width) if column not in key]
            key_text = _key(names[column] for column in key)
            if not rest:
                lines.append(f"{name}.{'add' if insert else 'discard'}({key_text})")
                continue
            value = _key(names[column] for column in rest)
            lines += _add(name, key_text, value) if insert else _take(name, key_text, value)
        return lines or ["pass"]

    def _match(self, start: int, sizes: list[int] | None, *, exclude: bool = True, order: list[int] | None = None) -> list[str]:
        """The body that joins a changed row of one pattern (``d0, d1, …``) with all the others."""
        program = self.program
        first = program.leaves[start]
        if order is None:
            order = self._order(start, sizes)
            program.orders[start] = order
        bound: set[str] = set()
        lines: list[str] = []
        for column, name in enumerate(first.names):
            lines.append(f"{self._local[name]} = d{column}")
            bound.add(name)
        pending = dict(self._others)
        depth = self._tests(lines, 0, bound, pending)
        for leaf in order:
            depth = self._step(lines, depth, leaf, bound)
            if exclude and leaf < start and program.leaves[leaf].view == first.view:
                same = " and ".join(f"{self._local[name]} == d{column}" for column, name in enumerate(program.leaves[leaf].names))
                lines.append("    " * depth + f"if not ({same}):")
                depth += 1
            depth = self._tests(lines, depth, bound, pending)
        lines.append("    " * depth + f"found({_tuple(self._local[name] for name in self._output)})")
        return lines

    def _tests(self, lines: list[str], depth: int, bound: set[str], pending: dict[int, tuple[str, ...]]) -> int:
        ready = [number for number, names in pending.items() if bound.issuperset(names)]
        if not ready:
            return depth
        tests = [f"F{number}({_tuple(self._local[name] for name in pending.pop(number))})" for number in ready]
        lines.append("    " * depth + f"if {' and '.join(tests)}:")
        return depth + 1

    def _step(self, lines: list[str], depth: int, leaf: int, bound: set[str]) -> int:
        item = self.program.leaves[leaf]
        width = len(item.names)
        known = tuple(column for column in range(width) if item.names[column] in bound)
        free = [column for column in range(width) if column not in known]
        local = [self._local[name] for name in item.names]
        indexes = self.program.indexes.setdefault(item.view, set())
        pad = "    " * depth
        bound.update(item.names)
        if not free:
            if width == 2:
                key = (0,) if (0,) in indexes or (1,) not in indexes else (1,)
                indexes.add(key)
                other = local[1 - key[0]]
                lines.append(f"{pad}if {other} in {self.index_name(item.view, key)}.get({local[key[0]]}, NONE):")
            else:
                whole = tuple(range(width))
                indexes.add(whole)
                lines.append(f"{pad}if {_key(local)} in {self.index_name(item.view, whole)}:")
            return depth + 1
        if not known:
            return self._scan(lines, depth, item, local)
        indexes.add(known)
        target = ", ".join(local[column] for column in free)
        key_text = _key(local[column] for column in known)
        lines.append(f"{pad}for {target} in {self.index_name(item.view, known)}.get({key_text}, NONE):")
        return depth + 1

    def _scan(self, lines: list[str], depth: int, item: Leaf, local: list[str]) -> int:
        """A pattern that shares no variable with those before it: every row."""
        indexes = self.program.indexes[item.view]
        pad = "    " * depth
        if len(local) == 2:
            key = (1,) if (1,) in indexes and (0,) not in indexes else (0,)
            indexes.add(key)
            lines.append(f"{pad}for {local[key[0]]}, b{depth} in {self.index_name(item.view, key)}.items():")
            lines.append(f"{pad}    for {local[1 - key[0]]} in b{depth}:")
            return depth + 2
        whole = tuple(range(len(local)))
        indexes.add(whole)
        lines.append(f"{pad}for {', '.join(local) or '_'} in {self.index_name(item.view, whole)}:")
        return depth + 1

    def _order(self, start: int, sizes: list[int] | None) -> list[int]:
        """The other patterns, connected and most bound first, then the smaller view."""
        leaves = self.program.leaves
        bound = set(leaves[start].names)
        left = [leaf for leaf in range(len(leaves)) if leaf != start]
        order: list[int] = []
        while left:
            best = min(left, key=lambda leaf: self._cost(leaf, bound, sizes))
            left.remove(best)
            order.append(best)
            bound.update(leaves[best].names)
        return order

    def _cost(self, leaf: int, bound: set[str], sizes: list[int] | None) -> tuple[int, int, int, int]:
        item = self.program.leaves[leaf]
        free = sum(name not in bound for name in item.names)
        connected = free < len(item.names) or not item.names
        constants = sum(constant is not None for constant in self.program.views[item.view].constants)
        return (0 if connected else 1, free, sizes[item.view] if sizes else -constants, leaf)


def _pattern_signature(pattern: Pattern, by_name: dict[str, list[int]]) -> tuple[Signature, tuple[str, ...]]:
    names = pattern.variables
    positions = pattern.positions
    constants = tuple(p if isinstance(p, bytes) else None for p in positions)
    columns = tuple(names.index(p) for p in positions if isinstance(p, str))
    tests = tuple((column, number) for column, name in enumerate(names) for number in by_name.get(name, ()))
    return Signature(pattern.graph, constants, columns, tests), names  # type: ignore[arg-type]


def _table_signature(table: Table, number: int, by_name: dict[str, list[int]]) -> tuple[Signature, tuple[str, ...]]:
    names = table.variables
    tests = tuple((column, test) for column, name in enumerate(names) for test in by_name.get(name, ()))
    return Signature(None, (None, None, None), tuple(range(len(names))), tests, number), names


def _tuple(items: Iterable[str]) -> str:
    inner = ", ".join(items)
    return f"({inner},)" if inner and "," not in inner else f"({inner})"


def _key(items: Iterable[str]) -> str:
    parts = list(items)
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _indent(lines: list[str], by: int) -> list[str]:
    return ["    " * by + line for line in lines]


def _add(name: str, key: str, value: str) -> list[str]:
    return [
        f"b = {name}.get({key})",
        "if b is None:",
        f"    {name}[{key}] = ({value},)",
        "elif type(b) is tuple:",
        f"    {name}[{key}] = (*b, {value}) if len(b) < SMALL else {{*b, {value}}}",
        "else:",
        f"    b.add({value})",
    ]


def _take(name: str, key: str, value: str) -> list[str]:
    return [
        f"b = {name}[{key}]",
        "if type(b) is tuple:",
        "    if len(b) == 1:",
        f"        del {name}[{key}]",
        "    else:",
        f"        {name}[{key}] = tuple([o for o in b if o != {value}])",
        "else:",
        f"    b.remove({value})",
        "    if not b:",
        f"        del {name}[{key}]",
    ]
