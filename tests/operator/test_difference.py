"""The operators are their definitions: bags as collections.Counter, triples as sets."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prsp.errors import UnsupportedQuery
from prsp.model.profile import Operator
from prsp.model.query import QueryForm
from prsp.model.result import Boolean, Changes, JsonSolutions, Result, Row, RowSolutions, Solutions, Triples
from prsp.model.term import IRI, XSD, BlankNode, Literal
from prsp.operator import Emitter, emitted, less, refuse_operator

TERMS = st.sampled_from(
    [IRI("http://e/a"), BlankNode("b"), BlankNode("c"), Literal("1"), Literal("1", XSD + "integer"), Literal("01", XSD + "integer"), None]
)
BAGS = st.lists(st.tuples(TERMS, TERMS), max_size=12)
GRAPHS = st.lists(st.integers(0, 6).map(lambda n: f"<http://e/{n}> <http://e/p> <http://e/o> ."), max_size=8)


def answer(rows: list[Row], *, as_json: bool = False) -> Solutions:
    rows_given = RowSolutions(("x", "y"), rows)
    return JsonSolutions(rows_given.json()) if as_json else rows_given


def bag(result: Result) -> Counter[Row]:
    assert isinstance(result, Solutions)
    return Counter(result.rows())


def triples(lines: list[str]) -> Triples:
    return Triples("".join(f"{line}\n" for line in lines).encode())


class Whole:
    """An engine with one answer after another."""

    gives_changes = False

    def __init__(self) -> None:
        self.now: Result = answer([])

    def evaluate(self, *, deadline: float | None = None) -> Result:
        return self.now

    def changes(self, *, deadline: float | None = None) -> Changes:
        raise AssertionError("it was not to be asked")


class Incremental(Whole):
    """The same, but it knows what changed since the last look; a new session begins with the empty answer."""

    gives_changes = True

    def __init__(self) -> None:
        super().__init__()
        self.looked: Counter[Row] = Counter()

    def evaluate(self, *, deadline: float | None = None) -> Result:
        self.looked = bag(self.now)
        return self.now

    def changes(self, *, deadline: float | None = None) -> Changes:
        before, after = self.looked, bag(self.now)
        self.looked = after
        return Changes(answer(list((after - before).elements())), answer(list((before - after).elements())))


@given(BAGS, BAGS, st.booleans())
def test_bag_differences(before: list[Row], after: list[Row], as_json: bool) -> None:
    one, two = answer(before, as_json=as_json), answer(after)
    new, gone = Counter(after) - Counter(before), Counter(before) - Counter(after)
    assert emitted(Operator.RSTREAM, one, two) is two
    assert bag(emitted(Operator.ISTREAM, one, two)) == new
    assert bag(emitted(Operator.DSTREAM, one, two)) == gone
    # Rows keep the engine's order.
    rows = emitted(Operator.ISTREAM, one, two)
    assert isinstance(rows, Solutions)
    rest = iter(after)
    assert all(any(row == other for other in rest) for row in rows.rows())


@given(BAGS)
def test_before_the_first_the_answer_is_empty(after: list[Row]) -> None:
    assert bag(emitted(Operator.ISTREAM, None, answer(after))) == Counter(after)
    assert bag(emitted(Operator.DSTREAM, None, answer(after))) == Counter()


@given(GRAPHS, GRAPHS)
def test_triples_are_a_set(before: list[str], after: list[str]) -> None:
    new, gone = (emitted(op, triples(before), triples(after)) for op in (Operator.ISTREAM, Operator.DSTREAM))
    assert isinstance(new, Triples)
    assert isinstance(gone, Triples)
    assert (set(new.lines()), set(gone.lines())) == (set(after) - set(before), set(before) - set(after))


@given(st.lists(st.tuples(BAGS, st.sampled_from(["ok", "fails", "restart"])), max_size=8), st.booleans())
def test_rstream_is_istream_and_dstream_put_together(history: list[tuple[list[Row], str]], incremental: bool) -> None:
    """Through failures and restarts: an evaluation that failed is none, and a new session is caught up with the last that did not."""
    make = Incremental if incremental else Whole
    emitters = {op: Emitter(op) for op in (Operator.ISTREAM, Operator.DSTREAM)}
    engines: dict[Operator, Whole] = {op: make() for op in emitters}
    fresh, last, rebuilt = True, None, Counter[Row]()
    for rows, event in history:
        if event == "fails":
            engines, fresh = {op: make() for op in emitters}, True
            continue
        if event == "restart":
            engines, fresh = {op: make() for op in emitters}, True
            emitters = {op: Emitter(op) for op in emitters}
        out = {}
        for op, emitter in emitters.items():
            engine = engines[op]
            if last is not None and emitter.must_catch_up(engine, new=fresh):
                engine.now = answer(last)
                emitter.catch_up(engine)
            engine.now = answer(rows)
            out[op] = bag(emitter.emit(engine))
        fresh, last = False, rows
        assert out[Operator.DSTREAM] <= rebuilt
        rebuilt = rebuilt - out[Operator.DSTREAM] + out[Operator.ISTREAM]
        assert rebuilt == Counter(rows)


def test_columns_in_another_order_are_the_same_answer() -> None:
    one, two = IRI("http://e/1"), IRI("http://e/2")
    assert bag(less(RowSolutions(("x", "y"), [(one, two), (two, one)]), RowSolutions(("y", "x"), [(two, one)]))) == {(two, one): 1}


def test_ask_has_no_difference() -> None:
    refuse_operator(Operator.RSTREAM, QueryForm.ASK)
    for operator in (Operator.ISTREAM, Operator.DSTREAM):
        refuse_operator(operator, QueryForm.SELECT)
        with pytest.raises(UnsupportedQuery, match="--operator rstream"):
            refuse_operator(operator, QueryForm.ASK)
    with pytest.raises(UnsupportedQuery):
        less(Boolean(True), Boolean(False))
