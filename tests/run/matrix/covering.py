"""A covering set: few runs in which every pair of values that can stand together does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

FACTORS = ("engine", "operator", "where", "feed")
Setting = tuple[str, str, str, str]
"""An engine, an operator, a place and a way of feeding."""
Pair = tuple[tuple[int, str], tuple[int, str]]
_TRIES = 12


@dataclass(frozen=True, slots=True)
class Planned:
    """A run: a setting, and the queries asked in it together."""

    setting: Setting
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return "-".join(self.setting)


def pairs_of(setting: Setting, query: str) -> set[Pair]:
    """The pairs of values that a query in a setting covers."""
    values = [*enumerate(setting), (len(FACTORS), query)]
    return set(combinations(values, 2))


def covering_set(
    levels: Mapping[str, Sequence[str]],
    queries: Sequence[str],
    allowed: Callable[[Setting, str], bool],
    together: Callable[[Setting, frozenset[str]], bool],
    most_queries: int,
    seed: int = 1,
) -> list[Planned]:
    """Runs whose queries cover every allowed pair, greedily: the query that covers the most pairs joins a run that has room for it."""
    random = Random(seed)
    settings = [(e, o, w, f) for e in levels["engine"] for o in levels["operator"] for w in levels["where"] for f in levels["feed"]]
    possible = {(s, q): pairs_of(s, q) for s in settings for q in queries if allowed(s, q)}
    open_pairs = set().union(*possible.values())
    covering: dict[Pair, list[tuple[Setting, str]]] = {}
    for key, pairs in possible.items():
        for pair in pairs:
            covering.setdefault(pair, []).append(key)
    runs: dict[Setting, list[str]] = {}

    def fits(key: tuple[Setting, str]) -> bool:
        there = runs.get(key[0], ())
        return len(there) < most_queries and together(key[0], frozenset([*there, key[1]]))

    while open_pairs:
        # Runs that are there already cost less than new ones.
        wanted = random.choice(sorted(open_pairs))
        begun = [key for key in covering[wanted] if key[0] in runs and fits(key)]
        candidates = begun or [key for key in random.sample(covering[wanted], len(covering[wanted])) if fits(key)][:_TRIES]
        best = max(candidates, key=lambda key: (len(possible[key] & open_pairs), key))
        runs.setdefault(best[0], []).append(best[1])
        open_pairs -= possible[best]
    return [Planned(setting, tuple(asked)) for setting, asked in sorted(runs.items())]
