"""The trigger: when a query is evaluated, and over which window of each stream."""

from prsp.trigger.grid import Grid
from prsp.trigger.instants import Due, due_instants
from prsp.trigger.policy import Policy, policy_of

__all__ = ["Due", "Grid", "Policy", "due_instants", "policy_of"]
