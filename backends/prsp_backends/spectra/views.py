"""Views: one per distinct triple pattern, with the hash indexes its delta plans look into.

The paper's bidirectional multimaps (Definition 8), in the directions a query needs; patterns with the same constants share one.
A bucket is a tuple while it is small and a set beyond, so that a one-valued property costs one small tuple per subject; both
iterate and test membership alike. The upkeep itself is generated, with the joins (``codegen``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SMALL = 6
"""The largest bucket kept as a tuple."""

Index = dict[Any, Any]


class Memo(dict[int, bool]):
    """The outcome of a one-variable filter per term, tested once for each."""

    __slots__ = ("_test",)

    def __init__(self, test: Any) -> None:
        super().__init__()
        self._test = test

    def __missing__(self, number: int) -> bool:
        outcome: bool = self._test((number,))
        self[number] = outcome
        return outcome


def all_rows(index: Index, key_columns: tuple[int, ...], width: int) -> Iterable[tuple[int, ...]]:
    """Every row of a view, read from one of its indexes."""
    rest = [column for column in range(width) if column not in key_columns]
    order = [*key_columns, *rest]
    back = [order.index(column) for column in range(width)]
    for key, bucket in index.items():
        head = key if len(key_columns) > 1 else (key,)
        for value in bucket:
            tail = value if len(rest) > 1 else (value,)
            row = (*head, *tail)
            yield tuple([row[place] for place in back])
