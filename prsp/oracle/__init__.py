"""Answers by definition: slow, obvious, and independent of every engine."""

from prsp.oracle.dataset import Dataset, read_ntriples
from prsp.oracle.sparql import Answer, Solutions, evaluate

__all__ = ["Answer", "Dataset", "Solutions", "evaluate", "read_ntriples"]
