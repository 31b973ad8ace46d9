"""Seeded numbers that are the same on every Python: only ``random()``, whose sequence Python promises to keep, and exact arithmetic."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from decimal import Context, Decimal
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from random import Random


class Chance:
    """Numbers drawn for one purpose; each purpose has a sequence of its own, so that none disturbs another."""

    def __init__(self, seed: int, purpose: str) -> None:
        self.random = Random(int.from_bytes(sha256(f"{seed}/{purpose}".encode()).digest())).random

    def below(self, end: int) -> int:
        """A whole number from 0 to ``end`` - 1."""
        return int(self.random() * end)

    def between(self, bounds: tuple[int, int]) -> int:
        """A whole number from the first to the second, both included."""
        return bounds[0] + int(self.random() * (bounds[1] - bounds[0] + 1))

    def picker(self, end: int, skew: float) -> Callable[[], int]:
        """Draws below ``end``: evenly, or with ``skew`` number n with a weight of 1/(n+1)^skew."""
        random = self.random
        if skew == 0:
            return lambda: int(random() * end)
        sums = _zipf(end, skew)
        return lambda: bisect_right(sums, int(random() * sums[-1]))

    def some(self, count: int, pick: Callable[[], int]) -> list[int]:
        """So many different numbers, in the order drawn."""
        found: dict[int, None] = {}
        while len(found) < count:
            found[pick()] = None
        return list(found)

    def shuffled(self, lines: list[str]) -> list[str]:
        """The lines in an order drawn."""
        random = self.random
        keys = [random() for _ in lines]
        return [lines[i] for i in sorted(range(len(lines)), key=keys.__getitem__)]


@lru_cache(maxsize=256)
def _zipf(end: int, skew: float) -> list[int]:
    # Decimal's ln and exp are correctly rounded; the C library's pow differs between machines.
    context, exponent = Context(prec=15), Decimal(str(skew))
    weights = (context.exp(-exponent * context.ln(Decimal(n))) for n in range(1, end + 1))
    return list(accumulate(max(1, int(weight * 2**32)) for weight in weights))
