"""Each known deviation of pyoxigraph is still one, and the naive evaluator is right about it."""

import pyoxigraph as ox
import pytest

from prsp.model.result import Result, Solutions, Triples
from prsp.model.snapshot import Contribution, HeldSlice, Snapshot
from prsp.model.static import NO_STATIC_DATA
from tests.random.agree import disagreement
from tests.random.deviations import DEVIATIONS, Deviation
from tests.random.node import fixed, leaf, several
from tests.random.queries import Query, Rows
from tests.random.references import Naive, Oxigraph
from tests.random.vocabulary import NS, PREFIXES, XSD

_SHORT = {
    f'"{text}"^^<{XSD}{datatype}>': text
    for datatype, text in (("boolean", "true"), ("boolean", "false"), ("integer", "0"), ("integer", "1"))
}


def window(turtle: str) -> Snapshot:
    quads = ox.parse(f"PREFIX : <{NS}> {turtle}", ox.RdfFormat.TURTLE)
    lines = b"".join(f"{q.subject} {q.predicate} {q.object} .\n".encode() for q in quads)
    window = Contribution("s", None, 0, 1, (HeldSlice(((1, lines),)),) if lines else ())
    return Snapshot(1, 0, (window, Contribution("t", f"{NS}g1", 0, 1, ())))


def written(answer: Result) -> str:
    if isinstance(answer, Triples):
        return "\n".join(answer.lines())
    assert isinstance(answer, Solutions)
    rows = (" ".join("unbound" if term is None else _short(str(term)) for term in row) for row in answer.rows())
    return "\n".join(sorted(rows))


def _short(text: str) -> str:
    return ":" + text[len(NS) + 1 : -1] if text.startswith(f"<{NS}") else _SHORT.get(text, text)


def is_explained(deviation: Deviation, answer: Result) -> bool:
    """Whether its own minimal case is one it explains."""
    naive = Naive(window(deviation.data), NO_STATIC_DATA)
    query = Query(fixed("@@", leaf(deviation.query), several(" ")), Rows.BAG)
    try:
        wrong = disagreement(query, naive.ask(query.text), answer, naive.ask)
    except SyntaxError as error:  # what it gives is no RDF
        wrong = str(error)
    return wrong is not None and deviation.explains(query.text, deviation.data, wrong)


@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda deviation: deviation.name)
def test_it_still_deviates(deviation: Deviation) -> None:
    text = PREFIXES + deviation.query
    names = [f":{chr(97 + i % 26)}{i}" for i in range(200)] if deviation.sometimes else [":a"]
    windows = [window(deviation.data.replace(":a", name)) for name in names]
    assert written(Naive(windows[0], NO_STATIC_DATA).ask(text)) == deviation.right
    assert deviation.theirs in {written(Oxigraph(window, NO_STATIC_DATA).ask(text)) for window in windows}
    assert deviation.right != deviation.theirs
    assert deviation.may_show(text, deviation.complaint)
    if not deviation.sometimes:
        assert is_explained(deviation, Oxigraph(windows[0], NO_STATIC_DATA).ask(text))
