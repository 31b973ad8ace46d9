"""Which of S-Inc and S-Rev answers the next change: the one that measured times say is cheaper."""

from __future__ import annotations

from enum import StrEnum

BREAK_EVEN = 0.3
"""Before anything is measured: a change of more than this part of the window is answered from scratch."""

_FIXED = 100
"""What an answer costs beside its triples, in triples: rates measured on small windows would mislead without it."""
_STAY = 0.8
"""S-Inc has to promise this much to be taken up again: its state is built anew."""
_DOUBT = 0.99
"""An estimate that speaks against the break-even is trusted this much less at each change, until it is measured again."""


class Mode(StrEnum):
    """How answers are kept up."""

    AUTO = "auto"
    """Whichever is cheaper."""
    INC = "inc"
    """S-Inc, as the paper's section 8.1 calls it: from the change."""
    REV = "rev"
    """S-Rev: from scratch, over the same views."""


class _Rate:
    """Seconds per triple: the median of the last measurements, so that one disturbed by others counts for nothing."""

    __slots__ = ("_last", "estimate")

    def __init__(self) -> None:
        self._last: list[float] = []
        self.estimate: float | None = None

    def learn(self, seconds: float, triples: int) -> None:
        self._last = [*self._last[-2:], seconds / (triples + _FIXED)]
        self.estimate = sorted(self._last)[(len(self._last) - 1) // 2]

    def fade(self) -> None:
        self._last = [rate * _DOUBT for rate in self._last]
        self.estimate = None if self.estimate is None else self.estimate * _DOUBT


class Chooser:
    """Chooses per change in ``auto``; S-Inc costs per changed triple, S-Rev per triple of the window."""

    __slots__ = ("_inc", "_mode", "_rev")

    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._inc, self._rev = _Rate(), _Rate()

    def incremental(self, changed: int, window: int, *, kept: bool) -> bool:
        """Whether the next change is to be answered by S-Inc; ``kept``: whether its state is there."""
        if self._mode is not Mode.AUTO:
            return self._mode is Mode.INC
        expected = changed <= BREAK_EVEN * max(window, 1)
        inc, rev = self._inc.estimate, self._rev.estimate
        if inc is None or rev is None:
            return expected
        chosen = inc * (changed + _FIXED) <= rev * (window + _FIXED) * (1 if kept else _STAY)
        if chosen is not expected:
            (self._rev if chosen else self._inc).fade()
        return chosen

    def measured(self, *, incremental: bool, changed: int, window: int, seconds: float) -> None:
        """Learn from what the last answer took, without building the state of S-Inc."""
        if incremental and changed:
            self._inc.learn(seconds, changed)
        elif not incremental and window:
            self._rev.learn(seconds, window)
