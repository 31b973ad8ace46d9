"""Property paths of fixed length as joins and unions of patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdflib import URIRef, Variable
from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath
from rdflib.plugins.sparql.parserutils import CompValue

from prsp_backends.spectra.build import bgp, join, keep
from prsp_backends.spectra.gaps import Gap
from prsp_backends.spectra.plan import Distinct, Extend, Pattern, Plan, Position, Project, Table, Union, merged
from prsp_backends.spectra.terms import token_of


class Paths:
    """Translates paths; fresh variables come from the caller, so they are unique in the query."""

    def __init__(self, fresh: Callable[[], str]) -> None:
        self._fresh = fresh

    def plan(self, subject: Position, path: Any, target: Position, graph: str | None) -> Plan:
        """The rows of ``subject path target`` as a bag, fresh variables still in them."""
        if isinstance(path, URIRef):
            return bgp([Pattern(graph, subject, token_of(path), target)])
        if isinstance(path, InvPath):
            return self.plan(target, path.arg, subject, graph)
        if isinstance(path, SequencePath):
            stops = [subject, *(self._fresh() for _ in path.args[1:]), target]
            plan = self.plan(stops[0], path.args[0], stops[1], graph)
            for part, start, end in zip(path.args[1:], stops[1:], stops[2:], strict=False):
                plan = join(plan, self.plan(start, part, end, graph))
            return plan
        if isinstance(path, AlternativePath):
            plan = self.plan(subject, path.args[0], target, graph)
            for part in path.args[1:]:
                plan = union(plan, self.plan(subject, part, target, graph))
            return plan
        if isinstance(path, NegatedPath):
            return self._negated(subject, list(path.args), target, graph)
        if isinstance(path, MulPath) and path.mod == "?":
            return self._zero_or_one(subject, path.path, target, graph)
        raise Gap("transitive-paths", "a path with * or + is a fixpoint, which has no delta of its own")

    def _negated(self, subject: Position, parts: list[Any], target: Position, graph: str | None) -> Plan:
        backward = [part.part for part in parts if isinstance(part, CompValue)] + [p.arg for p in parts if isinstance(p, InvPath)]
        forward = [part for part in parts if isinstance(part, URIRef)]
        plans = []
        if forward or not backward:
            plans.append(self._any_but(subject, forward, target, graph))
        if backward:
            plans.append(self._any_but(target, backward, subject, graph))
        return plans[0] if len(plans) == 1 else union(*plans)

    def _any_but(self, subject: Position, excluded: list[Any], target: Position, graph: str | None) -> Plan:
        name = self._fresh()
        plan = bgp([Pattern(graph, subject, name, target)])
        for iri in excluded:
            plan = keep(plan, CompValue("RelationalExpression", expr=Variable(name), op="!=", other=iri))
        return plan

    def _zero_or_one(self, subject: Position, path: Any, target: Position, graph: str | None) -> Plan:
        names = merged(tuple(p for p in (subject, target) if isinstance(p, str)))
        one = project(self.plan(subject, path, target, graph), names)
        either = union(one, self._zero(subject, target, graph, names))
        return Distinct(variables=names, certain=frozenset(names), child=project(either, names))

    def _zero(self, subject: Position, target: Position, graph: str | None, names: tuple[str, ...]) -> Plan:
        if isinstance(subject, bytes) and isinstance(target, bytes):
            return Table(variables=(), certain=frozenset(), rows=((),) if subject == target else ())
        if isinstance(subject, bytes) or isinstance(target, bytes):
            constant = subject if isinstance(subject, bytes) else target
            return Table(variables=names, certain=frozenset(names), rows=((constant,),))  # type: ignore[arg-type]
        as_subject = bgp([Pattern(graph, subject, self._fresh(), self._fresh())])
        as_object = bgp([Pattern(graph, self._fresh(), self._fresh(), subject)])
        nodes = union(project(as_subject, (subject,)), project(as_object, (subject,)))
        if subject == target:
            return nodes
        return Extend(
            variables=(*nodes.variables, target),
            certain=frozenset((subject, target)),
            child=nodes,
            name=target,
            expression=Variable(subject),
        )


def union(left: Plan, right: Plan) -> Plan:
    """Rows of both."""
    return Union(variables=merged(left.variables, right.variables), certain=left.certain & right.certain, left=left, right=right)


def project(plan: Plan, names: tuple[str, ...]) -> Plan:
    """Only these columns."""
    return plan if plan.variables == names else Project(variables=names, certain=plan.certain & frozenset(names), child=plan)
