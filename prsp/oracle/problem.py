"""What can go wrong while a query is evaluated by definition."""

from __future__ import annotations

from prsp.errors import PrspError


class ExpressionError(PrspError):
    """The recommendation's "type error": an expression without a value. It never leaves an evaluation."""


class Unsupported(PrspError):
    """A query that asks for something outside the data at hand."""
