"""The naive evaluator on every W3C evaluation test of SPARQL 1.0 and 1.1 queries: right on all of them, without an exception."""

import pytest

from prsp.oracle import Dataset, evaluate, read_ntriples
from tests.data import needs_data
from tests.w3c.cases import SUITE, EvaluationCase, cases
from tests.w3c.verdict import verdict

pytestmark = needs_data


@pytest.mark.parametrize("case", cases() if SUITE.is_dir() else (), ids=lambda case: case.name)
def test_answer(case: EvaluationCase) -> None:
    named = {name: read_ntriples(data) for name, data in case.graphs.items() if name is not None}
    answer = evaluate(case.rho, Dataset(read_ntriples(case.graphs[None]), named))
    wrong = verdict(case, answer)
    assert wrong is None, wrong
