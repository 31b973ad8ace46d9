"""Text → syntax tree → ContinuousQuery: the query parser of PRSP (section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prsp.errors import UnsupportedQuery
from prsp.model.feature import Feature
from prsp.model.query import ContinuousQuery, QueryForm, Registration, RegistrationKind, Rho, StaticGraphs, StreamWindow
from prsp.parse import diagnose, scope
from prsp.parse.escapes import Source
from prsp.parse.features import features, sees_blank_nodes
from prsp.parse.grammar import CSPARQL, SPARQL, Dialect, Unparsable, load
from prsp.parse.iri import is_absolute
from prsp.parse.problem import SyntaxProblem
from prsp.parse.rho import rho
from prsp.parse.syntax import GraphClause, Query, QueryBody, Select, StreamClause, walk
from prsp.parse.timestamps import Untimeable, timed

_TEMPLATE = "a continuous query looks like: REGISTER QUERY name AS SELECT … FROM STREAM <…> [RANGE 5s STEP 4s] WHERE { … }"


def parse_query(text: str) -> ContinuousQuery:
    """The tuple (Req, (S, w, s)+, ρ(Q)) of a C-SPARQL text; QuerySyntaxError says where and why there is none."""
    tree = _tree(text, CSPARQL, None)
    try:
        return _continuous(tree)
    except SyntaxProblem as fault:
        raise diagnose.problem(fault, tree.source) from None


def parse_rho(text: str) -> Rho:
    """ρ(Q) of a plain SPARQL text: what a backend prepares. A dataset clause in it is refused."""
    tree = _tree(text, SPARQL, None)
    if tree.query.dataset:
        raise diagnose.problem(SyntaxProblem("ρ(Q) has no dataset clause", tree.query.dataset[0].start), tree.source)
    body = tree.query.body
    form = QueryForm(type(body).__name__.lower())
    plain = Rho(text, form, _variables(body), features(body, tree.nodes), sees_blank_nodes(body, tree.nodes))
    try:
        return _timed(plain) if Feature.TIMESTAMP in plain.features else plain
    except Untimeable as problem:
        raise UnsupportedQuery(f"f:timestamp cannot be used like this: {problem}") from None


def parse_sparql(text: str, *, base: str | None = None) -> Query:
    """The syntax tree of a standard SPARQL query, such as ρ(Q)."""
    return _tree(text, SPARQL, base).query


@dataclass(frozen=True, slots=True)
class _Tree:
    """A parsed text: its tree, the tree's nodes in one list, and the IRIs that stayed relative, with their offsets."""

    query: Query
    nodes: list[object]
    source: Source
    relative: list[tuple[int, str]]


def _tree(text: str, dialect: Dialect, base: str | None) -> _Tree:
    parser = load(dialect)
    source = Source(text)
    try:
        source.replace_escapes()
        query, relative = parser.parse(source.text, base)
        nodes = list(walk(query.body))
        scope.check(query.body, nodes)
    except Unparsable as fault:
        raise diagnose.unparsable(fault, source, parser) from None
    except SyntaxProblem as fault:
        raise diagnose.problem(fault, source) from None
    except RecursionError:
        raise diagnose.problem(SyntaxProblem("the query is nested too deeply", 0), source) from None
    return _Tree(query, nodes, source, [(token.start_pos or 0, str(token)) for token in relative])


def _continuous(tree: _Tree) -> ContinuousQuery:
    query, source = tree.query, tree.source
    streams = [clause for clause in query.dataset if isinstance(clause, StreamClause)]
    registration = query.registration
    if registration is None:
        missing = "a registration" if streams else "a registration and a stream"
        raise SyntaxProblem(f"this is {'not a continuous query' if streams else 'plain SPARQL'}: it lacks {missing}", 0, _TEMPLATE)
    if not streams:
        raise SyntaxProblem("this query reads no stream", registration.start, "add FROM STREAM <…> [RANGE 5s STEP 4s] before WHERE")
    spans = [(clause.start, clause.end) for clause in (registration, *query.dataset)]
    _check_relative(tree.relative, spans)
    _check_streams(streams)
    _check_named(query)
    parsed = ContinuousQuery(
        registration=Registration(RegistrationKind(registration.kind), registration.name, registration.every),
        streams=tuple(StreamWindow(clause.stream, clause.named, clause.window) for clause in streams),
        static=_static(query),
        sparql=rho(source.original, ((source.offset(start), source.offset(end)) for start, end in spans)),
        form=QueryForm(type(query.body).__name__.lower()),
        variables=_variables(query.body),
        features=features(query.body, tree.nodes),
        sees_blank_nodes=sees_blank_nodes(query.body, tree.nodes),
    )
    if Feature.TIMESTAMP not in parsed.features:
        return parsed
    try:
        return replace(parsed, timed=_timed(parsed.rho))
    except Untimeable as problem:
        return replace(parsed, untimed=str(problem))


def _timed(plain: Rho) -> Rho:
    """ρ(Q) with its calls of f:timestamp looked up, and what that asks of an engine beside what the user asks."""
    text, predicates = timed(plain.text)
    tree = _tree(text, SPARQL, None)
    return replace(plain, text=text, features=plain.features | features(tree.query.body, tree.nodes), times=predicates)


def _check_relative(relative: list[tuple[int, str]], spans: list[tuple[int, int]]) -> None:
    for at, iri in relative:
        if not any(start <= at < end for start, end in spans):
            raise SyntaxProblem(f"{iri} is a relative IRI, and there is no BASE", at, "add BASE <…> at the top, or write the IRI out")


def _check_streams(streams: list[StreamClause]) -> None:
    seen: list[StreamClause] = []
    for clause in streams:
        for other in seen:
            if clause.stream == other.stream and clause.window == other.window:
                raise SyntaxProblem(f"stream {clause.stream} stands here twice with the same window", clause.start)
            if clause.stream == other.stream and clause.named and other.named:
                raise SyntaxProblem(
                    f"stream {clause.stream} is NAMED twice",
                    clause.start,
                    "both windows would be the same named graph: leave NAMED out of one",
                )
        seen.append(clause)


def _check_named(query: Query) -> None:
    named_streams = {clause.stream for clause in query.dataset if isinstance(clause, StreamClause) and clause.named}
    for clause in query.dataset:
        name = clause.graph.value if isinstance(clause, GraphClause) else clause.stream
        if clause.named and not is_absolute(name):
            raise SyntaxProblem(
                f"<{name}> is a relative IRI, and there is no BASE",
                clause.start,
                "NAMED makes it a graph that GRAPH has to name: write the IRI out",
            )
        if isinstance(clause, GraphClause) and clause.named and name in named_streams:
            raise SyntaxProblem(f"{clause.graph} is both a named graph and a named stream", clause.start)


def _static(query: Query) -> StaticGraphs:
    clauses = [clause for clause in query.dataset if isinstance(clause, GraphClause)]
    return StaticGraphs(
        tuple(dict.fromkeys(c.graph.value for c in clauses if not c.named)), tuple(dict.fromkeys(c.graph.value for c in clauses if c.named))
    )


def _variables(body: QueryBody) -> tuple[str, ...]:
    return scope.projected(body) if isinstance(body, Select) else ()
