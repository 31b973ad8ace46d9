"""Matching two bags of rows up to the names of blank nodes.

Rows that share blank nodes form pieces, and a piece needs an isomorphic partner. Its nodes are coloured by what they meet in which
rows until that tells no more of them apart; nodes still alike are tried out: fix one, try every partner, refine again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence

from prsp.model.term import BlankNode

Cell = Hashable
"""A blank node, or anything that has to be equal as it is."""
Keyed = tuple[Cell, ...]
Colours = dict[BlankNode, int]
Piece = list[Keyed]
"""Rows that hang together by blank nodes, each as often as it stands there."""


def unmatched(left: Sequence[Keyed], right: Sequence[Keyed]) -> tuple[list[int], list[int]] | None:
    """None when renaming blank nodes makes the bags equal, else the numbers of rows on either side that found no partner."""
    plain = [row for row in left if not _blanks(row)], [row for row in right if not _blanks(row)]
    only_ground = Counter(plain[0]) - Counter(plain[1]), Counter(plain[1]) - Counter(plain[0])
    lonely = list(only_ground[0].elements()), list(only_ground[1].elements())
    pieces = _pieces(left), _pieces(right)
    if pieces[0] or pieces[1]:
        for mine, others in zip(lonely, _unmatched_pieces(*pieces, {}), strict=True):
            mine.extend(row for piece in others for row in piece)
    if not lonely[0] and not lonely[1]:
        return None
    return _numbers(left, lonely[0]), _numbers(right, lonely[1])


def _unmatched_pieces(left: list[Piece], right: list[Piece], names: dict[Hashable, int]) -> tuple[list[Piece], list[Piece]]:
    """The pieces without an isomorphic partner; being isomorphic is an equivalence, so that any partner will do."""
    waiting: dict[Hashable, list[tuple[Piece, Colours]]] = defaultdict(list)
    for piece in right:
        colours = _refined(piece, {}, names)
        waiting[_signature(piece, colours)].append((piece, colours))
    alone: list[Piece] = []
    for piece in left:
        colours = _refined(piece, {}, names)
        candidates = waiting[_signature(piece, colours)]
        found = next((n for n, (other, theirs) in enumerate(candidates) if _isomorphic(piece, other, colours, theirs, names)), None)
        if found is None:
            alone.append(piece)
        else:
            del candidates[found]
    return alone, [piece for candidates in waiting.values() for piece, _ in candidates]


def _isomorphic(left: Piece, right: Piece, mine: Colours, others: Colours, names: dict[Hashable, int]) -> bool:
    if _signature(left, mine) != _signature(right, others):
        return False
    classes = _classes(mine), _classes(others)
    single = {colour for colour, nodes in classes[0].items() if len(nodes) == 1}
    if len(single) == len(mine):
        return True  # every node has one partner, and the signature says that the rows agree under it
    if single:
        # Their partners are certain. Without them the piece falls apart, often into many that are alike.
        rest = [_pieces([_fixed(row, colours, single) for row in piece]) for piece, colours in ((left, mine), (right, others))]
        return _unmatched_pieces(rest[0], rest[1], names) == ([], [])
    _, colour = min((len(nodes), colour) for colour, nodes in classes[0].items())
    mark = names.setdefault(("mark", len(names)), len(names))
    marked = _refined(left, mine | {classes[0][colour][0]: mark}, names)
    return any(_isomorphic(left, right, marked, _refined(right, others | {partner: mark}, names), names) for partner in classes[1][colour])


def _fixed(row: Keyed, colours: Colours, single: set[int]) -> Keyed:
    return tuple(("fixed", colours[cell]) if isinstance(cell, BlankNode) and colours[cell] in single else cell for cell in row)


def _refined(rows: Iterable[Keyed], colours: Colours, names: dict[Hashable, int]) -> Colours:
    """The stable colouring of the rows' blank nodes; ``names`` gives equal neighbourhoods equal colours on both sides."""
    counted = Counter(rows)
    nodes = dict.fromkeys(node for row in counted for node in _blanks(row))
    colours = {node: colours.get(node, -1) for node in nodes}
    kinds = len(set(colours.values()))
    while True:
        seen: dict[BlankNode, Counter[Hashable]] = {node: Counter() for node in nodes}
        for row, times in counted.items():
            coloured = _coloured(row, colours)
            for node in set(_blanks(row)):
                places = tuple(place for place, cell in enumerate(row) if cell == node)
                seen[node][places, coloured] += times
        colours = {node: names.setdefault((colours[node], frozenset(met.items())), len(names)) for node, met in seen.items()}
        if len(set(colours.values())) == kinds:
            return colours
        kinds = len(set(colours.values()))


def _pieces(rows: Sequence[Keyed]) -> list[Piece]:
    """The rows with blank nodes, those that share one together."""
    parent: dict[BlankNode, BlankNode] = {}

    def root(node: BlankNode) -> BlankNode:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for row in rows:
        nodes = _blanks(row)
        for node in nodes:
            parent[root(node)] = root(nodes[0])
    pieces: dict[BlankNode, Piece] = defaultdict(list)
    for row in rows:
        if nodes := _blanks(row):
            pieces[root(nodes[0])].append(row)
    return list(pieces.values())


def _signature(piece: Piece, colours: Colours) -> Hashable:
    return frozenset(Counter(_coloured(row, colours) for row in piece).items())


def _coloured(row: Keyed, colours: Colours) -> Hashable:
    return tuple(("blank", colours[cell]) if isinstance(cell, BlankNode) else cell for cell in row)


def _classes(colours: Colours) -> dict[int, list[BlankNode]]:
    classes: dict[int, list[BlankNode]] = defaultdict(list)
    for node, colour in colours.items():
        classes[colour].append(node)
    return classes


def _blanks(row: Keyed) -> list[BlankNode]:
    return [cell for cell in row if isinstance(cell, BlankNode)]


def _numbers(rows: Sequence[Keyed], wanted: Iterable[Keyed]) -> list[int]:
    left = Counter(wanted)
    numbers: list[int] = []
    for number, row in enumerate(rows):
        if left[row] > 0:
            left[row] -= 1
            numbers.append(number)
    return numbers
