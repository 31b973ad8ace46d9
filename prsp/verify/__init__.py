"""Whether recorded answers are correct under RSP-QL: for which origins, or where they differ first, and why."""

from prsp.verify.case import Case
from prsp.verify.evaluators import EVALUATORS, evaluator_named
from prsp.verify.inputs import oracle_static, oracle_streams
from prsp.verify.recorded import Recorded, read_answers
from prsp.verify.verdict import Compared, Trial, Verdict
from prsp.verify.verify import verify

__all__ = [
    "EVALUATORS",
    "Case",
    "Compared",
    "Recorded",
    "Trial",
    "Verdict",
    "evaluator_named",
    "oracle_static",
    "oracle_streams",
    "read_answers",
    "verify",
]
