"""An operator at work on one answer after another; an engine that knows how its answer changed is asked just that."""

from __future__ import annotations

from typing import Protocol

from prsp.model.profile import Operator
from prsp.model.result import Changes, Result, RowSolutions, Solutions
from prsp.operator.difference import emitted


class Answering(Protocol):
    """An engine that was brought to a window."""

    @property
    def gives_changes(self) -> bool:
        """Whether it gives the change of its answer."""

    def evaluate(self, *, deadline: float | None = None) -> Result:
        """The whole answer."""

    def changes(self, *, deadline: float | None = None) -> Changes:
        """How the answer changed since it was last looked at."""


class Emitter:
    """Keeps the previous answer, unless the engine does."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self._before: Result | None = None

    def must_catch_up(self, engine: Answering, *, new: bool) -> bool:
        """Whether, after an earlier answer, the previous one has to be asked for again: nobody has it.

        ``new`` says that the engine's session has answered nothing yet.
        """
        if self.operator is Operator.RSTREAM:
            return False
        return new if engine.gives_changes else self._before is None

    def catch_up(self, engine: Answering, *, deadline: float | None = None) -> None:
        """Take the engine's answer for the previous one; nothing comes out."""
        answer = engine.evaluate(deadline=deadline)
        if not engine.gives_changes:
            self._before = _settled(answer)

    def emit(self, engine: Answering, *, deadline: float | None = None) -> Result:
        """What comes out of the engine's answer, which is from now on the previous one."""
        if self.operator is Operator.RSTREAM:
            return engine.evaluate(deadline=deadline)
        if engine.gives_changes:
            changes = engine.changes(deadline=deadline)
            return changes.added if self.operator is Operator.ISTREAM else changes.removed
        answer = _settled(engine.evaluate(deadline=deadline))
        out = emitted(self.operator, self._before, answer)
        self._before = answer
        return out


def _settled(answer: Result) -> Result:
    """An answer that needs no session any more and is decoded once."""
    return RowSolutions(answer.variables, answer.rows()) if isinstance(answer, Solutions) else answer
