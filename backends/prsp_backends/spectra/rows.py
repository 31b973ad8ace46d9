"""Small functions over rows, generated so that the inner loops are plain tuple displays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]
Bag = dict[Row, int]
Rows = list[Row]


def projector(source: Sequence[str], target: Sequence[str]) -> Callable[[Rows], Rows] | None:
    """A function that projects a list of rows, missing columns as None; None when there is nothing to do."""
    if tuple(source) == tuple(target):
        return None
    return _compiled(f"lambda rows: [{_display('r', [_place(source, name) for name in target])} for r in rows]")


def keyed(source: Sequence[str], names: Sequence[str]) -> Callable[[Row], Any]:
    """A function from a row to its key on some columns: the value itself when it is one column."""
    places = [source.index(name) for name in names]
    text = f"r[{places[0]}]" if len(places) == 1 else _display("r", places)
    return _compiled(f"lambda r: {text}")


def _place(source: Sequence[str], name: str) -> int | None:
    return source.index(name) if name in source else None


def _display(row: str, places: Iterable[int | None]) -> str:
    return "(" + "".join("None, " if place is None else f"{row}[{place}], " for place in places) + ")"


def _compiled(text: str) -> Callable[..., Any]:
    function: Callable[..., Any] = eval(compile(text, "<rows>", "eval"))
    return function


@dataclass(frozen=True, slots=True)
class Pairing:
    """How rows of two sides are joined: their keys, what else must agree, and the row they make."""

    variables: tuple[str, ...]
    left_key: Callable[[Row], Any]
    right_key: Callable[[Row], Any]
    agree: Callable[[Row, Row], bool] | None
    """What the key leaves open: shared variables that may be unbound."""
    merge: Callable[[Row, Row], Row]
    padding: Row
    overlap: Callable[[Row, Row], bool]
    """Whether some shared variable is bound on both sides."""


def pairing(left: Sequence[str], left_certain: frozenset[str], right: Sequence[str], right_certain: frozenset[str]) -> Pairing:
    """The pairing of two sides by their columns and the columns that are always bound."""
    shared = [name for name in left if name in right]
    sure = [name for name in shared if name in left_certain and name in right_certain]
    unsure = [name for name in shared if name not in sure]
    extra = [name for name in right if name not in left]
    ends = [(left.index(name), right.index(name)) for name in unsure]
    agree = " and ".join(f"(l[{i}] is None or r[{j}] is None or l[{i}] == r[{j}])" for i, j in ends)
    open_left = {left.index(name): right.index(name) for name in unsure if name not in left_certain}
    kept = "".join(f"r[{open_left[i]}] if l[{i}] is None else l[{i}], " if i in open_left else f"l[{i}], " for i in range(len(left)))
    added = "".join(f"r[{right.index(name)}], " for name in extra)
    merge = f"({kept}{added})" if open_left else f"l + ({added})" if added else "l"
    overlap = "True" if sure else " or ".join(f"(l[{i}] is not None and r[{j}] is not None)" for i, j in ends) or "False"
    return Pairing(
        variables=(*left, *extra),
        left_key=keyed(left, sure),
        right_key=keyed(right, sure),
        agree=_compiled(f"lambda l, r: {agree}") if agree else None,
        merge=_compiled(f"lambda l, r: {merge}"),
        padding=(None,) * len(extra),
        overlap=_compiled(f"lambda l, r: {overlap}"),
    )


def put(state: dict[Any, Bag], key: Any, row: Row) -> None:
    """One more of a row in its bucket."""
    bucket = state.get(key)
    if bucket is None:
        state[key] = {row: 1}
    else:
        bucket[row] = bucket.get(row, 0) + 1


def take(state: dict[Any, Bag], key: Any, row: Row) -> None:
    """One less of a row in its bucket."""
    bucket = state[key]
    left = bucket[row] - 1
    if left:
        bucket[row] = left
    else:
        del bucket[row]
        if not bucket:
            del state[key]


def repeated(bag: Bag) -> Rows:
    """The rows of a bag, each as often as it is in it."""
    if sum(bag.values()) == len(bag):
        return list(bag)
    return [row for row, count in bag.items() for _ in range(count)]


def difference(old: Iterable[Row], new: Iterable[Row]) -> tuple[Rows, Rows]:
    """What to add to and take from the old bag to get the new one."""
    counts: Bag = {}
    for row in new:
        counts[row] = counts.get(row, 0) + 1
    for row in old:
        counts[row] = counts.get(row, 0) - 1
    added = [row for row, count in counts.items() if count > 0 for _ in range(count)]
    removed = [row for row, count in counts.items() if count < 0 for _ in range(-count)]
    return added, removed


def mark_rows(rows: Iterable[Row], live: set[int]) -> None:
    """Note the terms of some rows as in use."""
    for row in rows:
        live.update(row)
