"""Answers as bytes: what is right is read in full, what is cut short, wrong or empty is an error."""

import json
import pickle
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prsp.backend.decode import Format, decode, decode_csv, decode_json, decode_ntriples, decode_tsv, decode_xml
from prsp.errors import EngineError
from prsp.model.result import Boolean, Solutions, Triples, encode_term, solutions
from prsp.model.term import IRI, RDF, XSD, BlankNode, Literal, Term
from prsp.parse import parse_rho

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WORD = st.text(string.ascii_letters + "é😀", min_size=1, max_size=5)
LITERALS = st.one_of(
    st.builds(Literal, TEXT),
    st.builds(lambda t: Literal(t, RDF + "langString", "en-gb"), TEXT),
    st.builds(lambda t: Literal(t, XSD + "integer"), TEXT),
)
TERMS: st.SearchStrategy[Term] = st.one_of(
    WORD.map(lambda w: IRI("http://e/" + w)), st.builds(BlankNode, st.sampled_from(["b0", "s0_x"])), LITERALS
)
ROWS = st.lists(st.tuples(st.none() | TERMS, st.none() | TERMS), max_size=4)
RHO = parse_rho("SELECT ?a ?b { ?a ?b ?c }")


def tsv(rows: list[tuple[Term | None, ...]]) -> bytes:
    cells = ["\t".join("" if t is None else str(t).replace("\t", "\\t") for t in row) for row in rows]
    return "".join(f"{line}\n" for line in ["?a\t?b", *cells]).encode()


@given(ROWS)
def test_json_and_tsv_give_back_what_was_written(rows: list[tuple[Term | None, ...]]) -> None:
    written = solutions(("a", "b"), rows)
    for payload, form in ((written.json(), Format.JSON), (tsv(rows), Format.TSV)):
        read = decode(payload, form, RHO, engine="e")
        assert isinstance(read, Solutions)
        assert (read.variables, read.rows(), len(read)) == (("a", "b"), rows, len(rows))
        again = pickle.loads(pickle.dumps(read))
        assert again.rows() == rows


@given(ROWS, st.data())
def test_no_beginning_of_an_answer_is_an_answer(rows: list[tuple[Term | None, ...]], data: st.DataObject) -> None:
    payload = solutions(("a", "b"), rows).json()
    cut = data.draw(st.integers(0, len(payload) - 1))
    with pytest.raises(EngineError, match=r"^e gave no json answer to a SELECT query: "):
        decode(payload[:cut], Format.JSON, RHO, engine="e")


@given(st.lists(st.tuples(WORD, LITERALS), max_size=4))
def test_ntriples_are_written_one_way(pairs: list[tuple[str, Literal]]) -> None:
    lines = [f"<http://e/{word}> <http://e/p> {literal} ." for word, literal in pairs]
    escaped = "".join("".join(c if c.isascii() else f"\\U{ord(c):08X}" for c in line).replace(" <", "\t<") + " # c\r\n" for line in lines)
    read = decode_ntriples(escaped.encode())
    assert sorted(read.payload.decode().split("\n")[:-1]) == sorted(lines)


def xml(body: str, head: str = '<variable name="a"/><variable name="b"/>', start: str = '<?xml version="1.0"?>') -> bytes:
    return f'{start}<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head>{head}</head>{body}</sparql>'.encode()


def test_xml_terms() -> None:
    body = (
        '<results><result><binding name="b"><literal xml:lang="en"> x&#13;\n&lt;</literal></binding>'
        '<binding name="a"><uri>http://e/</uri></binding></result><result><binding name="a"><bnode>b</bnode></binding>'
        f'<binding name="b"><literal datatype="{XSD}integer">01</literal></binding></result><result>'
        '<binding name="a"><literal/></binding><binding name="b"><unbound/></binding></result></results>'
    )
    read = decode_xml(xml(body))
    assert isinstance(read, Solutions)
    assert read.rows() == [
        (IRI("http://e/"), Literal(" x\r\n<", RDF + "langString", "en")),
        (BlankNode("b"), Literal("01", XSD + "integer")),
        (Literal(""), None),
    ]
    assert decode_xml(xml("<boolean>true</boolean>", "")) == Boolean(True)
    cdata = decode_xml(xml('<results><result><binding name="a"><literal><![CDATA[<!DOCTYPE x>]]></literal></binding></result></results>'))
    assert isinstance(cdata, Solutions)
    assert cdata.rows() == [(Literal("<!DOCTYPE x>"), None)]


