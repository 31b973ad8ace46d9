"""Equality of answers: what must not matter, what must be found."""

import random
from dataclasses import replace
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from prsp.model.equality import Literals, Row, compare_booleans, compare_graphs, compare_solutions
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term

BLANKS = st.integers(0, 4).map(lambda n: BlankNode(f"b{n}"))
GROUND = st.sampled_from([IRI("urn:a"), IRI("urn:b"), Literal("x"), Literal("1", XSD + "integer"), Literal("x", RDF + "langString", "en")])
CELLS: st.SearchStrategy[Term | None] = st.one_of(BLANKS, GROUND, st.none())
ROWS = st.lists(st.tuples(CELLS, CELLS), max_size=8)
P = IRI("urn:p")


def renamed(rows: list[Row], seed: int) -> list[Row]:
    labels = sorted({cell.label for row in rows for cell in row if isinstance(cell, BlankNode)})
    new = [f"n{n}" for n in range(len(labels))]
    random.Random(seed).shuffle(new)
    mapping = dict(zip(labels, new, strict=True))
    return [tuple(BlankNode(mapping[cell.label]) if isinstance(cell, BlankNode) else cell for cell in row) for row in rows]


@given(ROWS, st.integers(0, 1000))
def test_names_of_blank_nodes_and_the_order_of_rows_do_not_matter(rows: list[Row], seed: int) -> None:
    other = renamed(list(rows), seed)
    random.Random(seed).shuffle(other)
    assert compare_solutions((("a", "b"), rows), (("a", "b"), other)) is None


@given(ROWS, st.integers(0, 1000))
def test_columns_may_come_in_any_order(rows: list[Row], seed: int) -> None:
    other = [(b, a) for a, b in renamed(list(rows), seed)]
    assert compare_solutions((("a", "b"), rows), (("b", "a"), other)) is None


@given(ROWS.filter(bool), st.data())
def test_a_dropped_row_is_found(rows: list[Row], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(rows) - 1))
    rest = rows[:number] + rows[number + 1 :]
    lost = compare_solutions((("a", "b"), rows), (("a", "b"), rest))
    assert lost is not None
    assert len(lost.missing) - len(lost.extra) == 1
    gained = compare_solutions((("a", "b"), rest), (("a", "b"), rows))
    assert gained is not None
    assert len(gained.extra) - len(gained.missing) == 1


@given(ROWS.filter(bool), st.data())
def test_an_altered_cell_is_found(rows: list[Row], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(rows) - 1))
    other = [*rows[:number], (rows[number][0], IRI("urn:new")), *rows[number + 1 :]]
    assert compare_solutions((("a", "b"), rows), (("a", "b"), other)) is not None


@given(st.permutations([IRI(f"urn:{n}") for n in range(4)]))
def test_order_matters_when_asked(terms: list[Term]) -> None:
    rows: list[Row] = [(term,) for term in terms]
    in_order = sorted(rows, key=str)
    difference = compare_solutions((("a",), in_order), (("a",), rows), ordered=True)
    assert (difference is None) == (rows == in_order)
    assert compare_solutions((("a",), in_order), (("a",), rows)) is None


def test_blank_nodes_are_matched_over_all_rows() -> None:
    a, b, c = BlankNode("a"), BlankNode("b"), BlankNode("c")
    assert compare_solutions((("x",), [(a,), (a,)]), (("x",), [(a,), (b,)])) is not None
    assert compare_solutions((("x", "y"), [(a, b), (b, c)]), (("x", "y"), [(a, b), (c, b)])) is not None
    assert compare_solutions((("x", "y"), [(a, b), (b, a)]), (("x", "y"), [(b, c), (c, b)])) is None
    ordered = compare_solutions((("x",), [(a,), (b,), (a,)]), (("x",), [(a,), (b,), (b,)]), ordered=True)
    assert ordered is not None


def cycle(labels: str) -> set[tuple[Term, Term, Term]]:
    return {(BlankNode(x), P, BlankNode(y)) for x, y in zip(labels, labels[1:] + labels[0], strict=True)}


def test_symmetric_graphs_that_colours_cannot_tell_apart() -> None:
    assert compare_graphs(cycle("abcdef"), cycle("fbdace")) is None
    two_triangles = cycle("abc") | cycle("def")
    assert compare_graphs(cycle("abcdef"), two_triangles) is not None
    assert compare_graphs(two_triangles, cycle("ace") | cycle("bdf")) is None
    # joined through one node, so that there is one piece on either side and only the search can tell
    hub = BlankNode("hub")
    spokes = {(hub, IRI("urn:q"), BlankNode(x)) for x in "abcdef"}
    assert compare_graphs(cycle("abcdef") | spokes, two_triangles | spokes) is not None
    assert compare_graphs(two_triangles | spokes, cycle("afe") | cycle("bdc") | spokes) is None


