"""The planner: a query, a profile and an engine's capabilities in; what will run, or a refusal that says why, out."""

from prsp.plan.dataset import Dataset, dataset_of
from prsp.plan.refuse import Verdict, refuse, verdict_on, verdicts
from prsp.plan.together import refuse_together

__all__ = ["Dataset", "Verdict", "dataset_of", "refuse", "refuse_together", "verdict_on", "verdicts"]
