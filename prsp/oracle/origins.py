"""The origins a system may have taken: correct is an answer that is Ans(Q) for one of them (RSP-QL Theorem 1, Definitions 25 and 26).

By Theorem 1 the origins of a window of slide β are {a, …, a + β - 1}. Of these only some cut a given stream differently: where an
opening passes an element, or a close does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prsp.model.profile import Bounds
from prsp.model.query import ContinuousQuery
from prsp.model.window import TimeWindow
from prsp.oracle.stream import Element


def classes(elements: Sequence[Element], window: TimeWindow, bounds: Bounds, first: int) -> list[range]:
    """{first, …, first + β - 1} in runs of origins under which all windows hold the same elements."""
    opening = 0 if bounds is Bounds.LEFT_OPEN else 1
    closing = 1 if bounds is Bounds.RIGHT_OPEN else 0
    times = {e.time for e in elements}
    # A window that opens at o holds τ from the first o on whose close lets it in, up to the last whose opening does.
    changes = {(time + opening - first) % window.step for time in times}
    changes |= {(time - window.range + closing - first) % window.step for time in times}
    starts = sorted({0, *changes})
    return [range(first + a, first + b) for a, b in zip(starts, [*starts[1:], window.step], strict=True)]


def seen_at(instants: Iterable[int], window: TimeWindow, first: int, every: int | None) -> set[int]:
    """The origins under which a window closes at one of some instants, has just ended, or a period of ``every`` falls on one."""
    found: set[int] = set()
    for at in instants:
        found |= {first + (at - after - first) % window.step for after in (window.range, window.range + 1)}
        if every is not None:
            found |= set(range(first + (at - first) % every, first + window.step, every))
    return found


def comparable_after(query: ContinuousQuery, first: int) -> int:
    """The instant after which answers are compared: the latest origin, and the first window of it (semantics, contradiction 4)."""
    windows = [s.window for s in query.streams if isinstance(s.window, TimeWindow)]
    return first + max((w.step - 1 for w in windows), default=-1) + max((w.range for w in windows), default=0)
