"""Refuses an operator that has no meaning for a query."""

from __future__ import annotations

from prsp.errors import UnsupportedQuery
from prsp.model.profile import Operator
from prsp.model.query import QueryForm


def refuse_operator(operator: Operator, form: QueryForm) -> None:
    """UnsupportedQuery for ASK under Istream or Dstream; nothing otherwise."""
    if form is QueryForm.ASK and operator is not Operator.RSTREAM:
        raise UnsupportedQuery(
            f"the operator {operator} gives what is new or gone in an answer, and the answer of an ASK is one truth value: "
            f"use --operator {Operator.RSTREAM}, or SELECT the solutions themselves"
        )
