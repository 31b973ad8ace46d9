"""Where evaluators go wrong: scope, errors, duplicates, order. Each expectation is the recommendation's."""

from datetime import UTC, datetime

import pytest

from prsp.errors import InputError
from prsp.model.term import IRI, XSD, BlankNode, Literal
from prsp.oracle import Dataset, Solutions, evaluate, read_ntriples
from prsp.oracle.problem import Unsupported
from tests.oracle.ask import PREFIXES, data, rows

INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>"


def one(query: str, dataset: Dataset | None = None) -> tuple[str | None, ...]:
    (row,) = rows(query, dataset)
    return row


def integers(*values: int) -> list[str]:
    return [f'"{value}"^^<integer>' for value in values]


# --- aggregates ---------------------------------------------------------------------------------------------------------


def test_aggregates_of_nothing() -> None:
    found = one(
        "SELECT (COUNT(*) AS ?c) (SUM(?x) AS ?s) (AVG(?x) AS ?a) (MIN(?x) AS ?m) (SAMPLE(?x) AS ?o) (GROUP_CONCAT(?x) AS ?g) { :no :p ?x }"
    )
    assert found == (*integers(0, 0, 0), None, None, '""')
    assert rows("SELECT (COUNT(*) AS ?c) { :no :p ?x } GROUP BY ?x") == []


def test_an_error_inside_an_aggregate() -> None:
    mixed = data(f':a :p "1"{INTEGER}', ":a :p :iri", f':b :p "2"{INTEGER}')
    found = rows("SELECT ?s (SUM(?x) AS ?sum) (COUNT(?x + 1) AS ?n) (SAMPLE(?x + 1) AS ?any) { ?s :p ?x } GROUP BY ?s ORDER BY ?s", mixed)
    assert found == [("<a>", None, *integers(1, 2)), ("<b>", *integers(2, 1, 3))]
    assert one("SELECT (MIN(?x + 1) AS ?m) (AVG(COALESCE(?x + 1, 0)) AS ?a) { :a :p ?x }", mixed) == (None, '"1"^^<decimal>')


def test_min_and_max_of_mixed_terms_follow_order_by() -> None:
    mixed = data(f':a :p "1"{INTEGER}', ":a :p :iri", ":a :p _:b", ':a :p "text"', f':a :p "-5"{INTEGER}')
    assert one("SELECT (MIN(?x) AS ?m) (MAX(?x) AS ?n) { ?a :p ?x }", mixed) == ("_:b", '"text"')
    assert one("SELECT (MIN(?x) AS ?m) { ?a :p ?x FILTER ISNUMERIC(?x) }", mixed) == tuple(integers(-5))


def test_distinct_counts_terms_and_rows() -> None:
    dup = data(f':a :p "1"{INTEGER}', f':b :p "1"{INTEGER}', f':c :p "01"{INTEGER}')
    assert one("SELECT (COUNT(DISTINCT ?x) AS ?n) (SUM(DISTINCT ?x) AS ?s) (COUNT(DISTINCT *) AS ?r) { ?a :p ?x }", dup) == tuple(
        integers(2, 2, 3)
    )


def test_having_and_order_by_use_aggregates_and_columns() -> None:
    many = data(":a :p :x", ":a :p :y", ":b :p :x", ":c :p :x", ":c :p :y", ":c :p :z")
    query = "SELECT ?s (COUNT(?o) AS ?n) { ?s :p ?o } GROUP BY ?s HAVING (COUNT(?o) > 1) ORDER BY DESC(?n)"
    assert rows(query, many) == [("<c>", *integers(3)), ("<a>", *integers(2))]
    assert rows("SELECT ?s { ?s :p ?o } GROUP BY ?s ORDER BY DESC(COUNT(?o)) ?s LIMIT 1", many) == [("<c>",)]


def test_unbound_keys_and_expressions_make_groups() -> None:
    some = data(":a :p :x", ":b :p :y", ":a :q :z")
    query = "SELECT ?z (COUNT(*) AS ?n) { ?s :p ?o OPTIONAL { ?s :q ?z } } GROUP BY ?z ORDER BY ?z"
    assert rows(query, some) == [(None, *integers(1)), ("<z>", *integers(1))]
    assert rows("SELECT ?k (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY (STRLEN(STR(?p)) AS ?k)", some) == [tuple(integers(10, 3))]


# --- scope --------------------------------------------------------------------------------------------------------------


