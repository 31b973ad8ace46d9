"""The one exception of expression evaluation: SPARQL's type error."""


class ExpressionError(Exception):
    """The expression has no value for this row: FILTER drops it, BIND leaves the variable unbound."""
