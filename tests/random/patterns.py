"""Random group graph patterns: basic graph patterns of every shape, and all that can stand beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tests.random.expressions import Expressions, Scope
from tests.random.node import Node, fixed, group, leaf, several, union
from tests.random.vocabulary import CLASSES, GRAPHS, NS, PREDICATES, RESOURCES, VALUES, Flavour, value, written

LINKS = ("p", "q", "r")
VALUED = ("n", "n", "m", "d", "f", "h", "s", "l", "b", "t")


@dataclass(frozen=True, slots=True)
class Wish:
    """A triple pattern as data that would satisfy it is made from it: variables start with ``?``."""

    subject: str
    predicate: str
    object: str
    graph: str | None


@dataclass(slots=True)
class Patterns:
    """Makes groups, and remembers which triples they ask for and how many names are taken."""

    random: Random
    flavour: Flavour
    expressions: Expressions
    wishes: list[Wish] = field(default_factory=list)
    taken: int = 0
    graph: str | None = None
    budget: int = 5
    """How many more constructs with groups of their own there may be."""

    def fresh(self, letter: str) -> str:
        """A variable nobody else uses."""
        self.taken += 1
        return f"{letter}{self.taken}"

    def group(self, scope: Scope, depth: int) -> Node:
        """A group; the variables it may bind are added to the scope."""
        random, inner = self.random, Scope()
        parts = [] if depth < 2 and random.random() < 0.04 else self.basic(inner, scope)
        for _ in range(random.choice((0, 0, 1, 1, 2) if depth else (0, 0, 1))):
            parts.append(self._construct(inner, depth))
        if random.random() < 0.28:
            filters = [fixed("FILTER (@)", self.expressions.condition(inner, 2, self._exists if depth else None))]
            parts = filters + parts if random.random() < 0.2 else parts + filters
        scope |= inner
        return group(*parts)

    def basic(self, scope: Scope, outer: Scope) -> list[Node]:
        """A basic graph pattern: star, path, cycle, triangle, self-join, predicate variable or parts without a connection."""
        random, patterns = self.random, list[Node]()
        known = [name for name, kind in outer.items() if kind == "res"]
        first = random.choice(known) if known and random.random() < 0.85 else random.choice("xyz")
        second, third = self._others(first)
        match random.randrange(11):
            case 0 | 1 | 2:
                patterns += [self._triple(first, random.choice(VALUED), None, scope) for _ in range(random.randint(1, 3))]
            case 3:
                patterns += [
                    self._triple(first, random.choice(LINKS), second, scope),
                    self._triple(second, random.choice(VALUED), None, scope),
                ]
            case 4:
                patterns += [
                    self._triple(first, random.choice(LINKS), second, scope),
                    self._triple(second, random.choice(LINKS), third, scope),
                ]
            case 5:
                patterns += [
                    self._triple(first, random.choice(LINKS), second, scope),
                    self._triple(second, random.choice(LINKS), first, scope),
                ]
            case 6:
                for a, b in ((first, second), (second, third), (third, first)):
                    patterns.append(self._triple(a, random.choice(("p", "q")), b, scope))
            case 7:
                predicate = random.choice(LINKS)
                patterns += [
                    self._triple(first, predicate, second, scope),
                    self._triple(random.choice((first, second, third)), predicate, third, scope),
                ]
            case 8:
                patterns.append(self._predicate_variable(first, scope))
                if random.random() < 0.5:
                    patterns.append(self._triple(first, random.choice(LINKS), second, scope))
            case 9:
                patterns += [
                    self._triple(first, random.choice(VALUED), None, scope),
                    self._triple(third, random.choice(LINKS), second, scope),
                ]
            case _:
                patterns.append(self._path(first, second, scope))
        if random.random() < 0.12:
            patterns.append(self._written(first, "a", written(random.choice(CLASSES)), scope, CLASSES[0]))
        if random.random() < 0.04:
            patterns.append(self._triple(first, random.choice(LINKS), first, scope))
        return patterns

    def _others(self, first: str) -> tuple[str, str]:
        rest = [name for name in "xyzw" if name != first]
        self.random.shuffle(rest)
        return rest[0], rest[1]

    def _triple(self, subject: str, predicate: str, target: str | None, scope: Scope) -> Node:
        random, kind = self.random, PREDICATES[predicate]
        constant = random.random()
        scope_of_subject = constant >= 0.06
        left = f"?{subject}" if scope_of_subject else written(random.choice(RESOURCES))
        if scope_of_subject:
            scope[subject] = "res"
        if target is not None:
            right = f"?{target}" if random.random() > 0.08 else written(random.choice(RESOURCES))
            if right[0] == "?":
                scope.setdefault(target, "res")
            wanted = right if right[0] == "?" else f"<{NS}{right[1:]}>"
        elif random.random() < 0.1:
            wanted = right = random.choice(VALUES[kind])
        else:
            name = f"{predicate}{random.randrange(2)}"
            scope[name] = kind
            wanted = right = f"?{name}"
        self.wishes.append(Wish(left if left[0] == "?" else f"<{NS}{left[1:]}>", predicate, wanted, self.graph))
        return leaf(f"{left} :{predicate} {right} .")

    def _written(self, subject: str, predicate: str, target: str, scope: Scope, wanted: str) -> Node:
        scope[subject] = "res"
        self.wishes.append(Wish(f"?{subject}", "type", f"<{NS}{target[1:]}>" if target[0] == ":" else wanted, self.graph))
        return leaf(f"?{subject} {predicate} {target} .")

    def _predicate_variable(self, first: str, scope: Scope) -> Node:
        scope |= {first: "res", "pred": "res", "any": "int"}
        self.wishes.append(Wish(f"?{first}", self.random.choice((*LINKS, *VALUED)), "?any", self.graph))
        return leaf(f"?{first} ?pred ?any .")

    def _path(self, first: str, second: str, scope: Scope) -> Node:
        scope |= {first: "res", second: "res"}
        form = self.random.choice((":p/:q", "^:p", ":p|:q", "(:p|^:q)", ":p/^:q", "!(:p|:n)", "!^:p", ":p?", "(:p/:q)|:r", ":p/(:q|:r)"))
        middle = "?" + self.fresh("hop")
        if "/" in form:
            backwards = "^" in form
            self.wishes += [
                Wish(f"?{first}", "p", middle, self.graph),
                Wish(f"?{second}" if backwards else middle, "q", middle if backwards else f"?{second}", self.graph),
            ]
        else:
            self.wishes.append(Wish(f"?{first}", self.random.choice("pq"), f"?{second}", self.graph))
        return leaf(f"?{first} {form} ?{second} .")

    def _construct(self, scope: Scope, depth: int) -> Node:
        random = self.random
        if self.budget <= 0 or depth <= 0:
            return self._simple(scope)
        self.budget -= 1
        match random.randrange(12):
            case 0 | 1 | 2:
                return fixed("OPTIONAL @", self.group(scope, depth - 1))
            case 3 | 4:
                sides = [Scope(scope) for _ in range(random.choice((2, 2, 3)))]
                branches = [self.group(side, depth - 1) for side in sides]
                for side in sides:
                    scope |= side
                return union(*branches)
            case 5 | 6:
                hidden = Scope(scope) if random.random() < 0.85 else Scope()
                return fixed("MINUS @", self.group(hidden, depth - 1))
            case 7 | 8:
                return self._graph(scope, depth)
            case 9:
                return self.group(scope, depth - 1)
            case 10:
                return self._subquery(scope, depth)
            case _:
                return self._simple(scope)

    def _simple(self, scope: Scope) -> Node:
        random = self.random
        if random.random() < 0.55:
            kind = random.choice(("num", "int", "str", "bool", "date", "res"))
            made, name = self.expressions.of(kind, dict(scope), 2), self.fresh("bind")
            scope[name] = "dbl" if kind == "num" else kind
            return fixed(f"BIND (@ AS ?{name})", made)
        names = [name for name in scope if name not in ("pred",)]
        if not names or random.random() < 0.2:
            names = [self.fresh("val")]
        name = random.choice(names)
        kind = scope.setdefault(name, "int")
        rows = [leaf(self._cell(kind)) for _ in range(random.randint(1, 4))]
        if random.random() < 0.25 and (other := next((n for n in scope if n != name), None)) is not None:
            pairs = [leaf(f"({row} {self._cell(scope[other])})") for row in rows]
            return fixed(f"VALUES (?{name} ?{other}) {{ @ }}", several(" ", *pairs))
        return fixed(f"VALUES ?{name} {{ @ }}", several(" ", *rows))

    def _cell(self, kind: str) -> str:
        if self.random.random() < 0.08:
            return "UNDEF"
        return (
            written(self.random.choice(RESOURCES)) if kind == "res" else value(self.random, kind if kind in VALUES else "int", self.flavour)
        )

    def _graph(self, scope: Scope, depth: int) -> Node:
        if self.graph is not None:
            return self.group(scope, depth - 1)
        self.graph = self.random.choice(GRAPHS)
        by_name = self.random.random() < 0.6
        inside = self.group(scope, depth - 1)
        name = f"<{self.graph}>" if by_name else "?g"
        self.graph = None
        if not by_name:
            scope["g"] = "res"
        return fixed(f"GRAPH {name} @", inside)

    def _exists(self, scope: Scope) -> Node:
        self.budget -= 1
        return self.group(Scope(scope), 0)

    def _subquery(self, scope: Scope, depth: int) -> Node:
        random, inner = self.random, Scope()
        known = Scope({name: kind for name, kind in scope.items() if kind == "res"})
        inner |= known
        body = self.group(inner, depth - 1)
        names = [name for name in inner if name in str(body)]
        if not names:
            return body
        shown = random.sample(names, min(len(names), random.randint(1, 3)))
        if random.random() < 0.4:
            key, over, total = shown[0], random.choice(names), self.fresh("agg")
            scope |= {key: inner[key], total: "int"}
            return fixed(
                f"{{ SELECT ?{key} ({random.choice(('COUNT', 'COUNT', 'SUM', 'AVG'))}(?{over}) AS ?{total}) WHERE @ GROUP BY ?{key} }}",
                body,
            )
        scope |= {name: inner[name] for name in shown}
        how = random.choice(("", "DISTINCT "))
        return fixed(f"{{ SELECT {how}{' '.join('?' + name for name in shown)} WHERE @ }}", body)
