"""Where a pattern stands: its graph, and the rows that the EXISTS around it is asked of.

EXISTS replaces the variables of its pattern by their values in the row it is asked of. A join on the shared variables
does the same wherever the pattern binds them; an expression that reads one the pattern does not bind gets its values by a
join with the rows outside.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from prsp_backends.spectra.build import join
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.paths import project
from prsp_backends.spectra.plan import Distinct, Plan


@dataclass(frozen=True, slots=True)
class Scope:
    """The graph of a pattern, and the variables and plans of the rows that enclosing EXISTS are asked of, innermost last."""

    graph: str | None = None
    outer: frozenset[str] = frozenset()
    asked: tuple[Plan, ...] = ()

    def inside(self, rows: Plan) -> Scope:
        """The scope of the pattern of an EXISTS that is asked of these rows."""
        return Scope(self.graph, self.outer | frozenset(rows.variables), (*self.asked, rows))

    def opened(self, plan: Plan, names: AbstractSet[str]) -> Plan:
        """The plan with those of the names that come from outside and may be unbound in it."""
        missing = self.outer & names - plan.certain
        for rows in reversed(self.asked):
            found = missing & rows.certain
            if found:
                wanted = found | (rows.certain & plan.certain)
                values = project(rows, tuple(name for name in rows.variables if name in wanted))
                plan = join(plan, Distinct(variables=values.variables, certain=values.certain, child=values))
                missing -= found
        if missing:
            raise correlated("an expression, where it may be unbound,")
        return plan


def correlated(where: str) -> Gap:
    """The gap of an EXISTS whose pattern cannot be evaluated apart from the row it is asked of."""
    return Gap("exists", f"EXISTS with a variable of the outside used in {where} is not evaluated")