def test_a_filter_in_optional_sees_the_left_side_but_not_from_inside_a_group() -> None:
    prices = data(f':a :price "5"{INTEGER}', f':a :limit "9"{INTEGER}', f':b :price "5"{INTEGER}', f':b :limit "1"{INTEGER}')
    seen = rows("SELECT ?s ?p { ?s :limit ?l OPTIONAL { ?s :price ?p FILTER(?p < ?l) } } ORDER BY ?s", prices)
    assert seen == [("<a>", *integers(5)), ("<b>", None)]
    unseen = rows("SELECT ?s ?p { ?s :limit ?l OPTIONAL { { ?s :price ?p FILTER(?p < ?l) } } } ORDER BY ?s", prices)
    assert unseen == [("<a>", None), ("<b>", None)]


def test_a_filter_holds_for_its_whole_group_wherever_it_stands() -> None:
    assert rows("SELECT ?x { FILTER(?x = :b) ?s :p ?x }", data(":a :p :b", ":a :p :c")) == [("<b>",)]


def test_a_blank_node_reaches_across_a_filter() -> None:
    graph = data(":a :p :m", ":m :q :z", ":a :p :n", ":b :q :w")
    assert rows("SELECT ?y { :a :p _:x FILTER(true) _:x :q ?y }", graph) == [("<z>",)]


def test_bind_ends_a_pattern_and_later_patterns_join_with_it() -> None:
    assert rows("SELECT * { BIND(:b AS ?x) :a :p ?x }", data(":a :p :b", ":a :p :c")) == [("<b>",)]
    assert rows("SELECT ?y { { BIND(?x AS ?y) } ?s :p ?x }", data(":a :p :b")) == [(None,)]


def test_subqueries_are_answered_on_their_own() -> None:
    graph = data(":a :p :b", ":a :p :c", ":b :p :d")
    assert rows("SELECT ?s ?n { ?s :p :d { SELECT (COUNT(*) AS ?n) { ?s :p ?o } } }", graph) == [("<b>", *integers(3))]
    assert rows("SELECT ?s ?o { ?s :p ?o { SELECT ?s { ?s :p ?x } ORDER BY DESC(?s) LIMIT 1 } }", graph) == [("<b>", "<d>")]


def test_values_with_undef_joins_with_anything() -> None:
    graph = data(":a :p :b", ":c :p :d")
    assert sorted(map(str, rows("SELECT ?s ?o { ?s :p ?o } VALUES (?s ?o) { (:a UNDEF) (UNDEF :d) (:a :d) }", graph))) == [
        "('<a>', '<b>')",
        "('<c>', '<d>')",
    ]


# --- negation -----------------------------------------------------------------------------------------------------------


def test_minus_without_a_shared_variable_removes_nothing_and_not_exists_everything() -> None:
    graph = data(":a :p :b")
    assert rows("SELECT * { ?s :p ?o MINUS { ?x :p ?y } }", graph) == [("<a>", "<b>")]
    assert rows("SELECT * { ?s :p ?o FILTER NOT EXISTS { ?x :p ?y } }", graph) == []
    assert rows("SELECT * { ?s :p ?o MINUS { :a :p :b } }", graph) == [("<a>", "<b>")]


def test_a_filter_in_minus_does_not_see_outside_one_in_not_exists_does() -> None:
    graph = data(f':a :p "1"{INTEGER}', f':a :q "1"{INTEGER}', f':b :p "1"{INTEGER}', f':b :q "2"{INTEGER}')
    assert rows("SELECT ?x { ?x :p ?n FILTER NOT EXISTS { ?x :q ?m FILTER(?n = ?m) } }", graph) == [("<b>",)]
    assert len(rows("SELECT ?x { ?x :p ?n MINUS { ?x :q ?m FILTER(?n = ?m) } }", graph)) == 2


def test_exists_replaces_variables_in_filters_paths_and_nested_exists() -> None:
    graph = data(":a :p :b", ":b :p :c", ":c :p :d", ":b :mark :yes")
    assert rows("SELECT ?x { ?x :p :b FILTER EXISTS { ?x :p/:p ?y FILTER EXISTS { ?x :p ?z . ?z :mark ?m FILTER(?x = :a) } } }", graph) == [
        ("<a>",)
    ]
    assert rows("SELECT ?x { ?x :p ?y FILTER EXISTS { VALUES ?x { :b :c } } } ORDER BY ?x", graph) == [("<b>",), ("<c>",)]
    # the subquery's ?y is its own
    assert len(rows("SELECT ?x { ?x :p ?y FILTER EXISTS { SELECT ?x { ?x :p ?q . :b :mark ?y } } }", graph)) == 3


