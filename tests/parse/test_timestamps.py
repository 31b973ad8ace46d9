"""f:timestamp becomes lookups in the graph of times: the texts that come out, that engines read them, and that they mean the same."""

import random
import re
from collections.abc import Iterator

import pytest

from prsp.errors import QuerySyntaxError, UnsupportedQuery
from prsp.model import Feature
from prsp.model.query import TIMES, TIMES_AT, TIMES_OF
from prsp.model.term import IRI, XSD, BlankNode, Literal, Term
from prsp.oracle import Dataset, Solutions, evaluate
from prsp.oracle.dataset import Triple
from prsp.oracle.problem import ExpressionError
from prsp.parse import parse_query, parse_rho, parse_sparql
from prsp.parse.features import TIMESTAMP_FUNCTION
from tests.data import ROOT
from tests.parse.test_engines_agree import PARSERS

PREFIXES = "PREFIX : <http://e/> PREFIX f: <http://larkc.eu/csparql/sparql/jena/ext#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"

SHAPES = {
    "filter": "SELECT ?s ?o { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 10) }",
    "filter first": "SELECT ?s ?o { FILTER(f:timestamp(?s, ?p, ?o) < 12) ?s ?p ?o }",
    "bare filter": "SELECT * { ?s ?p ?o FILTER f:timestamp(?s, ?p, ?o) }",
    "no such triple": "SELECT * { ?s ?p ?o FILTER(f:timestamp(?o, ?p, ?s) > 0) }",
    "one of two": "SELECT ?s ?o { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 15 || ?o = :b) }",
    "followers": "SELECT ?a ?b ?o { ?a :p ?o . ?b :p ?o FILTER(f:timestamp(?a, :p, ?o) > f:timestamp(?b, :p, ?o)) }",
    "the same node twice": "SELECT ?s { ?s :p ?s FILTER(f:timestamp(?s, :p, ?s) > 3) }",
    "bind": "SELECT ?s ?t { ?s :p ?o BIND(f:timestamp(?s, :p, ?o) AS ?t) ?o :q ?z }",
    "bind of what is bound later": "SELECT ?s ?t { ?s :p ?o BIND(f:timestamp(?o, :q, ?z) AS ?t) ?o :q ?z }",
    "bind and filter": "SELECT * { ?s ?p ?o BIND(f:timestamp(?s, ?p, ?o) - 1 AS ?t) FILTER(?t > f:timestamp(?s, ?p, :b)) }",
    "selected": "SELECT ?s ?o (f:timestamp(?s, :p, ?o) AS ?t) (?t + 1 AS ?u) { ?s :p ?o }",
    "difference": "SELECT (f:timestamp(?s, :p, ?o) - f:timestamp(?o, :q, ?z) AS ?d) { ?s :p ?o . ?o :q ?z }",
    "coalesce": "SELECT ?s ?o (COALESCE(f:timestamp(?s, :q, ?o), -1) AS ?t) { ?s :p ?o }",
    "if and in": "SELECT ?s (IF(f:timestamp(?s, ?p, ?o) IN (1, 2, 3, 9), 'yes', 'no') AS ?t) { ?s ?p ?o }",
    "distinct": "SELECT DISTINCT ?s (f:timestamp(?s, :p, ?o) AS ?t) { ?s :p ?o }",
    "ordered": "SELECT (f:timestamp(?s, ?p, ?o) AS ?t) { ?s ?p ?o } ORDER BY DESC(f:timestamp(?s, ?p, ?o))",
    "first three": "SELECT (f:timestamp(?s, ?p, ?o) AS ?t) { ?s ?p ?o } ORDER BY f:timestamp(?s, ?p, ?o) LIMIT 3",
    "aggregates": "SELECT ?s (MAX(f:timestamp(?s, ?p, ?o)) AS ?a) (COUNT(DISTINCT f:timestamp(?s, ?p, ?o)) AS ?n) { ?s ?p ?o } GROUP BY ?s",
    "having": "SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING (MIN(f:timestamp(?s, ?p, ?o)) > 4)",
    "one group": "SELECT (SUM(f:timestamp(?s, :p, ?o)) AS ?n) (COUNT(*) AS ?m) { ?s :p ?o }",
    "grouped by it": "SELECT ?t (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY (f:timestamp(?s, ?p, ?o) AS ?t)",
    "grouped by it without a name": "SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s f:timestamp(?s, ?p, ?o)",
    "of what is grouped by": "SELECT ?s ?o (f:timestamp(?s, :p, ?o) AS ?t) (COUNT(?z) AS ?n) { ?s :p ?o OPTIONAL { ?o ?q ?z } } "
    "GROUP BY ?s ?o HAVING (f:timestamp(?s, :p, ?o) > 2) ORDER BY f:timestamp(?s, :p, ?o)",
    "optional": "SELECT * { ?s :p ?o OPTIONAL { ?o ?q ?z FILTER(f:timestamp(?o, ?q, ?z) > 7) } }",
    "optional asked about before": "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z FILTER(f:timestamp(?s, :p, ?o) > 7) } }",
    "optional with a group": "SELECT * { ?s :p ?o "
    "OPTIONAL { { ?o :q ?z FILTER(f:timestamp(?s, :p, ?o) > 7 || f:timestamp(?o, :q, ?z) > 7) } } }",
    "unbound argument": "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z } FILTER(!BOUND(?z) || f:timestamp(?o, :q, ?z) > 7) }",
    "unbound argument named": "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z } BIND(f:timestamp(?o, :q, ?z) AS ?t) }",
    "nothing is asked about nothing": "SELECT ?s { ?s :p ?o FILTER(COALESCE(f:timestamp(?s, :p, ?nowhere), 0) = 0) }",
    "union": "SELECT * { { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 9) } UNION { ?s :q ?z } }",
    "after union": "SELECT ?s (f:timestamp(?s, :p, ?o) AS ?t) { { ?s :p ?o } UNION { ?s :q ?z } }",
    "minus": "SELECT ?s ?o { ?s :p ?o MINUS { ?s ?p ?o FILTER(f:timestamp(?s, ?p, ?o) > 9) } }",
    "exists": "SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?o ?q ?z FILTER(f:timestamp(?o, ?q, ?z) > 9) } }",
    "the latest": "SELECT ?s ?o { ?s :p ?o FILTER NOT EXISTS { ?s :p ?x FILTER(f:timestamp(?s, :p, ?x) > f:timestamp(?s, :p, ?o)) } }",
    "exists with a name": "SELECT ?s ?b { ?s :p ?o BIND(EXISTS { ?o :q ?z FILTER(f:timestamp(?s, :p, ?o) > 9) } AS ?b) }",
    "exists selected": "SELECT ?s (EXISTS { ?s :p ?z FILTER(f:timestamp(?s, :p, ?z) > 9) } AS ?b) { ?s :q ?o }",
    "exists in optional": "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z FILTER EXISTS { ?z ?r ?w FILTER(f:timestamp(?o, :q, ?z) > 9) } } }",
    "exists with a row's variable": "SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?z :q ?w FILTER(f:timestamp(?s, :p, ?w) > 5) } }",
    "exists with bind": "SELECT ?s ?o { ?s :p ?o FILTER EXISTS { ?o ?q ?z BIND(f:timestamp(?o, ?q, ?z) AS ?t) FILTER(?t > 9) } }",
    "subquery": "SELECT ?s ?t { ?s :p ?o { SELECT ?o (MAX(f:timestamp(?o, ?q, ?z)) AS ?t) { ?o ?q ?z } GROUP BY ?o } }",
    "subquery with everything": "SELECT * { { SELECT * { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 9) } } ?o :q ?z }",
    "subquery alone": "SELECT ?s (f:timestamp(?s, ?p, ?o) AS ?t) { SELECT * { ?s ?p ?o } }",
    "named window": "SELECT ?s ?o { GRAPH :b { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 9) } }",
    "every window": "SELECT ?g ?s { GRAPH ?g { ?s ?p ?o FILTER(f:timestamp(?s, ?p, ?o) > 9) } }",
    "every window's triples": "SELECT * { { GRAPH ?g{?s ?p ?o}} OPTIONAL{GRAPH ?h{?o ?q ?z}} FILTER(f:timestamp(?s, ?p, ?o) > 9) }",
    "constants": "SELECT ?s { ?s :p ?o FILTER(f:timestamp(:a, :p, :b) > 5) }",
    "constants alone": "SELECT (f:timestamp(:a, :p, 1) AS ?t) (f:timestamp(:a, :p, 'x'@en) AS ?u) (f:timestamp(:b, :q, 'x') AS ?v) { }",
    "expressions": "SELECT ?s ?o { ?s ?p ?o FILTER(f:timestamp(?s, IRI(CONCAT('http://e/', # p or q\n'p')), ?o) > 3) }",
    "errors in arguments": "SELECT ?s ?o { ?s :p ?o "
    "FILTER(COALESCE(f:timestamp(?s, :p, STRLEN(?o)), f:timestamp(?s, :p, ABS(?o)), 0) >= 0) }",
    "a call in a call": "SELECT ?s { ?s :p ?o FILTER(!BOUND(?x) || f:timestamp(?s, :p, f:timestamp(?s, :p, ?o)) > 0) }",
    "values": "SELECT * { VALUES (?s ?o) { (:a :b) (:a 1) (UNDEF :b) (:b 'x'@en) } BIND(f:timestamp(?s, :p, ?o) AS ?t) }",
    "values behind": "SELECT * { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 2) } VALUES ?s { :a :b }",
    "path": "SELECT ?s ?z { ?s :p/:q ?z FILTER(f:timestamp(?s, :p, ?z) > 2) }",
    "construct": "CONSTRUCT { ?s :at ?t } WHERE { ?s :p ?o BIND(f:timestamp(?s, :p, ?o) AS ?t) }",
    "ask": "ASK { ?s :q ?o FILTER(f:timestamp(?s, :q, ?o) > 17) }",
    "describe": "DESCRIBE * { ?s :q ?o FILTER(f:timestamp(?s, :q, ?o) > 12) }",
}
"""Queries that use f:timestamp in every place where it can stand."""
ORDERED = {"ordered", "first three"}
"""Those whose rows come in one order only."""


