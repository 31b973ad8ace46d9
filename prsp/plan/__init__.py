"""The planner: a query, a profile and an engine's capabilities in; what will run, or a refusal that says why, out."""

from prsp.plan.dataset import Dataset, dataset_of
from prsp.plan.refuse import Verdict, refuse, verdict_on, verdicts

__all__ = ["Dataset", "Verdict", "dataset_of", "refuse", "verdict_on", "verdicts"]
