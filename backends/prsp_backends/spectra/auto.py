"""Which of S-Inc and S-Rev answers the next change: the one that measured times say is cheaper."""

from __future__ import annotations

from enum import StrEnum

BREAK_EVEN = 0.3
"""Before anything is measured: a change of more than this part of the window is answered from scratch."""

_MEMORY = 0.5
"""The weight of the last measurement."""


class Mode(StrEnum):
    """How answers are kept up."""

    AUTO = "auto"
    """Whichever is cheaper."""
    INC = "inc"
    """S-Inc: from the change."""
    REV = "rev"
    """S-Rev: from scratch, over the same views."""


class Chooser:
    """Chooses per change in ``auto``; S-Inc costs per changed triple, S-Rev per triple of the window."""

    __slots__ = ("_inc", "_mode", "_rev")

    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._inc: float | None = None
        self._rev: float | None = None

    def incremental(self, changed: int, window: int) -> bool:
        """Whether the next change is to be answered by S-Inc."""
        if self._mode is not Mode.AUTO:
            return self._mode is Mode.INC
        inc = self._inc if self._inc is not None else None if self._rev is None else self._rev / BREAK_EVEN
        rev = self._rev if self._rev is not None else None if self._inc is None else self._inc * BREAK_EVEN
        if inc is None or rev is None:
            return changed <= BREAK_EVEN * max(window, 1)
        return inc * changed <= rev * max(window, 1)

    def measured(self, *, incremental: bool, changed: int, window: int, seconds: float) -> None:
        """Learn from what the last answer took."""
        if incremental and changed:
            rate = seconds / changed
            self._inc = rate if self._inc is None else self._inc + _MEMORY * (rate - self._inc)
        elif not incremental and window:
            rate = seconds / window
            self._rev = rate if self._rev is None else self._rev + _MEMORY * (rate - self._rev)
