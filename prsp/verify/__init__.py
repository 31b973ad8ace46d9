"""Whether recorded answers are correct under RSP-QL: for which origins, or where they differ first, and why."""

from prsp.verify.case import Case
from prsp.verify.evaluators import EVALUATORS, answer_of, evaluator_named
from prsp.verify.inputs import oracle_static, oracle_streams
from prsp.verify.recorded import Recorded, answer_in, read_answers
from prsp.verify.verdict import Compared, Trial, Verdict, judged_answer, size
from prsp.verify.verify import verify

__all__ = [
    "EVALUATORS",
    "Case",
    "Compared",
    "Recorded",
    "Trial",
    "Verdict",
    "answer_in",
    "answer_of",
    "evaluator_named",
    "judged_answer",
    "oracle_static",
    "oracle_streams",
    "read_answers",
    "size",
    "verify",
]