def test_exists_in_select_and_optional_conditions() -> None:
    graph = data(":a :p :b", ":c :p :d", ":b :q :e")
    assert rows("SELECT ?s (EXISTS { ?o :q ?e } AS ?has) { ?s :p ?o } ORDER BY ?s", graph) == [
        ("<a>", '"true"^^<boolean>'),
        ("<c>", '"false"^^<boolean>'),
    ]


# --- paths --------------------------------------------------------------------------------------------------------------


def test_sequences_and_alternatives_count_ways_and_repeats_do_not() -> None:
    diamond = data(":a :p :b", ":a :p :c", ":b :p :d", ":c :p :d", ":a :q :b")
    assert rows("SELECT ?x { :a :p/:p ?x }", diamond) == [("<d>",), ("<d>",)]
    assert rows("SELECT ?x { :a :p|:q ?x } ORDER BY ?x", diamond) == [("<b>",), ("<b>",), ("<c>",)]
    assert rows("SELECT ?x { :a :p+ ?x } ORDER BY ?x", diamond) == [("<b>",), ("<c>",), ("<d>",)]
    assert rows("SELECT ?x { :a (:p/:p)? ?x } ORDER BY ?x", diamond) == [("<a>",), ("<d>",)]
    assert rows("SELECT ?x { :d ^:p/^:p ?x }", diamond) == [("<a>",), ("<a>",)]


def test_zero_steps_match_any_term_given_but_only_nodes_otherwise() -> None:
    graph = data(":a :p :b")
    assert rows("SELECT ?x { :nowhere :p* ?x }", graph) == [("<nowhere>",)]
    assert rows("SELECT ?x { ?x :p* ?x } ORDER BY ?x", graph) == [("<a>",), ("<b>",)]
    assert evaluate(PREFIXES + "ASK { 1 :p? 1 }", graph) is True
    # ?p is bound to a predicate, which is no node of the graph
    assert rows("SELECT ?p { ?s ?p ?o . ?p :p* ?x }", graph) == []


def test_plus_on_a_cycle_comes_back_and_negated_sets_look_both_ways() -> None:
    cycle = data(":a :p :b", ":b :p :a", ":a :q :c")
    assert rows("SELECT ?x { :a :p+ ?x } ORDER BY ?x", cycle) == [("<a>",), ("<b>",)]
    assert rows("SELECT ?x { :a !:p ?x }", cycle) == [("<c>",)]
    assert rows("SELECT ?x { :a !^:q ?x }", cycle) == [("<b>",)]
    assert rows("SELECT ?x { :a !(:q|^:q) ?x }", cycle) == [("<b>",), ("<b>",)]


# --- order, duplicates, forms -------------------------------------------------------------------------------------------


def test_order_by_puts_unbound_blank_iri_literal_and_numbers_by_value() -> None:
    mixed = data(f':a :p "10"{INTEGER}', f':a :p "9.5"^^<{XSD}decimal>', ":a :p :iri", ":a :p _:b", ":a :p2 :x")
    query = "SELECT ?x { { :a :p ?x } UNION { :a :p2 ?z } } ORDER BY "
    expected = [(None,), ("_:b",), ("<iri>",), ('"9.5"^^<decimal>',), ('"10"^^<integer>',)]
    assert rows(query + "?x", mixed) == expected
    assert rows(query + "DESC(?x)", mixed) == expected[::-1]


def test_order_by_several_keys_and_a_slice() -> None:
    graph = data(":a :p :y", ":b :p :x", ":c :p :y", ":d :p :x")
    assert rows("SELECT ?s { ?s :p ?o } ORDER BY ?o DESC(?s) OFFSET 1 LIMIT 2", graph) == [("<b>",), ("<c>",)]


def test_distinct_keeps_the_first_of_each_in_order() -> None:
    graph = data(":a :p :y", ":b :p :x", ":c :p :y")
    assert rows("SELECT DISTINCT ?o { ?s :p ?o } ORDER BY ?s", graph) == [("<y>",), ("<x>",)]


def test_construct_makes_new_blank_nodes_per_solution_and_leaves_out_what_is_no_triple() -> None:
    graph = data(':a :p "x"', ":b :p :c", "_:o1 :p :c")
    made = evaluate(PREFIXES + "CONSTRUCT { ?o :q _:n . _:n :of ?s } { ?s :p ?o }", graph)
    assert isinstance(made, frozenset)
    assert len({o for _, p, o in made if p == IRI("http://e/q")}) == 2
    assert not any(isinstance(s, Literal) for s, _, _ in made)
    assert len({s for s, p, _ in made if p == IRI("http://e/of")} - {BlankNode("o1")}) == 3


