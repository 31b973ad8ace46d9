"""The papers' experiments, again."""

from prsp.compare.suites.registry import SUITES
from prsp.compare.suites.runner import SuiteOptions, run_suite, suite_contenders
from prsp.compare.suites.suite import Experiment, Suite

__all__ = ["SUITES", "Experiment", "Suite", "SuiteOptions", "run_suite", "suite_contenders"]
