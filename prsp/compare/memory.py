"""How much memory an engine holds, window by window: a round of its own, in a process of its own, so that it disturbs no times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from prsp.backend import DrivesPrograms, Feed, TellsMemory, open_feed
from prsp.compare.frozen import Frozen
from prsp.errors import EngineError
from prsp.run import Registered


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes before the first window (None: it cannot be told), and after the answer to each."""

    base: int | None = None
    windows: Sequence[int | None] = field(default_factory=tuple)

    @property
    def peak(self) -> int | None:
        """The most it held after any window."""
        return max((each for each in self.windows if each is not None), default=None)


def memory_of(registered: Registered, frozen: Frozen) -> Memory:
    """What the engine holds; an engine that fails at a window is not asked of the later ones."""
    tells = registered.backend if isinstance(registered.backend, TellsMemory) else None

    def held(feed: Feed) -> int | None:
        return feed.memory() if tells is None else tells.memory()

    windows: list[int | None] = [None] * len(frozen.windows)
    base: int | None = None
    try:
        feed = open_feed(registered.backend, registered.query.rho, registered.static, isolate=tells is None)
    except EngineError:
        return Memory(None, windows)
    try:
        base = None if isinstance(registered.backend, DrivesPrograms) else held(feed)  # between two runs a program holds nothing
        for number in range(len(frozen.windows)):
            feed.give(frozen.bring(number))
            feed.evaluate()
            windows[number] = held(feed)
    except EngineError:
        return Memory(base, windows)
    finally:
        feed.close()
    return Memory(base, windows)
