"""Refusals: where, what was found, what could stand there, and what was probably meant."""

import pytest

from prsp.errors import QuerySyntaxError
from prsp.parse import parse_query

STREAM = "FROM STREAM <http://e/s> [RANGE 5s STEP 1s]"


def error_of(text: str) -> QuerySyntaxError:
    with pytest.raises(QuerySyntaxError) as caught:
        parse_query(text)
    return caught.value


def windowed(window: str) -> str:
    return f"REGISTER QUERY q AS SELECT ?s FROM STREAM <http://e/s> {window} WHERE {{ ?s ?p ?o }}"


def bodied(head: str, body: str, tail: str = "") -> str:
    return f"REGISTER QUERY q AS {head} {STREAM} {body} {tail}"


def test_the_whole_message() -> None:
    error = error_of("REGISTER QUERY q AS\nSELECT ?s\n\tFROM STREAM <http://e/s> [RANGE 5s STEPP 4s]\nWHERE { ?s ?p ?o }")
    assert str(error) == (
        "line 3, column 37: did not expect 'STEPP' here\n"
        "  \tFROM STREAM <http://e/s> [RANGE 5s STEPP 4s]\n"
        "  \t                                   ^\n"
        "expected ']', STEP or TUMBLING\n"
        "did you mean STEP?"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT ?s WHERE { ?s ?p ?o }", "plain SPARQL"),
        (f"SELECT ?s {STREAM} WHERE {{ ?s ?p ?o }}", "lacks a registration"),
        ("REGISTER QUERY q AS SELECT ?s WHERE { ?s ?p ?o }", "reads no stream"),
        ("REGISTER QUERY AS SELECT ?s WHERE { ?s ?p ?o }", "no name"),
        ("", "ends too early"),
        (windowed("[RANGE 0s STEP 1s]"), "zero"),
        (windowed("[RANGE 5s STEP 0s]"), "zero"),
        (windowed("[RANGE -5s STEP 1s]"), "negative"),
        (windowed("[RANGE 5s STEP -1ms]"), "negative"),
        (windowed("[RANGE 99999999999999999d STEP 1s]"), "too long"),
        (windowed(f"[RANGE {'9' * 50}s STEP 1s]"), "too long"),
        (windowed("[RANGE 9223372036854775808ms]"), "too long"),
        (windowed("[RANGE 5 STEP 1s]"), "a unit is missing before 'STEP'"),
        (windowed("[RANGE 5]"), "a unit is missing before ']'"),
        (windowed("[RANGE 5w]"), "unknown unit 'w'"),
        (windowed("[RANGE 5sec]"), "unknown unit 'sec'"),
        (windowed("[RANGE 1.5s]"), "not a whole number"),
        (windowed("[RANGE PT0S]"), "zero"),
        (windowed("[RANGE -PT5S]"), "negative"),
        (windowed("[RANGE P1M]"), "no fixed length"),
        (windowed("[RANGE PT]"), "not an ISO 8601 duration"),
        (windowed("[RANGE PT0.0001S]"), "not a whole number of milliseconds"),
        (windowed("[RANGE TRIPLES 0]"), "1 or more"),
        (windowed("[RANGE TRIPLES 5 STEP 0]"), "1 or more"),
        (windowed("[RANGE TRIPLES -3]"), "1 or more"),
        (windowed("[RANGE TRIPLES 1.5]"), "1 or more"),
        (windowed("[RANGE 5s] FROM STREAM <http://e/s> [RANGE 5000ms]"), "twice with the same window"),
        (windowed("[RANGE 5s]").replace("FROM", "FROM NAMED STREAM <http://e/s> [RANGE 9s] FROM NAMED"), "NAMED twice"),
        (windowed("[RANGE 5s]").replace("FROM", "FROM NAMED <http://e/s> FROM NAMED"), "both a named graph and a named stream"),
        (windowed("[RANGE 5s]").replace("STREAM <http://e/s>", "NAMED STREAM s"), "bare word"),
        (bodied("SELECT ?s", "{ ?s ex:p ?o }"), "prefix 'ex:' is not declared"),
        (bodied("SELECT ?s", "{ ?s <p> ?o }"), "relative IRI"),
        (bodied("SELECT ?s", "{ ?s ?p 'x }"), "does not end"),
        (bodied("SELECT ?s", "{ ?s ?p <http://e/a b> }"), "not an IRI"),
        (bodied("SELECT ?o", "{ ?s ?p ?o }", "GROUP BY ?s"), "neither grouped nor aggregated"),
        (bodied("SELECT (?o + 1 AS ?x) (COUNT(*) AS ?n)", "{ ?s ?p ?o }"), "neither grouped nor aggregated"),
        (bodied("SELECT *", "{ ?s ?p ?o }", "GROUP BY ?s"), "SELECT *"),
        (bodied("SELECT (1 AS ?s)", "{ ?s ?p ?o }"), "AS needs a new variable"),
        (bodied("SELECT (1 AS ?x) (2 AS ?x)", "{ ?s ?p ?o }"), "AS needs a new variable"),
        (bodied("SELECT ?s", "{ ?s ?p ?o BIND(1 AS ?o) }"), "AS needs a new variable"),
        (bodied("SELECT ?k", "{ ?s ?p ?o }", "GROUP BY (?p AS ?s)"), "AS needs a new variable"),
        (bodied("SELECT ?s", "{ ?s ?p ?o FILTER(COUNT(?o) > 1) }"), "may not stand in WHERE"),
        (bodied("SELECT (SUM(COUNT(?o)) AS ?n)", "{ ?s ?p ?o }"), "inside another aggregate"),
        (bodied("SELECT ?s", "{ _:a ?p ?s OPTIONAL { _:a ?q ?s } }"), "two different patterns"),
        (bodied("SELECT ?s", "{ ?s ?p ?o } LIMIT " + "9" * 5000), "too large"),
        (windowed("[RANGE TRIPLES 99999999999999999999]"), "too large"),
        (windowed("[RANGE 10 TRIPLES]"), "TRIPLES stands before the number"),
        (windowed("[RANGE PT1.0000000000000000000000000001S]"), "not a whole number of milliseconds"),
        (windowed("[RANGE 5s]\u00a0"), "U+00A0 (NO-BREAK SPACE)"),
        (windowed("[RANGE 5s]").replace("<http://e/s>", "<>"), "a stream needs a name"),
        (windowed("[RANGE 5s]").replace("FROM STREAM <http://e/s>", "FROM NAMED STREAM <s>"), "relative IRI"),
        (bodied("CONSTRUCT { ?s ?p ?o }", "{ ?s ?p ?o }", "GROUP BY (1 AS ?s)"), "AS needs a new variable"),
        (bodied("SELECT (1 AS ?x)", "{ ?s ?p ?o }", "HAVING EXISTS { ?s ?p ?o FILTER(COUNT(?o) > 1) }"), "may not stand in WHERE"),
        (bodied("SELECT ?z", "{ ?z ?p ?o }", "GROUP BY COUNT(?z)"), "may not stand in WHERE or GROUP BY"),
        (bodied("SELECT ?s", "{ ?s ?p ?o VALUES (?a ?b) { (1) } }"), "2 variables, but its row 1 has 1 values"),
        (bodied("SELECT ?s", "{ ?s ?p '\\uD800' }"), "not a character"),
        (bodied("SELECT ?s", "{ ?s ?p '\ud800' }"), "half a surrogate pair"),
    ],
)
def test_refused(text: str, message: str) -> None:
    assert message in error_of(text).message


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        (bodied("SELCT ?s", "{ ?s ?p ?o }"), "SELECT"),
        (bodied("SELECT ?s", "{ ?s ?p ?o FLITER(?o > 1) }"), "FILTER"),
        (bodied("SELECT ?s", "{ ?s ?p ?o FILTER(REGXE(?o, 'a')) }"), "REGEX"),
        (bodied("SELECT ?s", "{ ?s ?p ?o } ODER BY ?s"), "ORDER"),
        (windowed("[RNAGE 5s]"), "RANGE"),
        (windowed("[RANGE 5s TUMBLNG]"), "TUMBLING"),
        ("REGISTR QUERY q AS SELECT * FROM STREAM s [RANGE 1s] {}", "REGISTER"),
        ("REGISTER QUERY q COMPUTE EVERY 1s AS SELECT * FROM STREAM s [RANGE 1s] {}", "COMPUTED"),
        ("REGISTER QUERY q AS SELECT * FORM STREAM s [RANGE 1s] {}", "FROM"),
    ],
)
def test_suggested(text: str, suggestion: str) -> None:
    assert error_of(text).hint == f"did you mean {suggestion}?"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (bodied("SELECT ?s", "{ ?s ?p ?o FILTER(?o<5&&?o>3) }"), "put a blank after <"),
        (bodied("SELECT ?s", "{ ?s ?p 'a\\qb' }"), "a backslash in a string"),
        (bodied("SELECT ?s", "{ ?s ?p ?o FILTER ?o > 5 }"), "FILTER(…)"),
        (bodied("SELECT ?s", "{ ?s ?p ?o } ORDER BY DESC ?s"), "DESC(…)"),
        (bodied("SELECT ?s COUNT(?o)", "{ ?s ?p ?o }"), "(… AS ?name)"),
        ("REGISTER QUERY q AS ASK FROM STREAM http://e/s [RANGE 1s] {}", "write an IRI as <…>"),
    ],
)
def test_hinted(text: str, hint: str) -> None:
    assert hint in (error_of(text).hint or "")


def test_the_missing_bracket_is_named_first() -> None:
    assert error_of("REGISTER QUERY q AS ASK FROM STREAM s [RANGE 1s] { ?a ?b ?c").expected[0] == "'}'"


def test_the_place_is_in_the_users_own_text_behind_escapes_and_line_ends() -> None:
    error = error_of("REGISTER QUERY \\u0071 AS\r\nSELECT ?\\u0073 ?t FORM STREAM s [RANGE 1s] {}")
    assert (error.line, error.column) == (2, 19)
    assert error.source_line == "SELECT ?\\u0073 ?t FORM STREAM s [RANGE 1s] {}"


def test_the_place_of_half_a_surrogate_pair() -> None:
    error = error_of("REGISTER QUERY q\nAS \ud800")
    assert (error.line, error.column) == (2, 4)
