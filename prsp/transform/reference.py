"""The transformer's contract in plain Python, element by element: slow, small, and the yardstick of the tests."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.model.profile import Bounds
from prsp.model.window import CountWindow, TimeWindow


@dataclass(frozen=True, slots=True)
class Element:
    """A triple or graph with its time; a stream is a list of these in the order they arrived."""

    content: str
    time: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What a window held: where it opened and closed, and its elements as (time, content), in any order."""

    at: int
    seq: int
    open: int | None
    close: int | None
    content: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything one stream's windows come to."""

    windows: list[Seen]
    in_windows: int
    in_no_window: int
    late: int


def window_close(elements: list[Element], window: TimeWindow | CountWindow, *, t0: int, bounds: Bounds, lateness: int | None) -> Outcome:
    """Every window of a bounded stream, reported at its close, flush included."""
    before = [max((e.time for e in elements[:i]), default=None) for i in range(len(elements))]
    if isinstance(window, CountWindow):
        return _by_count(elements, before, window, lateness)
    return _by_time(elements, before, window, t0, bounds, lateness)


def present(elements: list[Element], window: TimeWindow, at: int, *, t0: int, bounds: Bounds, lateness: int | None) -> Seen:
    """What a stream contributes at an instant at which none of its windows is reported at its close.

    That is the earliest opened window that contains the instant, with its elements up to then.
    """
    before = [max((e.time for e in elements[:i]), default=None) for i in range(len(elements))]
    opens = t0
    while opens <= at:
        closes = opens + window.range
        if contains(bounds, opens, closes, at):
            content = tuple(
                (e.time, e.content)
                for e, largest in zip(elements, before, strict=True)
                if contains(bounds, opens, closes, e.time) and e.time <= at and not has_passed(Bounds.CLOSED, at, largest, lateness)
            )
            return Seen(at, 0, opens, closes, content)
        opens += window.step
    return Seen(at, 0, None, None, ())


def entries(elements: list[Element], window: TimeWindow, *, t0: int, bounds: Bounds, lateness: int | None) -> list[int]:
    """The instants at which elements enter what a stream contributes: their times, unless those had passed when they came."""
    found = set()
    for i, element in enumerate(elements):
        before = max((e.time for e in elements[:i]), default=None)
        if _ends(element, window, t0, bounds) and not has_passed(Bounds.CLOSED, element.time, before, lateness):
            found.add(element.time)
    return sorted(found)


def exits(elements: list[Element], window: TimeWindow, *, t0: int, bounds: Bounds, lateness: int | None) -> list[int]:
    """The instants at which elements leave again: just after the last instant of their last window, if they came before it had passed."""
    found = set()
    for i, element in enumerate(elements):
        before = max((e.time for e in elements[:i]), default=None)
        ends = _ends(element, window, t0, bounds)
        if ends and not has_passed(Bounds.CLOSED, max(ends), before, lateness):
            found.add(max(ends) + 1)
    return sorted(found)


def _ends(element: Element, window: TimeWindow, t0: int, bounds: Bounds) -> list[int]:
    """The last instant of each window that contains an element."""
    opens = range(t0, element.time + 1, window.step)
    closes = [o + window.range for o in opens if contains(bounds, o, o + window.range, element.time)]
    return [c - 1 if bounds is Bounds.RIGHT_OPEN else c for c in closes]


def contains(bounds: Bounds, opens: int, closes: int, time: int) -> bool:
    """Whether a time belongs to a window."""
    match bounds:
        case Bounds.CLOSED:
            return opens <= time <= closes
        case Bounds.LEFT_OPEN:
            return opens < time <= closes
        case Bounds.RIGHT_OPEN:
            return opens <= time < closes


def has_passed(bounds: Bounds, closes: int, largest: int | None, lateness: int | None) -> bool:
    """Whether a window has passed once ``largest`` has arrived."""
    if lateness is None or largest is None:
        return False
    return largest - lateness >= closes if bounds is Bounds.RIGHT_OPEN else largest - lateness > closes


def _by_time(
    elements: list[Element], before: list[int | None], window: TimeWindow, t0: int, bounds: Bounds, lateness: int | None
) -> Outcome:
    windows: list[Seen] = []
    member, late = set(), set()
    largest = max((e.time for e in elements), default=None)
    opens = t0
    while largest is not None and (opens < largest if bounds is Bounds.LEFT_OPEN else opens <= largest):
        closes = opens + window.range
        content = []
        for i, element in enumerate(elements):
            if contains(bounds, opens, closes, element.time):
                member.add(i)
                if has_passed(bounds, closes, before[i], lateness):
                    late.add(i)
                else:
                    content.append((element.time, element.content))
        windows.append(Seen(closes, 0, opens, closes, tuple(content)))
        opens += window.step
    return Outcome(windows, len(member - late), len(elements) - len(member), len(late))


def _by_count(elements: list[Element], before: list[int | None], window: CountWindow, lateness: int | None) -> Outcome:
    late = {i for i, e in enumerate(elements) if has_passed(Bounds.CLOSED, e.time, before[i], lateness)}
    numbered = sorted((e.time, i, e.content) for i, e in enumerate(elements) if i not in late)
    windows: list[Seen] = []
    inside = set()
    for end in range(window.step, len(numbered) + 1, window.step):
        held = numbered[max(0, end - window.size) : end]
        at = held[-1][0]
        seq = windows[-1].seq + 1 if windows and windows[-1].at == at else 0
        inside |= {i for _, i, _ in held}
        windows.append(Seen(at, seq, held[0][0], at, tuple((time, content) for time, _, content in held)))
    return Outcome(windows, len(inside), len(elements) - len(inside) - len(late), len(late))