def text_of(shape: str) -> str:
    return PREFIXES + SHAPES[shape]


def rewritten(query: str) -> str:
    """ρ(Q) behind the prefixes, blanks as one."""
    return re.sub(r" +\)", ")", " ".join(parse_rho(PREFIXES + query).text.removeprefix(PREFIXES).split()))


def entry(time: str, *about: str) -> str:
    parts = zip((*TIMES_OF, TIMES_AT), (*about, time), strict=True)
    return f"GRAPH <{TIMES}> {{ [] {' ; '.join(f'<{name}> {term}' for name, term in parts)} }}"


def lookup(variable: str, *about: str) -> str:
    keys = " ".join(dict.fromkeys(term for term in about if term.startswith("?")))
    found = f"SELECT {keys} (MAX({variable}_at) AS {variable}) {{ {entry(f'{variable}_at', *about)} }} GROUP BY {keys}"
    return f"OPTIONAL {{ {found} }}"


def test_a_filter_in_full() -> None:
    assert rewritten(SHAPES["filter"]) == (
        "SELECT ?s ?o { ?s :p ?o FILTER(?prsp1 > 10) "
        "OPTIONAL { SELECT ?s ?o (MAX(?prsp1_at) AS ?prsp1) { GRAPH <urn:prsp:times> { "
        "[] <urn:prsp:subject> ?s ; <urn:prsp:predicate> :p ; <urn:prsp:object> ?o ; <urn:prsp:at> ?prsp1_at "
        "} } GROUP BY ?s ?o } }"
    )


