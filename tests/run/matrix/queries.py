"""Queries that use the whole of SPARQL 1.1, several streams, static and named graphs, count windows, gaps and empty windows."""

from __future__ import annotations

from dataclasses import dataclass

from prsp.model import ContinuousQuery, QueryForm
from prsp.parse import parse_query

A, B = "http://e/a", "http://e/b"
KB, ROOMS = "http://e/kb", "http://e/rooms"
_ONE = f"FROM STREAM <{A}> [RANGE 40ms STEP 20ms]"
_BOTH = f"FROM STREAM <{A}> [RANGE 40ms STEP 20ms] FROM STREAM <{B}> [RANGE 60ms STEP 30ms]"
_NAMED = f"FROM STREAM <{A}> [RANGE 40ms STEP 20ms] FROM NAMED STREAM <{B}> [RANGE 60ms STEP 30ms]"
_STATIC = f"FROM STREAM <{A}> [RANGE 50ms STEP 25ms] FROM <{KB}>"
_GRAPHS = f"FROM STREAM <{A}> [RANGE 50ms STEP 25ms] FROM NAMED <{ROOMS}>"

_TEXTS: dict[str, tuple[str, str]] = {
    # name: (dataset, query with @ where the dataset stands)
    "all": (_ONE, "SELECT ?s ?p ?o @ { ?s ?p ?o }"),
    "star": (_ONE, "SELECT * @ { ?s :temp ?t . ?s :room ?r }"),
    "distinct": (_ONE, "SELECT DISTINCT ?p @ { ?s ?p ?o }"),
    "reduced": (_ONE, "SELECT REDUCED ?r @ { ?s :room ?r . ?s :temp ?t } ORDER BY ?r ?s"),
    "join": (_ONE, "SELECT ?s ?t ?r @ { ?s :temp ?t . ?s :room ?r }"),
    "self-join": (_ONE, "SELECT ?x ?y @ { ?x :room ?r . ?y :room ?r . FILTER(?x != ?y) }"),
    "triangle": (_ONE, "SELECT ?x ?y ?z @ { ?x :near ?y . ?y :near ?z . ?z :near ?x }"),
    "product": (_ONE, "SELECT ?x ?y @ { ?x :temp 3 . ?y :room :r1 }"),
    "filter": (_ONE, "SELECT ?s ?t @ { ?s :temp ?t FILTER(?t > 3 && ?t < 9) }"),
    "regex": (_ONE, 'SELECT ?s ?n @ { ?s :name ?n FILTER(REGEX(STR(?n), "^s[1-4]", "i")) }'),
    "functions": (_ONE, "SELECT ?s (STRLEN(?n) AS ?l) (UCASE(?n) AS ?u) (ABS(?t - 5) AS ?d) @ { ?s :name ?n ; :temp ?t }"),
    "if-coalesce": (_ONE, 'SELECT ?s (IF(?t > 5, "hot", "cold") AS ?w) (COALESCE(?x, ?t) AS ?c) @ { ?s :temp ?t }'),
    "languages": (_ONE, 'SELECT ?s ?n @ { ?s :name ?n FILTER(LANGMATCHES(LANG(?n), "en")) }'),
    "datatypes": (_ONE, "SELECT ?s (DATATYPE(?t) AS ?d) @ { ?s :temp ?t }"),
    "bind": (_ONE, "SELECT ?s ?f @ { ?s :temp ?t BIND(?t * 2 + 1 AS ?f) }"),
    "values": (_ONE, "SELECT ?s ?r @ { VALUES (?r ?k) { (:r1 1) (:r2 UNDEF) } ?s :room ?r }"),
    "union": (_ONE, "SELECT ?s ?v @ { { ?s :temp ?v } UNION { ?s :room ?v } UNION { ?s :temp ?v } }"),
    "optional": (_ONE, "SELECT ?s ?t ?r @ { ?s :temp ?t OPTIONAL { ?s :room ?r } }"),
    "optional-filter": (_ONE, "SELECT ?s ?t ?u @ { ?s :room ?r OPTIONAL { ?s :temp ?t . BIND(?t AS ?u) FILTER(?t > 4) } }"),
    "optional-nested": (_ONE, "SELECT ?s ?r ?y ?n @ { ?s :room ?r OPTIONAL { ?s :near ?y OPTIONAL { ?y :name ?n } } }"),
    "minus": (_ONE, "SELECT ?s @ { ?s :room ?r MINUS { ?s :temp ?t } }"),
    "exists": (_ONE, "SELECT ?s @ { ?s :room ?r FILTER EXISTS { ?s :temp ?t FILTER(?t > 2) } }"),
    "not-exists": (_ONE, "SELECT ?s @ { ?s :temp ?t FILTER NOT EXISTS { ?s :room ?r } }"),
    "count": (_ONE, "SELECT (COUNT(*) AS ?n) @ { ?s :temp ?t }"),
    "group": (_ONE, "SELECT ?r (COUNT(?s) AS ?n) (SUM(?t) AS ?sum) @ { ?s :room ?r ; :temp ?t } GROUP BY ?r"),
    "average": (_ONE, "SELECT ?r (AVG(?t) AS ?mean) @ { ?s :room ?r ; :temp ?t } GROUP BY ?r"),
    "min-max": (_ONE, "SELECT ?r (MIN(?t) AS ?lo) (MAX(?t) AS ?hi) @ { ?s :room ?r ; :temp ?t } GROUP BY ?r HAVING (COUNT(*) > 1)"),
    "count-distinct": (_ONE, "SELECT (COUNT(DISTINCT ?r) AS ?n) @ { ?s :room ?r }"),
    "subquery": (_ONE, "SELECT ?s ?t @ { { SELECT (MAX(?u) AS ?t) { ?x :temp ?u } } ?s :temp ?t }"),
    "subquery-limit": (_ONE, "SELECT ?s ?r @ { { SELECT ?s { ?s :temp ?t } ORDER BY DESC(?t) ?s LIMIT 2 } OPTIONAL { ?s :room ?r } }"),
    "order": (_ONE, "SELECT ?s ?t @ { ?s :temp ?t } ORDER BY DESC(?t) ?s LIMIT 3 OFFSET 1"),
    "path-sequence": (_ONE, "SELECT ?x ?n @ { ?x :near/:name ?n }"),
    "path-inverse": (_ONE, "SELECT ?x ?y @ { ?x ^:near ?y }"),
    "path-plus": (_ONE, "SELECT ?x ?y @ { ?x :near+ ?y }"),
    "path-negated": (_ONE, "SELECT ?s ?o @ { ?s !(:temp|:name) ?o }"),
    "ask": (_ONE, "ASK @ { ?s :temp ?t FILTER(?t > 8) }"),
    "construct": (_ONE, "CONSTRUCT { ?s :warm ?t . ?r :has ?s } @ { ?s :temp ?t ; :room ?r }"),
    "blank": (_ONE, "SELECT ?b ?o @ { ?b :made ?o }"),
    "construct-blank": (_ONE, "CONSTRUCT { [] :of ?s ; :was ?t } @ { ?s :temp ?t }"),
    "describe": (_ONE, "DESCRIBE :s1 @"),
    "two-streams": (_BOTH, "SELECT ?s ?t ?w @ { ?s :temp ?t . ?s :wet ?w }"),
    "two-streams-union": (_BOTH, "SELECT ?s ?v @ { { ?s :temp ?v } UNION { ?s :wet ?v } }"),
    "named-stream": (_NAMED, f"SELECT ?s ?t ?w @ {{ ?s :temp ?t GRAPH <{B}> {{ ?s :wet ?w }} }}"),
    "named-variable": (_NAMED, "SELECT ?g ?s ?w @ { GRAPH ?g { ?s :wet ?w } }"),
    "static": (_STATIC, "SELECT ?s ?t ?k @ { ?s :temp ?t . ?s :kind ?k }"),
    "static-optional": (_STATIC, "SELECT ?s ?t ?k @ { ?s :temp ?t OPTIONAL { ?s :kind ?k } }"),
    "static-named": (_GRAPHS, f"SELECT ?s ?r ?f @ {{ ?s :room ?r GRAPH <{ROOMS}> {{ ?r :floor ?f }} }}"),
    "count-window": (f"FROM STREAM <{A}> [RANGE TRIPLES 12 STEP 8]", "SELECT ?s ?t @ { ?s :temp ?t }"),
    "batches": (f"FROM STREAM <{A}> [RANGE TRIPLES 10]", "SELECT ?p (COUNT(*) AS ?n) @ { ?s ?p ?o } GROUP BY ?p"),
    "gaps": (f"FROM STREAM <{A}> [RANGE 15ms STEP 35ms]", "SELECT ?s ?t @ { ?s :temp ?t }"),
    "tumbling": (f"FROM STREAM <{A}> [RANGE 25ms TUMBLING]", "SELECT ?s ?t @ { ?s :temp ?t }"),
    "timestamp": (_ONE, "SELECT ?s ?t (f:timestamp(?s, :temp, ?t) AS ?at) @ { ?s :temp ?t }"),
    "every": (_ONE, "SELECT ?s ?t @ { ?s :temp ?t }"),
}
_PREFIXES = "PREFIX : <http://e/> PREFIX f: <http://larkc.eu/csparql/sparql/jena/ext#> "


@dataclass(frozen=True, slots=True)
class Asked:
    """A query of the matrix."""

    name: str
    query: ContinuousQuery

    @property
    def is_ordered(self) -> bool:
        """Whether the order of its rows is fixed; of Rstream alone."""
        return self.name == "order"

    @property
    def shows_blank_nodes(self) -> bool:
        """Whether blank nodes stand in its answers."""
        return self.name in ("all", "blank", "construct-blank", "path-negated")

    @property
    def may_leave_out(self) -> bool:
        """Whether duplicates may be left out."""
        return self.name == "reduced"

    @property
    def has_no_difference(self) -> bool:
        """Whether the answer is a truth value."""
        return self.query.form is QueryForm.ASK


def _asked(name: str) -> Asked:
    dataset, text = _TEXTS[name]
    every = "COMPUTED EVERY 15ms " if name == "every" else ""
    return Asked(name, parse_query(f"REGISTER QUERY {name} {every}AS {_PREFIXES}{text.replace('@', dataset)}"))


QUERIES = {name: _asked(name) for name in _TEXTS}
