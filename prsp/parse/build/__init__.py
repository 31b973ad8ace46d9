"""Builds syntax classes while the parser runs: one method per rule or alias of the grammar, named like it."""

from prsp.parse.build.csparql import ContinuousQueryBuilder
from prsp.parse.build.queries import QueryBuilder

__all__ = ["ContinuousQueryBuilder", "QueryBuilder"]