PO = ("?s", "?p", "?o")
CONCAT = "IRI(CONCAT('a', 'b'@en))"


def copied(variable: str, **arguments: str) -> str:
    """Arguments that may be without a value, made keys."""
    return " ".join(f"BIND(COALESCE({text}, <urn:prsp:no-value>) AS {variable}_{place})" for place, text in arguments.items())


PLACED = {
    "a filter sees its whole group, so its calls are looked up at the end": (
        "SELECT ?s { FILTER f:timestamp(?s, ?p, ?o) ?s ?p ?o }",
        f"SELECT ?s {{ FILTER (?prsp1) ?s ?p ?o {lookup('?prsp1', *PO)} }}",
    ),
    "BIND sees what stands before it": (
        "SELECT ?s { ?s ?p ?o BIND(f:timestamp(?s, ?p, ?o) AS ?t) ?t :q ?z }",
        f"SELECT ?s {{ ?s ?p ?o {lookup('?prsp1', *PO)} BIND(?prsp1 AS ?t) ?t :q ?z }}",
    ),
    "what is asked twice is looked up once": (
        "SELECT (f:timestamp($s, :p, (?o)) AS ?t) { ?s :p ?o FILTER(f:timestamp(?s,:p,?o) > 3) } ORDER BY f:timestamp(?s, :p, ?o)",
        f"SELECT (?prsp1 AS ?t) {{ ?s :p ?o FILTER(?prsp1 > 3) {lookup('?prsp1', '?s', ':p', '?o')} }} ORDER BY ?prsp1",
    ),
    "an argument that may be unbound is looked up as what is nowhere": (
        "SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z } FILTER(f:timestamp(?o, :q, ?z) > 7) }",
        (
            f"SELECT ?s ?o ?z {{ ?s :p ?o OPTIONAL {{ ?o :q ?z }} FILTER(?prsp1 > 7) {copied('?prsp1', o='?z')} "
            f"{lookup('?prsp1', '?o', ':q', '?prsp1_o')} }}"
        ),
    ),
    "the filter of an OPTIONAL sees what stands before it, too": (
        "SELECT ?s { ?s :p ?o OPTIONAL { ?o :q ?z FILTER(f:timestamp(?s, :p, ?o) < f:timestamp(?o, :q, ?z)) } }",
        (
            f"SELECT ?s {{ ?s :p ?o {lookup('?prsp1', '?s', ':p', '?o')} "
            f"OPTIONAL {{ ?o :q ?z FILTER(?prsp1 < ?prsp2) {lookup('?prsp2', '?o', ':q', '?z')} }} }}"
        ),
    ),
    "EXISTS has terms for what it shares with its row, and a subquery cannot group by a term": (
        "SELECT ?s { ?s :p ?o FILTER EXISTS { ?o :q ?z FILTER(f:timestamp(?s, :q, ?z) > 9 && f:timestamp(?s, :p, ?o) > 9) } }",
        (
            f"SELECT ?s {{ ?s :p ?o FILTER EXISTS {{ ?o :q ?z FILTER(?prsp1 > 9 && ?prsp2 > 9) "
            f"OPTIONAL {{ {entry('?prsp1', '?s', ':q', '?z')} }} }} {lookup('?prsp2', '?s', ':p', '?o')} }}"
        ),
    ),
    "each group has its own": (
        "SELECT ?s { { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 1) } UNION { } MINUS { ?s :q ?o FILTER(f:timestamp(?s, :q, ?o) > 1) } }",
        (
            f"SELECT ?s {{ {{ ?s :p ?o FILTER(?prsp1 > 1) {lookup('?prsp1', '?s', ':p', '?o')} }} UNION {{ }} "
            f"MINUS {{ ?s :q ?o FILTER(?prsp2 > 1) {lookup('?prsp2', '?s', ':q', '?o')} }} }}"
        ),
    ),
    "groups keep a lookup that depends on their keys": (
        (
            "SELECT ?s (f:timestamp(?s, :p, :b) AS ?t) (MAX(f:timestamp(?s, :p, ?o)) AS ?m) { ?s :p ?o } "
            "GROUP BY ?s HAVING f:timestamp(?s, :p, :b)"
        ),
        (
            f"SELECT ?s (?prsp1 AS ?t) (MAX(?prsp2) AS ?m) {{ ?s :p ?o {lookup('?prsp1', '?s', ':p', ':b')} "
            f"{lookup('?prsp2', '?s', ':p', '?o')} }} GROUP BY ?s ?prsp1 HAVING (?prsp1)"
        ),
    ),
    "a call may be a key": (
        "SELECT ?t { ?s ?p ?o } GROUP BY (f:timestamp(?s, ?p, ?o) AS ?t)",
        f"SELECT ?t {{ ?s ?p ?o {lookup('?prsp1', *PO)} }} GROUP BY (COALESCE(?prsp1) AS ?t)",
    ),
    "a subquery that is all of a WHERE becomes a group in it, and its * does not see lookups": (
        "SELECT (f:timestamp(?s, ?p, ?o) AS ?t) { SELECT * { ?s ?p ?o } VALUES ?v { 1 } }",
        f"SELECT (?prsp1 AS ?t) {{ {{ SELECT ?s ?p ?o ?v {{ ?s ?p ?o }} VALUES ?v {{ 1 }} }} {lookup('?prsp1', *PO)} }}",
    ),
    "GRAPH ?g does not see the graph of times, which a lookup in it does": (
        "SELECT ?g { { GRAPH ?g {?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 1)}} }",
        (
            f"SELECT ?g {{ {{ {{ GRAPH ?g {{?s :p ?o FILTER(?prsp1 > 1) {lookup('?prsp1', '?s', ':p', '?o')} }} "
            f"FILTER(?g != <{TIMES}>) }}}} }}"
        ),
    ),
    "constants need a key all the same": (
        "ASK { FILTER(f:timestamp(:a, :p, 1) > f:timestamp(<http://e/a>, :p, -1)) }",
        (
            f"ASK {{ FILTER(?prsp1 > ?prsp2) BIND(:a AS ?prsp1_s) {lookup('?prsp1', '?prsp1_s', ':p', '1')} "
            f"BIND(<http://e/a> AS ?prsp2_s) {lookup('?prsp2', '?prsp2_s', ':p', '-1')} }}"
        ),
    ),
    "expressions become keys on one line, without their comments": (
        "ASK { ?s ?p ?o FILTER(f:timestamp(?s, IRI(CONCAT('a', # c\n'b'@en)), f:timestamp(?s, ?p, ?o)) > 3) }",
        (
            f"ASK {{ ?s ?p ?o FILTER(?prsp2 > 3) {lookup('?prsp1', *PO)} "
            f"{copied('?prsp2', p=CONCAT, o='?prsp1')} "
            f"{lookup('?prsp2', '?s', '?prsp2_p', '?prsp2_o')} }}"
        ),
    ),
    "the user's own names stay the user's": (
        "SELECT ?prsp1 { ?prsp1 :p ?o FILTER(f:timestamp(?prsp1, :p, ?o) > 1) }",
        f"SELECT ?prsp1 {{ ?prsp1 :p ?o FILTER(?prsp_1 > 1) {lookup('?prsp_1', '?prsp1', ':p', '?o')} }}",
    ),
}