@pytest.mark.parametrize("start", ["", '<?xml version="1.0"?>', "\n<!-- <sparql> --> <?pi x?>\n", "\ufeff"])
def test_no_entity_is_expanded(start: str) -> None:
    payload = f'{start}<!DOCTYPE sparql [<!ENTITY a "x">]><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/><boolean>&a;</boolean></sparql>'
    with pytest.raises(EngineError, match="document type declaration"):
        decode_xml(payload.encode())


def test_csv_tells_what_it_can() -> None:
    read = decode_csv('a,b\r\nhttp://e/é,"a ""b"",\r\nc"\r\n_:x,\r\nurn:x:y,20\r\n'.encode())
    assert read.rows() == [
        (IRI("http://e/é"), Literal('a "b",\r\nc')),
        (BlankNode("x"), None),
        (IRI("urn:x:y"), Literal("20")),
    ]


def test_tsv_short_forms() -> None:
    read = decode_tsv(b"?a\t?b\r\n-1\t1.5\r\n1e0\ttrue\r\n")
    kinds = [[t.datatype.removeprefix(XSD) for t in row if isinstance(t, Literal)] for row in read.rows()]
    assert kinds == [["integer", "decimal"], ["double", "boolean"]]
    assert decode_tsv(b"\n\n\n").rows() == [(), ()]


def test_what_rdf3x_and_gstore_print() -> None:
    printed = f'<http://e/a> "x y"\n<_:b> "1"^^<{XSD}integer>\nNULL "z"@en\n'.encode()
    read = decode(printed, Format.RDF3X, RHO, engine="rdf3x")
    assert isinstance(read, Solutions)
    assert read.rows() == [
        (IRI("http://e/a"), Literal("x y")),
        (BlankNode("b"), Literal("1", XSD + "integer")),
        (None, Literal("z", RDF + "langString", "en")),
    ]
    for none, form in ((b"<empty result>\n", Format.RDF3X), (b"[empty result]\n", Format.GSTORE)):
        empty = decode(none, form, RHO, engine="e")
        assert isinstance(empty, Solutions)
        assert (empty.variables, empty.rows()) == (("a", "b"), [])
    table = decode(b'?a\t?b\n<http://e/a>\t"x"\n', Format.GSTORE, RHO, engine="e")
    assert isinstance(table, Solutions)
    assert table.rows() == [(IRI("http://e/a"), Literal("x"))]


HEAD = '{"head":{"vars":["a","b"]},"results":{"bindings":[%s]}}'


