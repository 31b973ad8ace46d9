"""The random cases are what they claim: repeatable, varied, quick to make, and mostly with an answer."""

import re
import time

import pytest

from prsp.parse import parse_rho
from tests.random.agree import is_empty
from tests.random.case import Case, case, cuts
from tests.random.reduce import minimise
from tests.random.references import Oxigraph
from tests.random.vocabulary import Flavour

CONSTRUCTS = r"""OPTIONAL|UNION|MINUS|FILTER|NOT\ EXISTS|BIND|VALUES|UNDEF|DISTINCT|REDUCED|GROUP\ BY|HAVING|ORDER\ BY|DESC|LIMIT|OFFSET
|GRAPH|\{\ SELECT|ASK|CONSTRUCT|_:new|COUNT|SUM|AVG|MIN|MAX|SAMPLE|GROUP_CONCAT|COUNT\(\*\)|\?pred|:p/:q|:p\?|\^:p|!\(|IN\ \(|NOT\ IN|BOUND
|IF\(|COALESCE|STRLEN|SUBSTR|UCASE|STRSTARTS|CONTAINS|STRBEFORE|REPLACE|REGEX|CONCAT|LANGMATCHES|LANG\(|DATATYPE|STRLANG|IRI\(|isBlank|isNumeric
|SAMETERM|ABS|CEIL|FLOOR|ROUND|YEAR|SECONDS|MD5|SHA256|ENCODE_FOR_URI|xsd:integer\(|xsd:double\(|xsd:dateTime\(|xsd:boolean\(|NaN|INF|&&|\|\||/"""


def _some(count: int) -> list[Case]:
    return [case(seed, flavour) for seed in range(count) for flavour in Flavour]


def test_a_case_is_the_same_each_time() -> None:
    assert str(case(17, Flavour.MIXED)) == str(case(17, Flavour.MIXED)) != str(case(17, Flavour.TYPED))


def test_every_construct_occurs() -> None:
    texts = " ".join(made.query.text for made in _some(2_000))
    wanted = re.split(r"(?<!\\)\|", CONSTRUCTS)
    assert [piece for piece in wanted if not re.search(piece.strip(), texts, re.VERBOSE)] == []


def test_every_query_is_one() -> None:
    for made in _some(150):
        assert parse_rho(made.query.text).text == made.query.text


def test_at_least_half_have_an_answer() -> None:
    made = _some(400)
    answered = sum(any(not is_empty(Oxigraph(s, c.static).ask(c.query.text)) for s in c.snapshots()) for c in made)
    assert answered >= len(made) / 2


def test_they_are_quick_to_make() -> None:
    started = time.process_time()
    made = _some(300)
    assert len(made) / (time.process_time() - started) > 300


def test_the_windows_hold_what_makes_them_hard() -> None:
    made = _some(300)
    occurrences = [o for c in made for o in c.windows.occurrences]
    assert any(b"_:s0_" in o.lines for o in occurrences)
    assert any(o.lines.count(b"\n") > 1 for o in occurrences), "graph events"
    late = [c for c in made if any(a.enters > b.enters and a.time < b.time for a in c.windows.occurrences for b in c.windows.occurrences)]
    twice = [c for c in made if len({(o.graph, o.lines) for o in c.windows.occurrences}) < len(c.windows.occurrences)]
    assert len(late) > 50
    assert len(twice) > 50


@pytest.mark.parametrize("word", ["OPTIONAL", "UNION"])
def test_a_case_can_be_made_small(word: str) -> None:
    whole = next(c for c in _some(300) if word in c.query.text and len(c.windows.occurrences) > 5)
    small = minimise(whole, lambda cut: word in cut.query.text)
    assert word in small.query.text
    assert small.windows.occurrences == ()
    assert len(small.query.text) < len(whole.query.text)
    assert not any(word in cut.query.text for cut in cuts(small))