@pytest.mark.parametrize("case", PLACED)
def test_a_lookup_stands_where_its_call_is_evaluated(case: str) -> None:
    query, expected = PLACED[case]
    assert rewritten(query) == expected


def test_lines_stay_where_they_are() -> None:
    text = (
        "SELECT ?s # one\n{ ?s :p ?o # two }\r\n  FILTER(f:timestamp(?s, # three\n    :p,\n ?o) > 1) # four\n"
        "  OPTIONAL { ?o :q ?z # five\n  } # six\n} # seven"
    )
    lines = (PREFIXES + text).split("\n")
    new = parse_rho(PREFIXES + text).text.split("\n")
    assert len(new) == len(lines)
    assert [number for number, (a, b) in enumerate(zip(lines, new, strict=True)) if a != b] == [3, 4, 5, 8]
    assert (new[3].rstrip(), len(new[3])) == ("  FILTER(?prsp1", len(lines[3]))
    assert new[5].index("> 1") == lines[5].index("> 1")
    assert new[8].endswith(" } # seven")


def test_codepoint_escapes_are_kept() -> None:
    text = PREFIXES + "SELECT ?\\u0073 { ?s ?p '\\u00e9', ?o FILTER(f:timestamp(?\\u0073, ?p, ?o) > 1) }"
    assert "?\\u0073 { ?s ?p '\\u00e9', ?o FILTER(?prsp1" in parse_rho(text).text
    assert parse_sparql(parse_rho(text).text)


