"""What came of asking an engine on an executor: values that are sent back to the driver."""

from __future__ import annotations

from dataclasses import dataclass, field

from prsp.model.evaluation import Failure
from prsp.model.result import Result


@dataclass(frozen=True, slots=True)
class Outcome:
    """The whole answer, or why there is none; and how long loading and asking took."""

    answer: Result | Failure
    seconds: dict[str, float] = field(default_factory=dict)
