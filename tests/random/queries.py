"""Random queries: SELECT with all its modifiers, aggregates, ASK and CONSTRUCT around a random pattern."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from tests.random.expressions import Expressions, Scope
from tests.random.node import Node, fixed, group, leaf, several
from tests.random.patterns import Patterns, Wish
from tests.random.vocabulary import NUMERIC, PREFIXES, Flavour


class Rows(Enum):
    """What of the rows is determined by the recommendation."""

    BAG = "bag"
    SET = "set"
    """REDUCED: any multiplicity between one and the bag's."""
    PART = "part"
    """LIMIT or OFFSET: some rows of the bag, as many as the modifiers leave, and in order when there is one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A column that holds one of a group's members: any (SAMPLE), or one that no other comes before (MIN) or after (MAX)."""

    function: str
    column: str
    keys: tuple[str, ...]
    text: str
    """The query for keys and members."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query and how its answers are to be compared."""

    tree: Node
    rows: Rows
    aggregated: bool = False
    concatenated: tuple[str, ...] = ()
    """Columns that hold a GROUP_CONCAT, in any order of its parts."""

    @property
    def text(self) -> str:
        """The query as SPARQL."""
        return PREFIXES + str(self.tree)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The columns that hold a SAMPLE, MIN or MAX, which the recommendation does not always determine."""
        if not self.aggregated:
            return ()
        columns, body = self.tree.parts[0].parts, self.tree.parts[1].parts[0]
        keys = [str(column) for column in columns if str(column).startswith("?")]
        found = []
        for column in columns:
            function, name = column.form[1:].split("(")[0], column.form.split("?")[-1][:-1]
            if function in ("SAMPLE", "MIN", "MAX"):
                text = f"{PREFIXES}SELECT DISTINCT {' '.join(keys)} ({column.parts[0]} AS ?{name}) WHERE {body}"
                found.append(Choice(function, name, tuple(key[1:] for key in keys), text))
        return tuple(found)

    @property
    def order(self) -> tuple[tuple[str, bool], ...]:
        """Projected variables the answer is ordered by, and whether descending."""
        found = [part for part in self.tree.parts[-1].parts if part.form.startswith("ORDER BY")]
        conditions = found[0].parts[0].parts if found else ()
        return tuple((str(condition).split("?")[1][:-1], str(condition).startswith("DESC")) for condition in conditions)

    @property
    def limit(self) -> int | None:
        """How many rows at most."""
        return self._number("LIMIT")

    @property
    def offset(self) -> int:
        """How many rows are skipped."""
        return self._number("OFFSET") or 0

    def _number(self, keyword: str) -> int | None:
        return next((int(part.form.split()[1]) for part in self.tree.parts[-1].parts if part.form.startswith(keyword)), None)

    @property
    def whole(self) -> str:
        """The same without LIMIT and OFFSET."""
        kept = self.tree.parts[-1]
        parts = tuple(part for part in kept.parts if not part.form.startswith(("LIMIT", "OFFSET")))
        return PREFIXES + str(replace(self.tree, parts=(*self.tree.parts[:-1], replace(kept, parts=parts))))


SEPARATOR = "|"


def query(random: Random, flavour: Flavour) -> tuple[Query, list[Wish]]:
    """A query and the triples it asks for."""
    expressions = Expressions(random, flavour)
    patterns = Patterns(random, flavour, expressions)
    scope = Scope()
    body = patterns.group(scope, 2)
    maker = _Forms(random, flavour, expressions, scope, body)
    draw = random.random()
    if draw < 0.06:
        made = Query(fixed("ASK @", body), Rows.BAG)
    elif draw < 0.16:
        made = maker.construct()
    elif draw < 0.42 and scope:
        made = maker.aggregates()
    else:
        made = maker.select()
    return made, patterns.wishes


@dataclass(slots=True)
class _Forms:
    random: Random
    flavour: Flavour
    expressions: Expressions
    scope: Scope
    body: Node

    def construct(self) -> Query:
        names = [name for name in self.scope if self.scope[name] == "res"] or ["nothing"]
        lines = [
            leaf(f"?{self.random.choice(names)} :made ?{self.random.choice(list(self.scope) or ['nothing'])} .")
            for _ in range(self.random.randint(1, 2))
        ]
        if self.random.random() < 0.25:
            lines.append(leaf(f"_:new :of ?{self.random.choice(list(self.scope) or ['nothing'])} ."))
        return Query(fixed("CONSTRUCT @ WHERE @", group(*lines), self.body), Rows.BAG)

    def select(self) -> Query:
        random, names = self.random, list(self.scope)
        shown = names if not names or random.random() < 0.5 else random.sample(names, random.randint(1, len(names)))
        columns = [leaf(f"?{name}") for name in shown]
        if random.random() < 0.2 or not columns:
            columns.append(fixed("(@ AS ?e0)", self.expressions.of(random.choice(("num", "str", "bool")), self.scope, 2)))
        everything = not random.random() >= 0.15 and shown == names and len(columns) == len(names)
        how = random.choices(("", "DISTINCT ", "REDUCED "), (0.72, 0.22, 0.06))[0]
        return self._finished(
            how, leaf("*") if everything else several(" ", *columns), self.body, shown, Rows.SET if "R" in how else Rows.BAG
        )

    def aggregates(self) -> Query:
        random, names = self.random, list(self.scope)
        keys = random.sample(names, random.choice((0, 1, 1, 1, 2)) if len(names) > 1 else random.randint(0, 1))
        columns, concatenated = [leaf(f"?{key}") for key in keys], list[str]()
        for number in range(random.randint(1, 3)):
            name, made = f"a{number}", random.choice(("COUNT", "COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE", "GROUP_CONCAT", "STAR"))
            distinct = random.choice(("", "", "DISTINCT "))
            over = self._argument(made)
            if made == "STAR":
                columns.append(leaf(f"(COUNT({distinct}*) AS ?{name})"))
            elif made == "GROUP_CONCAT":
                concatenated.append(name)
                columns.append(fixed(f'(GROUP_CONCAT({distinct}@; SEPARATOR="{SEPARATOR}") AS ?{name})', over))
            else:
                columns.append(fixed(f"({made}({distinct}@) AS ?{name})", over))
        clauses = [fixed("GROUP BY @", several(" ", *(leaf(f"?{key}") for key in keys)))] if keys else []
        if random.random() < 0.2:
            clauses.append(leaf(f"HAVING ({random.choice(('COUNT(*) > 1', 'COUNT(*) >= 1', 'COUNT(*) < 4', 'COUNT(*) != 2'))})"))
        body = fixed("@ @", self.body, several(" ", *clauses))
        made_query = self._finished("", several(" ", *columns), body, keys, Rows.BAG)
        return replace(made_query, aggregated=True, concatenated=tuple(concatenated))

    def _argument(self, made: str) -> Node:
        names = list(self.scope)
        fitting = [name for name in names if self.scope[name] in NUMERIC]
        if made in ("SUM", "AVG"):
            return (
                leaf(f"?{self.random.choice(fitting or names)}")
                if self.random.random() < 0.8
                else self.expressions.of("num", self.scope, 1)
            )
        if made in ("MIN", "MAX"):
            return leaf(f"?{self.random.choice(fitting or names)}")
        if made == "GROUP_CONCAT":
            texts = [name for name in names if self.scope[name] in ("str", "int", "lang")]
            return leaf(f"?{self.random.choice(texts)}") if texts else leaf(f"STR(?{self.random.choice(names)})")
        return leaf(f"?{self.random.choice(names)}") if self.random.random() < 0.85 else self.expressions.of("num", self.scope, 1)

    def _finished(self, how: str, columns: Node, body: Node, shown: list[str], rows: Rows) -> Query:
        random, modifiers, ordered = self.random, list[Node](), False
        if shown and random.random() < 0.3:
            ordered, by = True, random.sample(shown, random.randint(1, min(2, len(shown))))
            conditions = (leaf(f"DESC(?{name})" if random.random() < 0.4 else f"ASC(?{name})") for name in by)
            modifiers.append(fixed("ORDER BY @", several(" ", *conditions)))
        if rows is Rows.BAG and random.random() < (0.4 if ordered else 0.08):
            rows, limit, offset = Rows.PART, random.choice((None, 1, 2, 3)), random.choice((0, 0, 1, 2))
            modifiers += [leaf(f"LIMIT {limit}")] if limit is not None else []
            modifiers += [leaf(f"OFFSET {offset}")] if offset else []
        return Query(fixed(f"SELECT {how}@ WHERE @ @", columns, body, several(" ", *modifiers)), rows)