def test_the_users_text_is_what_is_shown_and_an_engine_is_asked_another() -> None:
    head = "REGISTER QUERY q AS " + PREFIXES
    query = parse_query(head + "SELECT * FROM STREAM :s [RANGE 1s] { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 1) }")
    assert "f:timestamp(?s, :p, ?o)" in query.sparql
    assert "f:timestamp" not in query.rho.text
    assert Feature.NAMED_GRAPHS not in query.features
    added = {Feature.NAMED_GRAPHS, Feature.OPTIONAL, Feature.SUBQUERIES, Feature.AGGREGATES, Feature.GROUP_BY, Feature.EXPRESSIONS}
    assert query.rho.features == query.features | added
    assert (query.rho.times, query.rho.variables, query.rho.sees_blank_nodes) == (frozenset({"http://e/p"}), ("s", "o"), False)
    assert parse_query(head + "SELECT * FROM STREAM :s [RANGE 1s] { ?s :p ?o }").rho.times is None
    refused = parse_query(head + "SELECT * FROM STREAM :s [RANGE 1s] { ?s :p ?o FILTER(f:timestamp(?s) > 1) }")
    assert refused.untimed == "line 2: it takes a subject, a predicate and an object"
    with pytest.raises(ValueError, match="takes a subject"):
        _ = refused.rho