SMALL = st.frozensets(st.tuples(BLANKS, st.sampled_from([P, IRI("urn:q")]), BLANKS), max_size=6)


@given(SMALL, SMALL)
def test_small_graphs_agree_with_trying_every_renaming(
    a: frozenset[tuple[Term, Term, Term]], b: frozenset[tuple[Term, Term, Term]]
) -> None:
    nodes: list[Term] = [BlankNode(f"b{n}") for n in range(5)]
    renamings = [dict(zip(nodes, order, strict=True)) for order in permutations(nodes)]
    for other in (b, frozenset((o, p, s) for s, p, o in a)):
        possible = any({(new[s], p, new[o]) for s, p, o in a} == other for new in renamings)
        assert (compare_graphs(a, other) is None) == possible


def test_many_alike_and_long_chains_take_no_search() -> None:
    alike: list[Row] = [(BlankNode(str(n)),) for n in range(5000)]
    assert compare_solutions((("x",), alike), (("x",), alike[::-1])) is None
    assert compare_solutions((("x",), alike), (("x",), alike[1:])) is not None
    star = {(BlankNode("hub"), P, BlankNode(str(n))) for n in range(2000)}
    assert compare_graphs(star, {(BlankNode("centre"), P, o) for _, _, o in star}) is None
    assert compare_graphs(star, {(o, P, s) for s, _, o in star}) is not None
    chain = {(BlankNode(str(n)), P, BlankNode(str(n + 1))) for n in range(200)}
    assert compare_graphs(chain, chain) is None


def number(lexical: str, kind: str) -> Literal:
    return Literal(lexical, XSD + kind)


def by_value(a: Literal, b: Literal) -> str:
    difference = compare_solutions((("x",), [(a,)]), (("x",), [(b,)]), literals=Literals.BY_VALUE)
    return "equal" if difference is None else "datatypes" if difference.only_datatypes else "different"


def test_numbers_by_value() -> None:
    assert by_value(number("1", "integer"), number("01", "integer")) == "equal"
    assert by_value(number("1.50", "decimal"), number("1.5", "decimal")) == "equal"
    assert by_value(number("1", "integer"), number("1.0", "decimal")) == "datatypes"
    assert by_value(number("0.1", "decimal"), number("1.0E-1", "double")) == "datatypes"
    assert by_value(number("1.0000000000000000001", "decimal"), number("1", "decimal")) == "different"
    assert by_value(number("1.00000000001", "double"), number("1", "double")) == "equal"
    assert by_value(number("1.0001", "double"), number("1", "double")) == "different"
    assert by_value(number("3.1", "float"), number("3.0999999", "float")) == "equal"
    assert by_value(number("NaN", "double"), number("NaN", "float")) == "datatypes"
    assert by_value(number("INF", "double"), number("INF", "double")) == "equal"
    assert by_value(number("INF", "double"), number("-INF", "double")) == "different"
    assert by_value(number("one", "integer"), number("1", "integer")) == "different"
    assert by_value(Literal("1"), number("1", "integer")) == "different"


def test_literals_are_exact_unless_asked() -> None:
    for a, b in ((number("1", "integer"), number("01", "integer")), (Literal("x"), Literal("x", RDF + "langString", "en"))):
        assert compare_solutions((("x",), [(a,)]), (("x",), [(b,)])) is not None
    tagged = Literal("x", RDF + "langString", "en-GB")
    assert compare_solutions((("x",), [(tagged,)]), (("x",), [(replace(tagged, language="EN-gb"),)])) is None


def test_booleans_and_variables() -> None:
    assert compare_booleans(True, True) is None
    assert "expected true, got false" in str(compare_booleans(True, False))
    assert "variables differ" in str(compare_solutions((("x",), []), (("y",), [])))


def test_a_difference_reads_well() -> None:
    a, b = IRI("urn:a"), IRI("urn:b")
    difference = compare_solutions((("x", "y"), [(a, None), (a, None)]), (("x", "y"), [(a, None), (b, a)]))
    assert str(difference) == "the rows differ\n  - <urn:a> unbound\n  + <urn:b> <urn:a>"
