"""The plan and the generated source can be read: join orders, indexes, what is pruned."""

import ast
import json

import pytest

from prsp_backends.spectra import Engine, describe
from tests.cli.run import prsp
from tests.random.vocabulary import NS, PREFIXES

STAR = f"{PREFIXES} SELECT ?x ?n {{ ?x :p ?y . ?y :n ?n . ?x a :A FILTER(?n > 3) }}"


def test_the_plan_shows_views_indexes_and_the_order_of_joins_for_each_pattern() -> None:
    plan = describe(STAR).replace(NS, "").replace("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "type")
    assert "view 0: any <type> <A>, indexed by column 0\n" in plan
    assert "view 1: any <p> any, indexed by column 0, by column 1\n" in plan
    assert "view 2: any <n> any, 1 filter, indexed by column 0\n" in plan
    assert "change of ?x <type> <A>: then ?x <p> ?y, ?y <n> ?n\n" in plan
    assert "change of ?y <n> ?n: then ?x <p> ?y, ?x <type> <A>\n" in plan


def test_the_plan_shows_what_is_read_of_each_graph_and_that_the_rest_is_pruned() -> None:
    assert describe(STAR).endswith(
        "summary of the default graph: a line is read when it is\n"
        "  any <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/A>\n"
        "  any <http://e/p> any\n"
        "  any <http://e/n> any\n"
    )
    assert "summary of the default graph: every line is read\n" in describe("SELECT * { ?x ?p ?y . ?y ?q 5 }")


def test_named_windows_are_planned_as_if_they_were_there() -> None:
    plan = describe(f"{PREFIXES} SELECT * {{ GRAPH :g {{ ?x :p ?y }} GRAPH :h {{ ?y :q ?z }} }}")
    assert "view 0 of <http://e/g>: any <http://e/p> any" in plan
    assert "summary of <http://e/h>: a line is read when it is\n  any <http://e/q> any\n" in plan
    assert "summary of each named graph: a line is read" in describe(f"{PREFIXES} SELECT * {{ GRAPH ?g {{ ?x :p ?y }} }}")


def test_a_query_whose_answer_is_not_repeatable_is_said_to_be_evaluated_from_scratch() -> None:
    assert "evaluated from scratch" in describe(f"{PREFIXES} SELECT (NOW() AS ?t) {{ ?x :p ?y }}")
    assert "evaluated from scratch" in describe(f"{PREFIXES} SELECT * {{ ?x :p ?y FILTER EXISTS {{ ?y :t ?t FILTER(?t < NOW()) }} }}")
    assert "evaluated from scratch" not in describe(STAR)


@pytest.mark.parametrize("query", [STAR, f"{PREFIXES} SELECT * {{ ?x :p ?y . ?y :p ?z . ?z :p ?x }}", f"{PREFIXES} ASK {{ :a :p :b }}"])
def test_the_generated_source_is_short_plain_python(query: str) -> None:
    engine = Engine(query)
    shown = describe(query, source=True)
    for matches in engine.matches:
        assert matches.source in shown
        tree = ast.parse(matches.source)
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert len(names) == len(tree.body) == 5 * len(matches.program.views)
        assert {name.partition("_")[0] for name in names} == {"fill", "drop", "insert", "evict", "match"}
        assert max(map(len, matches.source.splitlines())) < 140
        route = ast.parse(matches.route_source[None])
        assert [node.name for node in route.body if isinstance(node, ast.FunctionDef)] == ["route"]


def test_a_delta_plan_reads_like_the_join_it_is() -> None:
    shown = describe(f"{PREFIXES} SELECT ?x ?z {{ ?x :p ?y . ?y :q ?z }}", source=True)
    assert (
        "    for (d0, d1) in delta:\n"
        "        x0 = d0\n"
        "        x1 = d1\n"
        "        for x2 in V1_by_0.get(x1, NONE):\n"
        "            found((x0, x2))\n"
    ) in shown


def test_prsp_explain_shows_the_plan() -> None:
    text = "REGISTER QUERY q AS SELECT ?x FROM STREAM s [RANGE 10s STEP 1s] { ?x <http://e/p> ?y . ?y <http://e/n> 5 }"
    done = prsp("explain", "-", "--backend", "spectra", stdin=text)
    assert done.returncode == 0, done.stderr
    for part in ("spectra", "change of ?x <http://e/p> ?y: then ?y <http://e/n>", "indexed by column 1", "a line is read when it is"):
        assert part in done.stdout
    document = json.loads(prsp("explain", "-", "--backend", "spectra", "--json", stdin=text).stdout)
    assert document["backend"]["plan"].startswith("plan\n")


def test_prsp_explain_says_why_a_query_is_not_incremental() -> None:
    text = "REGISTER QUERY q AS SELECT ?x FROM STREAM s [RANGE 10s STEP 1s] { ?x <http://e/p>+ ?y }"
    assert "is a fixpoint" in prsp("explain", "-", "--backend", "spectra", stdin=text).stdout
    fallback = prsp("explain", "-", "--backend", "spectra", "--option", "fallback=oxigraph", stdin=text).stdout
    assert "evaluated by Oxigraph on the maintained graph" in fallback
