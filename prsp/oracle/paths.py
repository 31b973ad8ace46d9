"""Property paths (section 18.4): the pairs of nodes a path leads from and to, each as often as it does."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.model.term import IRI, Term
from prsp.oracle.dataset import Graph
from prsp.parse.syntax import Path, PathAlternative, PathInverse, PathNegatedSet, PathRepeat, PathSequence, Repeat

Pair = tuple[Term, Term]


def pairs(graph: Graph, path: Path, start: Term | None, end: Term | None) -> Iterator[Pair]:
    """The pairs with that start and end, where None is any node; only the repeated forms drop duplicates."""
    match path:
        case IRI():
            yield from ((s, o) for s, _, o in graph.match(start, path, end))
        case PathInverse(inner):
            yield from ((s, o) for o, s in pairs(graph, inner, end, start))
        case PathAlternative(choices):
            for choice in choices:
                yield from pairs(graph, choice, start, end)
        case PathSequence(steps):
            yield from _sequence(graph, steps, start, end)
        case PathNegatedSet(forward, backward):
            # A set of forward members only looks forward, one of backward members only backward; ``!()`` looks forward.
            if forward or not backward:
                yield from ((s, o) for s, p, o in graph.match(start, None, end) if p not in forward)
            if backward:
                yield from ((o, s) for s, p, o in graph.match(end, None, start) if p not in backward)
        case PathRepeat(inner, repeat):
            yield from _repeated(graph, inner, repeat, start, end)


def _sequence(graph: Graph, steps: tuple[Path, ...], start: Term | None, end: Term | None) -> Iterator[Pair]:
    if len(steps) == 1:
        yield from pairs(graph, steps[0], start, end)
    elif start is None and end is not None:
        for middle, last in pairs(graph, steps[-1], None, end):
            yield from ((first, last) for first, _ in _sequence(graph, steps[:-1], None, middle))
    else:
        for first, middle in pairs(graph, steps[0], start, None):
            yield from ((first, last) for _, last in _sequence(graph, steps[1:], middle, end))


def _repeated(graph: Graph, path: Path, repeat: Repeat, start: Term | None, end: Term | None) -> Iterator[Pair]:
    if start is None and end is not None:
        yield from ((s, o) for o, s in _repeated(graph, PathInverse(path), repeat, end, None))
        return
    for first in graph.nodes if start is None else [start]:
        yield from ((first, last) for last in _reached(graph, path, repeat, first) if end is None or last == end)


def _reached(graph: Graph, path: Path, repeat: Repeat, first: Term) -> dict[Term, None]:
    """The nodes one gets to, in the order they are found."""
    reached: dict[Term, None] = {}
    if repeat is Repeat.ZERO_OR_ONE:
        return {first: None} | dict.fromkeys(last for _, last in pairs(graph, path, first, None))
    if repeat is Repeat.ZERO_OR_MORE:
        reached[first] = None
    waiting = [first]
    while waiting:
        for _, last in pairs(graph, path, waiting.pop(0), None):
            if last not in reached:
                reached[last] = None
                waiting.append(last)
    return reached
