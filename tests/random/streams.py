"""Random streams and windows: elements with times that come late or twice, some made to match the query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tests.random.patterns import Wish
from tests.random.vocabulary import CLASSES, GRAPHS, NS, PREDICATES, Flavour, object_of, resource, value

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An element of a stream and the evaluations at which its triple comes into the window and is no longer in it."""

    graph: str | None
    time: int
    lines: bytes
    enters: int
    leaves: int


@dataclass(frozen=True, slots=True)
class Windows:
    """What two streams (the default graph, a named window) give at some evaluations, beside static graphs."""

    static: Mapping[str | None, bytes]
    occurrences: tuple[Occurrence, ...]
    evaluations: int

    def content(self, evaluation: int, graph: str | None) -> list[Occurrence]:
        """What a stream contributes, by time."""
        return [o for o in self.occurrences if o.graph == graph and o.enters <= evaluation < o.leaves]


STEP = 10


Graphs = Mapping[str | None, bytes]


def static_graphs(random: Random, flavour: Flavour, wishes: list[Wish]) -> Graphs:
    """What does not change: a named graph, and a little of the default graph."""
    found: dict[str | None, set[bytes]] = {None: set(), GRAPHS[1]: set()}
    for _ in range(3):
        bindings: dict[str, str] = {}
        for wish in wishes:
            if wish.graph == GRAPHS[1] or (wish.graph is None and random.random() < 0.08):
                found[wish.graph].add(_satisfied(random, wish, bindings, -1, flavour))
    for _ in range(random.randrange(3)):
        graph = random.choice((None, GRAPHS[1]))
        found[graph].add(_noise(random, -1, flavour))
    return {graph: b"".join(sorted(lines)) for graph, lines in found.items() if lines}


def windows(random: Random, flavour: Flavour, wishes: list[Wish], static: Graphs) -> Windows:
    """Windows in which a good part of the wished triples come together, not always at once."""
    evaluations, span = random.choice((2, 3, 3, 4)), random.choice((1, 2, 2, 3, 3))
    pending: list[tuple[str | None, bytes]] = []
    for _ in range(random.choice((2, 2, 3))):
        bindings: dict[str, str] = {}
        wanted = [wish for wish in wishes if wish.graph != GRAPHS[1] and random.random() < 0.97]
        pending += [(w.graph, _satisfied(random, w, bindings, 0 if w.graph is None else 1, flavour)) for w in wanted]
    for _ in range(random.randrange(6)):
        graph = random.choice((None, None, None, GRAPHS[0]))
        pending.append((graph, _noise(random, 0 if graph is None else 1, flavour)))
    pending += random.sample(pending, min(len(pending), random.randrange(3)))
    if static.get(None) and random.random() < 0.3:
        pending.append((None, random.choice(static[None].splitlines(keepends=True))))
    random.shuffle(pending)
    occurrences: list[Occurrence] = []
    while pending:
        graph, line = pending.pop()
        # Now and then an element is a graph event: a few triples with one time.
        if random.random() < 0.1 and pending and pending[-1][0] == graph:
            line += pending.pop()[1]
        occurrences += _placed(random, graph, line, evaluations, span)
    return Windows(static, tuple(sorted(occurrences, key=lambda o: (o.enters, o.time))), evaluations)


def _placed(random: Random, graph: str | None, lines: bytes, evaluations: int, span: int) -> list[Occurrence]:
    """When an element is in the window: it enters at the first evaluation after it arrived, which may be after it happened."""
    first = random.choice((0, 0, 0, 0, 1, 1, 2, 3)) % evaluations
    late = 0 if random.random() < 0.8 else random.randint(1, span)
    if late >= span:
        return []
    return [Occurrence(graph, (first + 1) * STEP - random.randrange(STEP), lines, first + late, first + span)]


def _satisfied(random: Random, wish: Wish, bindings: dict[str, str], stream: int, flavour: Flavour) -> bytes:
    def term(text: str, predicate: str | None) -> str:
        if not text.startswith("?"):
            return text
        if text not in bindings:
            if predicate is None or PREDICATES[predicate] == "res":
                bindings[text] = resource(random, stream)
            elif PREDICATES[predicate] == "class":
                bindings[text] = random.choice(CLASSES)
            else:
                bindings[text] = value(random, PREDICATES[predicate], flavour)
        return bindings[text]

    subject = term(wish.subject, None)
    if subject.startswith('"'):
        subject = resource(random, stream)
    return _line(subject, wish.predicate, term(wish.object, wish.predicate))


def _noise(random: Random, stream: int, flavour: Flavour) -> bytes:
    predicate = random.choice(list(PREDICATES))
    return _line(resource(random, stream), predicate, object_of(random, predicate, stream, flavour))


def _line(subject: str, predicate: str, target: str) -> bytes:
    name = RDF_TYPE if predicate == "type" else f"<{NS}{predicate}>"
    return f"{subject} {name} {target} .\n".encode()
