"""Constructs the random queries do not have, each answered as the naive evaluator does on windows that come, change and go."""

import pytest

from tests.spectra.ask import Content, agrees, static

A = ":a :p :b . :b :q :c . :c :r :a . :b :p :c . :a :n 1 . :b :n 2 . :a :m 5 . "
B = ":c :q :a . :c :n 3 . :a :q :b . :d :p :d . :d :n 2 . :b :m 1 . :d :r :a . "
C = "_:x :p :a . _:x :n 7 . :p :p :p . :b :r :b . "
WINDOWS: tuple[Content, ...] = (A, A + B, A + B + C, B + C, A + C, "", B)
GRAPHS: tuple[Content, ...] = (
    {None: A, ":g1": ":a :p :b . :b :n 4 .", ":g2": ""},
    {None: A + B, ":g1": ":b :n 4 . :b :p 3 .", ":g2": ":c :p :d . :a :n 9 ."},
    {None: B, ":g1": "", ":g2": ":a :n 9 . :a :p 0 ."},
)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?x :p ?y FILTER EXISTS { ?y :q ?z FILTER EXISTS { ?z :r ?x } } }",
        "SELECT * { ?x :n ?n FILTER NOT EXISTS { ?x :p ?y FILTER NOT EXISTS { ?y :q ?x } } }",
        "SELECT * { ?x :n ?n FILTER NOT EXISTS { ?x ?p ?y FILTER EXISTS { ?y ?q ?z FILTER NOT EXISTS { ?z ?r ?x FILTER(?n > 1) } } } }",
        "SELECT * { ?x :p ?y . ?x :n ?n FILTER EXISTS { ?y :q ?z FILTER EXISTS { ?z :n ?m FILTER(?m > ?n) } } }",
    ],
)
def test_exists_inside_exists_sees_the_variables_of_both_outsides(query: str) -> None:
    agrees(query, *WINDOWS)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?x :n ?n . ?x :m ?y FILTER EXISTS { { ?x :p ?y } UNION { ?x :q ?z } FILTER(?y > 1) } }",
        "SELECT * { ?x :n ?n OPTIONAL { ?x :m ?y } FILTER EXISTS { { ?x :p ?y } UNION { ?x :q ?z } FILTER(BOUND(?y)) } }",
        "SELECT * { ?x :n ?n FILTER EXISTS { { ?y :m ?k FILTER(?k > ?n) } UNION { ?x :q ?k } } }",
        "SELECT * { ?x :n ?n FILTER EXISTS { ?x :p ?y OPTIONAL { ?y :n ?k FILTER(?k > ?n) } FILTER(!BOUND(?k)) } }",
        "SELECT * { ?x :n ?n FILTER EXISTS { ?x :p ?y OPTIONAL { ?y :m ?n OPTIONAL { ?y :q ?z FILTER(?z = ?x) } } FILTER(!BOUND(?z)) } }",
        "SELECT * { ?x :n ?n FILTER EXISTS { BIND(?n + 1 AS ?k) FILTER(?k > 2) } }",
        "SELECT * { ?x :n ?n OPTIONAL { ?x :p ?y FILTER(?n > 1 || EXISTS { ?y :q ?z FILTER EXISTS { ?z :r ?x } }) } }",
        "SELECT * { ?x :n ?n FILTER EXISTS { SELECT ?x (COUNT(*) AS ?c) { ?x ?p ?y } GROUP BY ?x HAVING (COUNT(*) > 2) } }",
    ],
)
def test_exists_sees_the_outside_where_its_pattern_leaves_a_variable_open(query: str) -> None:
    agrees(query, *WINDOWS)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?x (EXISTS { ?x :p ?y FILTER NOT EXISTS { ?y :q ?z FILTER(?z != ?x) } } AS ?e) { ?x :n ?n }",
        "SELECT ?x (COUNT(?y) AS ?c) { ?x :p ?y } GROUP BY ?x HAVING (EXISTS { ?x :n ?n FILTER(?n > 1) })",
        "SELECT * {{SELECT ?x (SUM(?n) AS ?c) {?x :n ?n} GROUP BY ?x} FILTER EXISTS {SELECT ?x (MAX(?y) AS ?d) {?x :p ?y} GROUP BY ?x}}",
        "SELECT ?e (COUNT(*) AS ?c) { ?x ?p ?o } GROUP BY (EXISTS { ?x :p ?y } AS ?e)",
        "SELECT (SUM(IF(EXISTS { ?x :p ?y }, 1, 0)) AS ?c) { ?x :n ?n }",
    ],
)
def test_exists_outside_where(query: str) -> None:
    agrees(query, *WINDOWS)


def test_exists_in_order_by() -> None:
    agrees("SELECT ?x ?n { ?x :n ?n } ORDER BY EXISTS { ?x :m ?y FILTER(?y > ?n) } ?n STR(?x)", A, A + B, B, ordered=True)


