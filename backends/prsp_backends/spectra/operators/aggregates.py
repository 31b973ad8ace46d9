"""The aggregates as states that terms are added to and taken from, exact under any order of both."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Decimal

from prsp_backends.spectra.dictionary import Nodes
from prsp_backends.spectra.expr.arithmetic import EXACT, decimal_quotient
from prsp_backends.spectra.expr.compare import order_key
from prsp_backends.spectra.expr.errors import ExpressionError
from prsp_backends.spectra.expr.strings import str_of
from prsp_backends.spectra.node import IS_DECIMAL, IS_DOUBLE, IS_FLOAT, IS_INTEGER, Node, Number, number_node, string

_SCALE = 1100
"""Every finite double is a whole number of 2 to the power of minus this."""


class Aggregation(ABC):
    """One aggregate of one group; None stands for an expression that failed."""

    @abstractmethod
    def add(self, term: int | None, count: int) -> None:
        """Count a term in (or, when negative, out)."""

    @abstractmethod
    def result(self) -> Node | int | None:
        """Its value: a node, a term of the window, or None for an error."""

    def mark(self, live: set[int]) -> None:
        """Note the terms it refers to."""
        del live


class Count(Aggregation):
    """COUNT of an expression: those that did not fail."""

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def add(self, term: int | None, count: int) -> None:
        """One more, if it is one."""
        if term is not None:
            self._count += count

    def result(self) -> Node:
        """How many."""
        return number_node(self._count, IS_INTEGER)


class Sum(Aggregation):
    """SUM and AVG: whole numbers, decimals and doubles are summed exactly, apart; INF and NaN are counted."""

    __slots__ = ("_average", "_bad", "_decimals", "_doubles", "_integers", "_nodes", "_ranks", "_special")

    def __init__(self, nodes: Nodes, *, average: bool) -> None:
        self._nodes = nodes
        self._average = average
        self._bad = 0
        self._integers = 0
        self._decimals = Decimal(0)
        self._doubles = 0
        self._ranks = [0, 0, 0, 0, 0]
        self._special = [0, 0, 0]

    def add(self, term: int | None, count: int) -> None:
        """Add or take away a number; anything else makes the result an error while it is there."""
        if term is None:
            self._bad += count
            return
        node = self._nodes[term]
        rank, value = node.rank, node.number
        if not rank:
            self._bad += count
            return
        self._ranks[rank] += count
        if isinstance(value, int):
            self._integers += value * count
        elif isinstance(value, float):
            if math.isfinite(value):
                top, bottom = value.as_integer_ratio()
                self._doubles += count * (top << (_SCALE - bottom.bit_length() + 1))
            else:
                self._special[0 if math.isnan(value) else 1 if value > 0 else 2] += count
        else:
            self._decimals = EXACT.add(self._decimals, EXACT.multiply(value, count))

    def result(self) -> Node | None:
        """The sum or average in the highest type added."""
        if self._bad:
            return None
        ranks = self._ranks
        count = sum(ranks)
        rank = next((r for r in (IS_DOUBLE, IS_FLOAT, IS_DECIMAL) if ranks[r]), IS_INTEGER)
        if rank in (IS_DOUBLE, IS_FLOAT):
            return number_node(self._floating(count if self._average else 1), rank)
        total: Number = self._integers if rank == IS_INTEGER else EXACT.add(self._decimals, Decimal(self._integers))
        if not self._average or not count:
            return number_node(total, rank)
        return number_node(decimal_quotient(total, count), IS_DECIMAL)

    def _floating(self, divisor: int) -> float:
        nan, positive, negative = self._special
        if nan or (positive and negative):
            return math.nan
        if positive or negative:
            return math.inf if positive else -math.inf
        top, bottom = EXACT.add(self._decimals, Decimal(self._integers)).as_integer_ratio()
        numerator = self._doubles * bottom + (top << _SCALE)
        try:
            return numerator / ((bottom * divisor) << _SCALE)
        except OverflowError:
            return math.inf if numerator > 0 else -math.inf


class Members(Aggregation):
    """An aggregate that needs its members: they are kept with their counts."""

    __slots__ = ("_bad", "counts", "nodes")

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.counts: dict[int, int] = {}
        self._bad = 0

    def add(self, term: int | None, count: int) -> None:
        """Change the count of a member."""
        if term is None:
            self._bad += count
            return
        total = self.counts.get(term, 0) + count
        if total:
            self.counts[term] = total
        else:
            del self.counts[term]

    @property
    def failed(self) -> bool:
        """Whether some expression failed."""
        return self._bad > 0

    def mark(self, live: set[int]) -> None:
        """Its members."""
        live.update(self.counts)


class Extreme(Members):
    """MIN or MAX, in the order of ORDER BY; looked for again only when the best one has left."""

    __slots__ = ("_best", "_largest")

    def __init__(self, nodes: Nodes, *, largest: bool) -> None:
        super().__init__(nodes)
        self._largest = largest
        self._best: int | None = None

    def add(self, term: int | None, count: int) -> None:
        """Change the count of a member, and the best one with it."""
        fresh = not self.counts
        super().add(term, count)
        if term is None:
            return
        if count < 0:
            if term == self._best and term not in self.counts:
                self._best = None
        elif fresh or (self._best is not None and term != self._best and self._beats(term, self._best)):
            self._best = term

    def _beats(self, one: int, other: int) -> bool:
        left, right = order_key(self.nodes[one]), order_key(self.nodes[other])
        return left > right if self._largest else left < right

    def result(self) -> int | None:
        """The best member."""
        if self.failed or not self.counts:
            return None
        if self._best is None:
            choose = max if self._largest else min
            self._best = choose(self.counts, key=lambda term: order_key(self.nodes[term]))
        return self._best


class Sample(Members):
    """SAMPLE: the member that has been there longest."""

    __slots__ = ()

    def result(self) -> int | None:
        """Any member."""
        return next(iter(self.counts), None)


class Concat(Members):
    """GROUP_CONCAT; an error when a member is a blank node."""

    __slots__ = ("_separator",)

    def __init__(self, nodes: Nodes, separator: str) -> None:
        super().__init__(nodes)
        self._separator = separator

    def result(self) -> Node | None:
        """The members with the separator between them."""
        if self.failed:
            return None
        try:
            parts = [str_of(self.nodes[term]).lexical for term, count in self.counts.items() for _ in range(count)]
        except ExpressionError:
            return None
        return string(self._separator.join(parts))


class Unique(Aggregation):
    """DISTINCT inside an aggregate: passes a term on when it comes first and when it leaves last."""

    __slots__ = ("_counts", "_inner")

    def __init__(self, inner: Aggregation) -> None:
        self._inner = inner
        self._counts: dict[int | None, int] = {}

    def add(self, term: int | None, count: int) -> None:
        """Change the count of a term."""
        before = self._counts.get(term, 0)
        after = before + count
        if after:
            self._counts[term] = after
        else:
            del self._counts[term]
        if not before or not after:
            self._inner.add(term, 1 if after else -1)

    def result(self) -> Node | int | None:
        """What the aggregate gives for the distinct terms."""
        return self._inner.result()

    def mark(self, live: set[int]) -> None:
        """Its terms."""
        live.update(term for term in self._counts if term is not None)


def aggregation(kind: str, separator: str, nodes: Nodes, *, distinct: bool) -> Callable[[], Aggregation]:
    """A maker of one aggregate's state."""
    makers: dict[str, Callable[[], Aggregation]] = {
        "count": Count,
        "sum": lambda: Sum(nodes, average=False),
        "avg": lambda: Sum(nodes, average=True),
        "min": lambda: Extreme(nodes, largest=False),
        "max": lambda: Extreme(nodes, largest=True),
        "sample": lambda: Sample(nodes),
        "groupconcat": lambda: Concat(nodes, separator),
    }
    make = makers[kind]
    if distinct and kind not in ("min", "max", "sample"):
        return lambda: Unique(make())
    return make