@pytest.mark.parametrize(
    ("payload", "form", "told"),
    [
        (b"", Format.JSON, "it is empty"),
        (b"[]", Format.JSON, "no 'head'"),
        (b'{"head":{}}', Format.JSON, "no 'results'"),
        (b'{"head":{"vars":"a"},"results":{"bindings":[]}}', Format.JSON, "'vars' is 'a'"),
        (b'{"head":{},"boolean":"true"}', Format.JSON, "'boolean' is 'true'"),
        (b'{"head":{},"boolean":true}', Format.JSON, "it is a truth value"),
        ((HEAD % '{"c":{"type":"uri","value":"x"}}').encode(), Format.JSON, r"solution 1 binds \?c"),
        ((HEAD % '{},{"a":{"type":"iri","value":"x"}}').encode(), Format.JSON, r"solution 2 binds \?a to .* no RDF 1.1 term"),
        ((HEAD % '{"a":{"type":"uri"}}').encode(), Format.JSON, "no RDF 1.1 term"),
        ((HEAD % '{"a":{"type":"literal","value":"x","datatype":1}}').encode(), Format.JSON, "no RDF 1.1 term"),
        ((HEAD % '{"a":{"type":"uri","value":"x","xml:lang":"en"}}').encode(), Format.JSON, "no RDF 1.1 term"),
        (b'{"head":{"vars":["a"]},"results":{"bindings":[]}}', Format.JSON, r"variables \?a where the query projects \?a \?b"),
        (b"[" * 100_000, Format.JSON, "not JSON"),
        (b"<html><body>Bad Gateway</body></html>", Format.XML, "root is html"),
        (xml("<results>")[:-30], Format.XML, "not XML, or cut short"),
        (xml('<results><result><binding name="c"><uri>x</uri></binding></result></results>'), Format.XML, r"binds \?c"),
        (xml('<results><result><binding name="a"><iri>x</iri></binding></result></results>'), Format.XML, "'iri' is no RDF 1.1 term"),
        (xml("<boolean>yes</boolean>"), Format.XML, "'boolean' is 'yes'"),
        (b"?a\t?b\n<x>\t<y>", Format.TSV, "last line is cut short"),
        (b"?a\t?b\n<x>\n", Format.TSV, "solution 1 has 1 values for 2 variables"),
        (b"?a\t?b\nx\t<y>\n", Format.TSV, "solution 1: 'x' is no RDF 1.1 term"),
        (b"a\tb\n", Format.TSV, "names no variables"),
        (b'a,b\r\n"x,y\r\n', Format.CSV, "line 2 is no CSV"),
        (b"a,b\r\nx\r\n", Format.CSV, "has 1 values for 2"),
        (b"", Format.CSV, "it is empty"),
        (b"<http://e/a> <http://e/b>\n", Format.RDF3X, None),
        (b'<http://e/a> "x "y" z"\n', Format.RDF3X, "line 1 is not 2 terms"),
        (b"\xff", Format.TSV, "not UTF-8"),
    ],
)
def test_what_is_no_answer(payload: bytes, form: Format, told: str | None) -> None:
    if told is None:
        assert isinstance(decode(payload, form, RHO, engine="e"), Solutions)
        return
    with pytest.raises(EngineError, match=told):
        decode(payload, form, RHO, engine="e")


@pytest.mark.parametrize(
    "line", ["<a> <b> .", '<a> "p" <c> .', "<a> <b> <c>", '<a> <b> "x\\q" .', '<a> <b> "\\uD800" .', "<a> <b> <c> <d> ."]
)
def test_what_is_no_ntriples(line: str) -> None:
    rho = parse_rho("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }")
    with pytest.raises(EngineError, match="gave no ntriples answer to a CONSTRUCT query"):
        decode(f"<a> <b> <c> .\n{line}\n".encode(), Format.NTRIPLES, rho, engine="e")
    with pytest.raises(EngineError, match="cut short"):
        decode(b"<a> <b> <c> .\n<a> <b> <c", Format.NTRIPLES, rho, engine="e")
    assert decode(b"", Format.NTRIPLES, rho, engine="e") == Triples(b"")


def test_an_answer_without_variables_and_rows_has_those_of_the_query() -> None:
    read = decode(b'{"head":{},"results":{"bindings":[]}}', Format.JSON, RHO, engine="e")
    assert isinstance(read, Solutions)
    assert (read.variables, read.rows()) == (("a", "b"), [])


def test_json_is_not_changed() -> None:
    payload = json.dumps({"head": {"vars": ["a"]}, "results": {"bindings": [{"a": encode_term(IRI("x"))}]}}, indent=2).encode()
    read = decode_json(payload)
    assert isinstance(read, Solutions)
    assert read.json() == payload