def test_exists_with_a_filter_in_every_named_graph() -> None:
    agrees("SELECT * { GRAPH ?g { SELECT ?x (EXISTS { ?x :p ?y FILTER(?y > 1) } AS ?e) { ?x ?p ?o } } }", *GRAPHS)
    agrees("SELECT * { ?x :n ?n FILTER EXISTS { GRAPH ?g { ?x :n ?k FILTER(?k > ?n) } } }", *GRAPHS)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { VALUES ?x { } ?x :n ?n }",
        "SELECT * { VALUES () { } ?x :n ?n }",
        "SELECT * { VALUES () { () () } ?x :n ?n }",
        "SELECT * { ?x :n ?n OPTIONAL { VALUES ?x { } } }",
        "SELECT * { VALUES ?x { UNDEF UNDEF } ?x :n ?n }",
        "SELECT * { ?x :n ?n VALUES (?x ?k) { (UNDEF 1) (:a 2) (UNDEF UNDEF) (:a 2) } OPTIONAL { ?x :m ?k } }",
        "SELECT ?x (COUNT(*) AS ?c) { ?x :n ?n } GROUP BY ?x VALUES ?x { :a :b :a }",
    ],
)
def test_values_without_rows_without_columns_and_with_holes(query: str) -> None:
    agrees(query, *WINDOWS)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (COUNT(*) AS ?c) (?c + 1 AS ?d) (?d * ?c AS ?e) { ?x :n ?n }",
        "SELECT ?x (SUM(?n) + COUNT(*) AS ?c) (IF(?c > 2, ?x, ?c) AS ?d) { ?x ?p ?n } GROUP BY ?x",
        "SELECT ?k (COUNT(*) AS ?c) (?k + ?c AS ?e) { ?x :n ?n OPTIONAL { ?x :m ?k } } GROUP BY ?k HAVING (?c > 0 || COUNT(*) > 0)",
        "SELECT ?x { ?x :n ?n } GROUP BY ?x HAVING (?c > 0)",
        "SELECT ?z (AVG(?s) AS ?a) (COUNT(?y) AS ?c) { ?z :p ?y { SELECT ?x (SUM(?n) AS ?s) { ?x :n ?n } GROUP BY ?x } } GROUP BY ?z ?x",
    ],
)
def test_a_column_may_use_the_columns_before_it(query: str) -> None:
    agrees(query, *WINDOWS)


@pytest.mark.parametrize(
    "query",
    [
        "CONSTRUCT { _:a_b :of ?x . _:aZb :with ?y . _:aZb :to _:a_b } WHERE { ?x :p ?y }",
        "CONSTRUCT { _:b :of ?x } WHERE { { ?x :p ?y } UNION { ?x :p ?y } }",
        "CONSTRUCT { ?x :l (1 ?n) } WHERE { ?x :n ?n }",
        "CONSTRUCT { } WHERE { ?x :p ?y }",
        "CONSTRUCT WHERE { }",
        "CONSTRUCT WHERE { ?x :p ?y . ?y :q ?z }",
        "CONSTRUCT { ?n :is ?x . ?x ?n ?y . ?x :none ?zz . ?x :ok ?n } WHERE { ?x :n ?n . ?x :p ?y }",
    ],
)
def test_construct_templates(query: str) -> None:
    agrees(query, *WINDOWS)


@pytest.mark.parametrize(
    "query", ["SELECT * { FILTER NOT EXISTS { ?x :r ?y } }", "SELECT * { :a :p :b }", "SELECT * { ?x :p ?y MINUS { ?x :n ?n } }"]
)
def test_all_columns_are_those_in_scope_also_when_there_are_none(query: str) -> None:
    agrees(query, *WINDOWS)


def test_more_patterns_and_filters_than_python_nests() -> None:
    agrees(f"SELECT * {{ {' '.join(f'?a{n} :m ?b{n} .' for n in range(11))} }}", ":a :m 5 .", "", ":b :m 1 .")
    agrees(f"SELECT * {{ {' '.join(f'?a{n} :p ?a{n + 1} .' for n in range(16))} }}", ":a :p :b .", ":a :p :b . :b :p :a .")
    filters = " && ".join(f"?n + {number} != ?m" for number in range(120))
    agrees(f"SELECT * {{ ?x :n ?n . ?x :m ?m FILTER({filters}) }}", ":a :n 9 ; :m 3 .", ":a :n 1 ; :m 3 . :b :n 5 ; :m 5 .")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { GRAPH ?g { } }",
        "SELECT ?g (COUNT(?x) AS ?c) { GRAPH ?g { OPTIONAL { ?x ?p ?y } } } GROUP BY ?g",
        "SELECT * { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?x ?p ?y } } }",
        "SELECT * { GRAPH ?g { ?x :p ?y } GRAPH ?h { ?y ?p ?z } }",
        "SELECT * { GRAPH :g2 { ?x :p? ?y } }",
        "SELECT * { ?s ?p ?o MINUS { GRAPH ?g { ?s ?p ?z } } }",
    ],
)
def test_named_graphs_of_which_some_are_empty_or_static(query: str) -> None:
    agrees(query, *GRAPHS)
    agrees(query, *GRAPHS, given=static({":g2": ":z :p :z .", ":g9": ":y :p :y .", None: ":s :p :t ."}))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?x :n ?n OPTIONAL { ?x :m ?k } OPTIONAL { ?w :m ?k FILTER(?n < 3) } OPTIONAL { ?w :n ?k } }",
        "SELECT * { { SELECT ?x { ?x ?p ?o } } OPTIONAL { { SELECT ?x { ?x ?q ?n } } } }",
        "SELECT * { ?x :n ?n OPTIONAL { ?x :m ?k } MINUS { ?z :p ?q OPTIONAL { ?z :m ?k } } }",
        "SELECT * { ?x :n ?n MINUS { VALUES (?x ?n) { (:a UNDEF) (UNDEF 2) (UNDEF UNDEF) } } }",
        "SELECT * { ?x :p ?y { SELECT ?y { ?y :n ?n } ORDER BY DESC(?n) STR(?y) LIMIT 2 OFFSET 1 } }",
        "SELECT * { { SELECT (MAX(?n) AS ?top) { ?y :n ?n } } ?x :n ?top }",
        "SELECT ?k (COUNT(DISTINCT *) AS ?c) { { ?x :n ?n } UNION { ?x :n ?n } OPTIONAL { ?x :m ?k } } GROUP BY ?k",
    ],
)
def test_unbound_join_variables_and_cut_subqueries(query: str) -> None:
    agrees(query, *WINDOWS[:2], *WINDOWS[3:])
