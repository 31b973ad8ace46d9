"""The query parser: continuous query text in, the tuple of PRSP Definition 1 out."""

from prsp.parse.query import parse_query, parse_rho, parse_sparql

__all__ = ["parse_query", "parse_rho", "parse_sparql"]
