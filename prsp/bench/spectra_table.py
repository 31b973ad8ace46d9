"""What the benchmark prints: throughput in the style of the paper's Table 1, and where S-Inc and S-Rev break even (its Fig. 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

_ROWS = {"pyoxigraph": "pyoxigraph", "polars": "polars", "rev": "S-Rev", "inc": "S-Inc"}


def table(sizes: Mapping[int, Mapping[str, Mapping[str, float]]]) -> str:
    """Thousands of triples a second that slide through, per window and query: seconds per slide of one hundredth are given."""
    queries = list(next(iter(sizes.values())))
    width = max(map(len, queries)) + 1
    heads = [f"{f'window {size:,}':^{width * len(queries)}}" for size in sizes]
    lines = [f"{'× 1000 triples/s':<18}" + "|".join(heads)]
    lines.append(f"{'slide 1 %':<18}" + "|".join("".join(f"{query:>{width}}" for query in queries) for _ in sizes))
    for key, label in _ROWS.items():
        cells = ("".join(f"{_thousands(size, found[query][key]):>{width}}" for query in queries) for size, found in sizes.items())
        lines.append(f"{label:<18}" + "|".join(cells))
    return "\n" + "\n".join(lines)


def _thousands(size: int, seconds: float) -> str:
    speed = size / 100 / seconds / 1000
    return f"{speed:.1f}" if speed < 100 else f"{speed:,.0f}"


def break_even(times: Mapping[str, float], shares: Sequence[float]) -> float | None:
    """The slide over window from which S-Rev is the faster, between two measured ones by interpolation; None when S-Inc always is."""
    ratios = [(share, times[f"inc {share}"] / times[f"rev {share}"]) for share in shares]
    for (low, below), (high, above) in pairwise(ratios):
        if below <= 1 < above:
            part = -math.log(below) / (math.log(above) - math.log(below))
            return round(math.exp(math.log(low) + part * (math.log(high) - math.log(low))), 3)
    return None if ratios[-1][1] <= 1 else ratios[0][0]
