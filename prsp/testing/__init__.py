"""The conformance kit: whether an engine behind the contract answers as it should, for those who write a backend."""

from prsp.testing.cases import Case, Window, load_cases
from prsp.testing.catalogue import checks
from prsp.testing.checks import Check
from prsp.testing.conformance import BackendConformance
from prsp.testing.verdict import Judgement, Outcome, Verdict, run_kit

__all__ = ["BackendConformance", "Case", "Check", "Judgement", "Outcome", "Verdict", "Window", "checks", "load_cases", "run_kit"]
