"""A SPARQL query answered by definition: parsed, translated to the algebra of section 18, evaluated by nested loops.

It shares no code with any engine. DESCRIBE, which the recommendation leaves open, gives the triples whose subject is one of the
resources, and those of every blank node such triples lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple, cast

from prsp.model.term import IRI, BlankNode, Literal, Term, Variable
from prsp.oracle.algebra import rebuild
from prsp.oracle.context import Context, Scope
from prsp.oracle.dataset import Dataset, Graph, Triple, folded
from prsp.oracle.expressions import Solution
from prsp.oracle.patterns import solutions
from prsp.oracle.problem import Unsupported
from prsp.oracle.translate import translate
from prsp.parse.query import parse_sparql
from prsp.parse.scope import projected
from prsp.parse.syntax import Ask, Construct, Describe, Query, QueryBody, Select
from prsp.parse.syntax import Triple as TriplePattern


class Solutions(NamedTuple):
    """The answer of a SELECT: its variables, and rows as wide as them, in order where the query asks for one."""

    variables: tuple[str, ...]
    rows: list[tuple[Term | None, ...]]


Answer = Solutions | bool | frozenset[Triple]
"""The answer of SELECT, of ASK, and of CONSTRUCT or DESCRIBE."""


def evaluate(
    query: str | Query,
    dataset: Dataset,
    *,
    base: str | None = None,
    now: datetime | None = None,
    functions: Mapping[str, Callable[..., Term]] | None = None,
    seed: int = 0,
) -> Answer:
    """The answer on a dataset.

    ``functions`` are extra functions by IRI; ``now`` is what NOW gives; ``seed`` is that of RAND, UUID and STRUUID, so that two
    evaluations agree. A query that asks for anything outside the dataset (SERVICE, FROM) raises Unsupported.
    """
    tree = parse_sparql(query, base=base) if isinstance(query, str) else query
    if tree.dataset:
        raise Unsupported("FROM names a dataset; here it is given with the query: leave the clause out")
    context = Context(dataset, now or datetime.now(UTC), tree.base or base, functions or {}, seed)
    body = _in_one_case(tree.body)
    found = solutions(translate(body), Scope(context, context.default, {}))
    match body:
        case Select():
            names = projected(body)
            return Solutions(names, [tuple(solution.get(name) for name in names) for solution in found])
        case Ask():
            return bool(found)
        case Construct(template):
            return frozenset(triple for solution in found for triple in _instances(template, solution, context))
        case Describe():
            return _description(_targets(body, found), context.default)


def _in_one_case(body: QueryBody) -> QueryBody:
    """The query with its language tags in lower case, as those of the graphs are."""
    return cast(QueryBody, rebuild(body, lambda node: folded(node) if isinstance(node, Literal) else None))


def _instances(template: Iterable[TriplePattern], solution: Solution, context: Context) -> Iterable[Triple]:
    """The template's triples for one solution, with blank nodes of their own; what is no RDF triple is left out."""
    blanks: dict[str, BlankNode] = {}
    for triple in template:
        terms: list[Term] = []
        for node in (triple.subject, triple.predicate, triple.object):
            if isinstance(node, BlankNode):
                if node.label not in blanks:
                    blanks[node.label] = context.blank_node()
                terms.append(blanks[node.label])
            elif isinstance(node, Variable) and node.name in solution:
                terms.append(solution[node.name])
            elif isinstance(node, IRI | Literal):
                terms.append(node)
        if len(terms) == 3 and not isinstance(terms[0], Literal) and isinstance(terms[1], IRI):
            yield terms[0], terms[1], terms[2]


def _targets(query: Describe, found: Iterable[Solution]) -> list[Term]:
    if query.targets is None:
        return [term for solution in found for term in solution.values()]
    iris: list[Term] = [target for target in query.targets if isinstance(target, IRI)]
    names = [target.name for target in query.targets if isinstance(target, Variable)]
    return iris + [solution[name] for solution in found for name in names if name in solution]


def _description(targets: Iterable[Term], graph: Graph) -> frozenset[Triple]:
    waiting = list(dict.fromkeys(targets))
    seen = set(waiting)
    triples: set[Triple] = set()
    while waiting:
        for triple in graph.match(waiting.pop(), None, None):
            triples.add(triple)
            if isinstance(triple[2], BlankNode) and triple[2] not in seen:
                seen.add(triple[2])
                waiting.append(triple[2])
    return frozenset(triples)