@pytest.mark.parametrize(
    ("calls", "predicates"),
    [
        ("f:timestamp(?s, :p, ?o) > f:timestamp(?s, (<http://e/q>), ?o)", {"http://e/p", "http://e/q"}),
        ("f:timestamp(?s, :p, ?o) > f:timestamp(?s, ?p, ?o)", set()),
        ("f:timestamp(?s, :p, f:timestamp(?s, IF(true, :p, :q), ?o)) > 1", set()),
        ("f:timestamp(?s, 'p', ?o) > 1", set()),
    ],
)
def test_only_triples_of_predicates_that_are_asked_about_need_times(calls: str, predicates: set[str]) -> None:
    assert parse_rho(f"{PREFIXES}ASK {{ ?s ?p ?o FILTER({calls}) }}").times == frozenset(predicates)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("ASK { FILTER(f:timestamp() > 1) }", "takes a subject, a predicate and an object"),
        ("ASK { FILTER(f:timestamp(DISTINCT ?s, ?p, ?o) > 1) }", "takes a subject"),
        ("ASK { GRAPH <urn:prsp:times> { ?s ?p ?o } FILTER(f:timestamp(?s, ?p, ?o) > 1) }", "a name that prsp needs for itself"),
        ("ASK { ?s ?p ?o FILTER(f:timestamp(?s, ?p, EXISTS { ?s :q ?o })) }", "EXISTS cannot stand in its arguments"),
        ("CONSTRUCT WHERE { ?s :p ?o } ORDER BY f:timestamp(?s, :p, ?o)", "no WHERE { … } to look it up in"),
        ("DESCRIBE :a ORDER BY f:timestamp(:a, :p, :b)", "no WHERE"),
        ("SELECT (:b AS ?b) (f:timestamp(?s, :p, ?b) AS ?t) { ?s :p ?o }", "[?]b is computed outside WHERE: compute it with BIND"),
        ("SELECT (:b AS ?b) { ?s :p ?o } ORDER BY f:timestamp(?s, :p, ?b)", "[?]b is computed outside WHERE"),
        ("SELECT ?k { ?s :p ?o } GROUP BY (?o AS ?k) (f:timestamp(?s, :p, ?k) AS ?t)", "[?]k is computed outside WHERE"),
        ("SELECT ?s (f:timestamp(?s, :p, ?x) AS ?t) { ?s :p ?o } VALUES ?x { :b }", "[?]x is given by VALUES behind the query"),
        ("SELECT ?s (f:timestamp(?s, :p, MAX(?o)) AS ?t) { ?s :p ?o } GROUP BY ?s", "grouped variables only"),
        ("SELECT ?s { ?s :p ?o } GROUP BY ?s HAVING (f:timestamp(?s, :p, ?o) > 1)", "grouped variables only"),
        ("SELECT (COUNT(*) AS ?n) (f:timestamp(:a, :p, :b) AS ?t) { ?s :p ?o }", "grouped variables only"),
        ("SELECT * { ?s :p ?o OPTIONAL { ?o :q ?z FILTER(f:timestamp(?s, :p, ?z) > 1) } }", "asked about [?]s from outside"),
        ("SELECT (COUNT(DISTINCT *) AS ?n) { ?s :p ?o FILTER(f:timestamp(?s, :p, ?o) > 1) }", r"COUNT\(DISTINCT \*\)"),
        ("SELECT * { FILTER(f:timestamp(:a, :p, :b) > 1) }", "[*] stands for no variable"),
    ],
)
def test_what_cannot_be_looked_up_is_refused_with_its_line_and_what_to_write(query: str, why: str) -> None:
    with pytest.raises(UnsupportedQuery, match=f"f:timestamp cannot be used like this: .*{why}"):
        parse_rho(PREFIXES + query)


