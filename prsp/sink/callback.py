"""Results handed to a Python function."""

from __future__ import annotations

from collections.abc import Callable

from prsp.errors import PrspError
from prsp.model.evaluation import Evaluation
from prsp.sink.retry import persistently


class NobodyTakes(PrspError):
    """Raised by a function that takes results when nobody takes them any more: a live run ends before this result."""


class CallbackSink:
    """Calls a function with each evaluation, in order.

    An OSError of the function is taken for an output that fails: it is called again with the same result, whose ``id`` tells. Any
    other exception is the caller's own and ends the run. After a restart a result may come again, with the same id and content.
    """

    def __init__(self, function: Callable[[Evaluation], object], *, resume_at: int | None = None) -> None:
        self._function, self.length = function, resume_at or 0

    def write(self, evaluation: Evaluation) -> None:
        """Call the function."""

        def step() -> None:
            self._function(evaluation)

        persistently(step, "the function that takes results")
        self.length += 1

    def flush(self) -> None:
        """Nothing: the function has it."""

    def close(self, *, failed: bool = False) -> None:
        """Nothing."""
