"""SPARQL expressions, compiled to Python functions over rows of term numbers."""