def test_the_query_of_the_documentation_is_looked_up() -> None:
    (block,) = re.findall(r"```sparql\n(.*?)```", (ROOT / "docs" / "queries.md").read_text(encoding="utf-8"), re.DOTALL)
    assert parse_query(block).rho.times == frozenset({"http://example.org/likes"})


@pytest.mark.parametrize("engine", PARSERS)
def test_engines_read_what_comes_out(engine: str) -> None:
    assert [shape for shape in SHAPES if not PARSERS[engine](parse_rho(text_of(shape)).text)] == []


# --- the same meaning, by definition ---


NODES: list[Term] = [IRI("http://e/a"), IRI("http://e/b"), BlankNode("s0_x")]
VALUES: list[Term] = [
    *NODES,
    *(Literal(text, XSD + kind) for text, kind in (("1", "integer"), ("01", "integer"), ("1", "decimal"), ("x", "string"))),
    Literal("x", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en"),
]
World = tuple[Dataset, dict[Triple, int]]


def world(seed: int) -> World:
    """A dataset, and the times of those of its triples that come from streams."""
    chance = random.Random(seed)

    def some(size: int) -> set[Triple]:
        return {(chance.choice(NODES), IRI(f"http://e/{chance.choice('pq')}"), chance.choice(VALUES)) for _ in range(size)}

    static, default, named = some(3), some(12), some(6)
    times = {triple: chance.randrange(20) for triple in sorted(default | named, key=str)}
    return Dataset(frozenset(static | default), {"http://e/b": frozenset(named), "http://e/k": frozenset(static)}), times


def with_graph_of_times(given: World) -> Dataset:
    def entries() -> Iterator[Triple]:
        for number, (triple, time) in enumerate(given[1].items()):
            node = IRI(f"urn:prsp:times:{number}")
            for of, term in zip((*TIMES_OF, TIMES_AT), (*triple, Literal(str(time), XSD + "integer")), strict=True):
                yield node, IRI(of), term

    return Dataset(given[0].default, {**given[0].named, TIMES: frozenset(entries())})


def agree(text: str, given: World) -> bool:
    """Whether there is an answer; fails unless the text and what is made of it have the same."""

    def timestamp(s: Term, p: Term, o: Term) -> Term:
        if (s, p, o) not in given[1]:
            raise ExpressionError("no time")
        return Literal(str(given[1][s, p, o]), XSD + "integer")

    expected = evaluate(text, given[0], functions={TIMESTAMP_FUNCTION: timestamp})
    found = evaluate(parse_rho(text).text, with_graph_of_times(given))
    if not isinstance(expected, Solutions):
        assert found == expected, text
        return bool(expected)
    assert isinstance(found, Solutions)
    assert found.variables == expected.variables
    assert sorted(map(str, found.rows)) == sorted(map(str, expected.rows)), text
    assert found.rows == expected.rows or "ORDER BY" not in text or "GROUP BY" in text
    return any(cell is not None for row in expected.rows for cell in row)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_lookup_means_what_the_call_means(shape: str) -> None:
    answered = [agree(text_of(shape), world(seed)) for seed in range(10)]
    assert any(answered)


class Chance:
    """Random queries with calls anywhere, over few names, so that groups share some."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def query(self) -> str:
        group, pick = self.group(3), self._chance.random()
        if pick < 0.6:
            return f"SELECT * {group}"
        if pick < 0.8:
            return f"SELECT ?a ({self.call()} AS ?t) {group}"
        columns = f"?a ({self.call()} AS ?t) (MAX({self.call()}) AS ?m)"
        return f"SELECT {columns} {group} GROUP BY ?a ?b ?c HAVING (COUNT(*) > 1 || {self.call()} > 3)"

    def variable(self) -> str:
        return self._chance.choice(("?a", "?b", "?c"))

    def call(self) -> str:
        return f"f:timestamp({self.variable()}, {self._chance.choice((':p', ':q'))}, {self._chance.choice((self.variable(), ':b', '1'))})"

    def condition(self, depth: int) -> str:
        pick = self._chance.random()
        if depth and pick < 0.3:
            return f"{self._chance.choice(('', '!'))}EXISTS {self.group(depth - 1)}"
        if pick < 0.45:
            return f"{self.condition(depth)} || !BOUND({self.variable()})"
        return f"{self.call()} {self._chance.choice('<>')} {self._chance.choice((self.call(), '8'))}"

    def triple(self) -> str:
        return f"{self.variable()} {self._chance.choice((':p', ':q'))} {self.variable()}"

    def group(self, depth: int) -> str:
        start = f"{self.triple()} . " if self._chance.random() < 0.8 else ""
        return f"{{ {start}{' '.join(self.element(depth) for _ in range(self._chance.randrange(1, 4)))} }}"

    def element(self, depth: int) -> str:
        pick = self._chance.random()
        if pick < 0.25 or not depth:
            return f"{self.triple()} ."
        if pick < 0.5:
            return f"FILTER({self.condition(depth - 1)})"
        if pick < 0.6:
            return f"BIND({self.call()} AS ?t{self._chance.randrange(10**6)})"
        inner = self.group(depth - 1)
        forms = (
            f"OPTIONAL {inner}",
            f"OPTIONAL {inner}",
            f"{inner} UNION {self.group(depth - 1)}",
            f"MINUS {inner}",
            f"GRAPH {self._chance.choice((':b', '?g'))} {inner}",
            f"{{ SELECT {self._chance.choice(('*', '?a', '?a ?b'))} {inner} }}",
            inner,
        )
        return self._chance.choice(forms)


def test_lookups_mean_what_calls_mean_in_random_queries() -> None:
    done = answered = 0
    for seed in range(300):
        text = PREFIXES + Chance(seed).query()
        try:
            if parse_rho(text).times is None:
                continue
        except (UnsupportedQuery, QuerySyntaxError):
            continue
        done += 1
        answered += agree(text, world(seed))
    assert done > 150 < done + answered, (done, answered)
