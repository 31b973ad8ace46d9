"""ρ(Q) is the user's text with blanks in it, character for character."""

from hypothesis import given
from hypothesis import strategies as st

from prsp.parse import parse_query
from prsp.parse.rho import rho, tidy
from tests.parse.test_golden import QUERIES

LINE_BREAKS = "\r\n"


def assert_only_blanked(text: str, result: str) -> None:
    assert len(result) == len(text)
    for mine, given_ in zip(result, text, strict=True):
        assert mine == given_ or (mine == " " and given_ not in LINE_BREAKS)


def test_every_golden_query_keeps_its_lines_and_columns() -> None:
    for path in QUERIES:
        text = path.read_text(encoding="utf-8")
        assert_only_blanked(text, parse_query(text).sparql)


@given(st.text(), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 10)), max_size=1))
def test_rho_blanks_spans_and_nothing_else(text: str, spans: list[tuple[int, int]]) -> None:
    cut = [(min(start, len(text)), min(start + length, len(text))) for start, length in spans]
    result = rho(text, cut)
    assert_only_blanked(text, result)
    for start, end in cut:
        assert not result[start:end].strip(" \r\n")
        assert result[:start] == text[:start]
        assert result[end:] == text[end:]


def test_all_dataset_clauses_go_and_all_else_stays() -> None:
    text = (
        "# first\nREGISTER QUERY q AS # second\nSELECT ?s # FROM STREAM stays in a comment\n"
        "FROM STREAM <http://e/s> # third\n  [RANGE 5s # fourth ]\n STEP 1s]\nFROM <http://e/a>\n\tFROM NAMED <http://e/b>\n"
        "WHERE { ?s ?p 'FROM STREAM <x> [RANGE 5s]' }\n"
    )
    assert parse_query(text).sparql.split("\n") == [
        "# first",
        "                    # second",
        "SELECT ?s # FROM STREAM stays in a comment",
        "                                ",
        "                      ",
        "         ",
        "                 ",
        "\t                       ",
        "WHERE { ?s ?p 'FROM STREAM <x> [RANGE 5s]' }",
        "",
    ]


def test_codepoint_escapes_are_kept_and_do_not_move_the_blanks() -> None:
    text = "REGISTER QUERY \\u0071 AS SELECT ?\\u0073 FROM STREAM <http://e/\\u00E9> [RANGE 5s] WHERE { ?s ?p 'caf\\u00E9' }"
    query = parse_query(text)
    assert (query.registration.name, query.stream, query.variables) == ("q", "http://e/é", ("s",))
    assert_only_blanked(text, query.sparql)
    assert query.sparql.split() == ["SELECT", "?\\u0073", "WHERE", "{", "?s", "?p", "'caf\\u00E9'", "}"]


def test_escapes_in_a_comment_are_no_escapes() -> None:
    query = parse_query("# C:\\users\\uDEAD \\u000A\nREGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] { ?s <http://e/#\\u00E9> ?o }")
    assert query.sparql.startswith("# C:\\users\\uDEAD \\u000A\n")


def test_a_byte_order_mark_is_a_blank() -> None:
    assert parse_query("\ufeffREGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] {}").sparql.split() == ["ASK", "{}"]


def test_tidy_leaves_strings_alone() -> None:
    string = '''"""x # y\n\n  z  \n"""'''
    assert tidy(f"  \n\nASK   \r\n \t\n{{ ?s ?p {string}  # note  \n, 'a\u2028b\x0cc' }}  \n\n") == (
        f"ASK\n{{ ?s ?p {string}  # note\n, 'a\u2028b\x0cc' }}"
    )