def test_describe_follows_blank_nodes() -> None:
    graph = data(":a :p _:b", "_:b :q _:c", "_:c :q _:b", ":x :p :a", "_:b :r :d", ":d :p :e")
    described = evaluate(PREFIXES + "DESCRIBE :a", graph)
    assert isinstance(described, frozenset)
    assert len(described) == 4
    assert evaluate(PREFIXES + "DESCRIBE ?x { ?x :p :e }", graph) == frozenset({(IRI("http://e/d"), IRI("http://e/p"), IRI("http://e/e"))})


def test_named_graphs() -> None:
    g, h = (read_ntriples(f"<http://e/{x}> <http://e/p> <http://e/{x}> .".encode()) for x in "gh")
    dataset = Dataset(frozenset(), {"http://e/g": g, "http://e/h": h})
    assert rows("SELECT ?g ?s { GRAPH ?g { ?s :p ?g } }", dataset) == [("<g>", "<g>"), ("<h>", "<h>")]
    assert rows("SELECT ?s { GRAPH :none { ?s ?p ?o } }", dataset) == []
    assert rows("SELECT ?g { GRAPH ?g {} }", dataset) == [("<g>",), ("<h>",)]
    assert evaluate(PREFIXES + "ASK { GRAPH :none {} }", dataset) is False
    assert rows("SELECT ?g { VALUES ?g { :h } FILTER EXISTS { GRAPH ?g { ?s :p :h } } }", dataset) == [("<h>",)]


# --- functions with state, and refusals ---------------------------------------------------------------------------------


def test_bnode_is_one_per_label_and_solution() -> None:
    graph = data(":a :p :b", ":c :p :d")
    found = rows('SELECT (BNODE("x") AS ?a) (BNODE("x") AS ?b) (BNODE("y") AS ?c) (BNODE() AS ?d) { ?s :p ?o }', graph)
    assert all(row[0] == row[1] and len(set(row)) == 3 for row in found)
    assert not set(found[0]) & set(found[1])


def test_an_evaluation_can_be_repeated() -> None:
    query = "SELECT (RAND() AS ?r) (UUID() AS ?u) (NOW() AS ?n) (NOW() AS ?m) {}"
    moment = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    first, second = (evaluate(query, data(), now=moment) for _ in range(2))
    assert first == second
    assert isinstance(first, Solutions)
    assert first.rows[0][2] == first.rows[0][3] == Literal("2020-01-02T03:04:05Z", XSD + "dateTime")
    assert evaluate(query, data(), now=moment, seed=1) != first


def test_iri_uses_the_base_of_the_query() -> None:
    assert rows('BASE <http://e/x/y> SELECT (IRI("z") AS ?i) {}') == [("<x/z>",)]
    answer = evaluate('SELECT (IRI("z") AS ?i) {}', data(), base="http://e/")
    assert isinstance(answer, Solutions)
    assert answer.rows == [(IRI("http://e/z"),)]


def test_more_functions_can_be_given() -> None:
    answer = evaluate(PREFIXES + 'SELECT (:twice("ab") AS ?v) {}', data(), functions={"http://e/twice": lambda t: Literal(t.lexical * 2)})
    assert isinstance(answer, Solutions)
    assert answer.rows == [(Literal("abab"),)]


@pytest.mark.parametrize("query", ["SELECT * { SERVICE <http://e/s> { ?s ?p ?o } }", "SELECT * FROM <http://e/g> {}"])
def test_what_lies_outside_is_refused(query: str) -> None:
    with pytest.raises(Unsupported):
        evaluate(query, data())


def test_ntriples_with_escapes_comments_and_faults() -> None:
    text = (
        '# c\n<http://e/a> <http://e/p> "t\\t\\u00e9\\U0001F600\\"" . # c\r\n\n_:a.b <http://e/p> "x"@en-GB .\n_:c<http://e/p><http://e/o>.'
    )
    assert read_ntriples(text.encode()) == {
        (IRI("http://e/a"), IRI("http://e/p"), Literal('t\té\U0001f600"')),
        (BlankNode("a.b"), IRI("http://e/p"), Literal("x", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en-GB")),
        (BlankNode("c"), IRI("http://e/p"), IRI("http://e/o")),
    }
    with pytest.raises(InputError, match="line 2"):
        read_ntriples(b"\n<http://e/a> <http://e/p> x .")
