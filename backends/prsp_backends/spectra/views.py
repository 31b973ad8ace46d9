"""Views: one per distinct triple pattern, with the hash indexes its delta plans look into.

The paper's bidirectional multimaps, reduced to the directions a query needs. A bucket is a tuple while it is small and a set
beyond, so that a one-valued property costs one small tuple per subject; both iterate and test membership alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SMALL = 6
"""The largest bucket kept as a tuple."""

Index = dict[Any, Any]


def add_to(index: Index, key: Any, value: Any) -> None:
    """Put a value into its bucket, where it is not yet."""
    bucket = index.get(key)
    if bucket is None:
        index[key] = (value,)
    elif type(bucket) is tuple:
        index[key] = (*bucket, value) if len(bucket) < SMALL else {*bucket, value}
    else:
        bucket.add(value)


def take_from(index: Index, key: Any, value: Any) -> None:
    """Take a value out of its bucket, where it is."""
    bucket = index[key]
    if type(bucket) is tuple:
        if len(bucket) == 1:
            del index[key]
        else:
            index[key] = tuple([other for other in bucket if other != value])
    else:
        bucket.remove(value)
        if not bucket:
            del index[key]


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
