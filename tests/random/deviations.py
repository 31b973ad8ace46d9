"""Where pyoxigraph answers otherwise than SPARQL 1.1: each with its reason and a minimal case. New and stale entries fail."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.random.vocabulary import PREFIXES


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing pyoxigraph does in its own way, and the queries in which it can show."""

    name: str
    section: str
    """Of the SPARQL 1.1 Query Language recommendation."""
    reason: str
    query: str
    data: str
    """Turtle, in the default graph. There is an empty named graph beside it, :g1."""
    right: str
    """The rows of the recommendation, as text: terms separated by a space, rows by a line break, sorted."""
    theirs: str
    shows: str
    """A pattern found in the text of every query that can show it."""
    complaint: str = ""
    """A pattern found in what is said about an answer that shows it."""
    cause: str = ""
    """A pattern found in a case reduced to what this deviation needs: its query, a line per triple, and ``!`` with what is said."""
    sometimes: bool = False
    """Whether it depends on where pyoxigraph's hashing puts the terms; then it shows for some names of the subjects."""

    def may_show(self, text: str, complaint: str) -> bool:
        """Whether a disagreement about this query can be due to it."""
        return bool(re.search(self.shows, text.removeprefix(PREFIXES)) and re.search(self.complaint, complaint))

    def explains(self, text: str, data: str, complaint: str) -> bool:
        """Whether a disagreement that is left when all it does not need is left out is this one."""
        facts = f"{text.removeprefix(PREFIXES)}\n{data}\n! {complaint}"
        return self.may_show(text, complaint) and bool(re.search(self.cause, facts, re.DOTALL))


_OPERATORS = r" [<>]=? "

DEVIATIONS = (
    Deviation(
        "alternative paths",
        "18.2.2.4, 9.1",
        "an alternative is a union, so a pair connected both ways is two solutions; pyoxigraph gives it once",
        "SELECT ?x ?y WHERE { ?x :p|:q ?y }",
        ":a :p :b .\n:a :q :b .",
        ":a :b\n:a :b",
        ":a :b",
        r"(?<![|\"])\|(?![|\"])",
        cause=r"\|.*! (?!pyoxigraph)",
    ),
    Deviation(
        "GROUP_CONCAT of other than strings",
        "18.5.1.7",
        "the parts are joined as strings whatever they are; pyoxigraph has no value when one is no string",
        'SELECT (GROUP_CONCAT(?n; SEPARATOR="|") AS ?v) WHERE { ?x :n ?n }',
        ":a :n 1 .",
        '"1"',
        "unbound",
        "GROUP_CONCAT",
        cause=r"! .*(unbound|None)",
    ),
    Deviation(
        "GROUP_CONCAT keeps a language",
        "18.5.1.7",
        "the result is a simple literal; pyoxigraph tags it when all parts share a language",
        'SELECT (GROUP_CONCAT(?l; SEPARATOR="|") AS ?v) WHERE { ?x :l ?l }',
        ':a :l "a"@en .',
        '"a"',
        '"a"@en',
        "GROUP_CONCAT",
        cause=r"! .*(@[a-z]|language='[a-z])",
    ),
    Deviation(
        "truth of language-tagged strings",
        "17.2.2",
        "a plain literal is true unless empty, with or without a language; for pyoxigraph a tagged one has no truth value",
        "SELECT ?x WHERE { ?x :l ?l FILTER(?l) }",
        ':a :l "a"@en .',
        ":a",
        "",
        r"(?=.*(FILTER|IF\(|&&|\|\||! ))(?=.*(@|STRLANG|\?l|\?any))",
        cause=r'(FILTER|IF\(|&&|\|\||!).*("@|STRLANG)',
    ),
    Deviation(
        "order of booleans",
        "17.3",
        "op:boolean-less-than orders them; pyoxigraph has no value",
        "SELECT (true > false AS ?v) WHERE { }",
        "",
        "true",
        "unbound",
        _OPERATORS,
        cause=r"(true|false|[(!]).* [<>]=? .*(true|false)",
    ),
    Deviation(
        "a term is at least itself",
        "17.3",
        "there is no order of IRIs or blank nodes, so comparing one with itself is an error; for pyoxigraph it is neither less nor greater",
        "SELECT (:a >= :a AS ?v) WHERE { }",
        "",
        "unbound",
        "true",
        _OPERATORS,
    ),
    Deviation(
        "errors counted",
        "18.5.1.2",
        "COUNT leaves out what has no value; pyoxigraph's whole count has none when an expression fails",
        "SELECT (COUNT(1 / 0 + ?n) AS ?v) WHERE { ?x :n ?n }",
        ":a :n 1 .",
        "0",
        "unbound",
        r"COUNT\((DISTINCT )?[^?*D]",
        cause=r"unbound|None",
    ),
    Deviation(
        "distinct solutions of a path",
        "18.5.1.2, 18.2.2.4",
        "what a sequence goes through is no variable of the solution; pyoxigraph counts solutions apart that differ in nothing else",
        "SELECT (COUNT(DISTINCT *) AS ?v) WHERE { ?x :p/:q ?y }",
        ":a :p :b .\n:a :p :c .\n:b :q :d .\n:c :q :d .",
        "1",
        '"2"^^<http://www.w3.org/2001/XMLSchema#integer>',
        r"COUNT\(DISTINCT \*\).*/",
        cause=r"! the rows differ|! rows",
    ),
    Deviation(
        "nothing divided",
        "17.3",
        "op:numeric-divide of 0 by 0.5 is 0; pyoxigraph has no value",
        "SELECT (0.0 / 0.5 AS ?v) WHERE { }",
        "",
        '"0"^^<http://www.w3.org/2001/XMLSchema#decimal>',
        "unbound",
        " / ",
    ),
    Deviation(
        "differences of instants",
        "17.3",
        "there is no difference of instants in SPARQL 1.1; pyoxigraph gives a duration",
        "SELECT (?t - ?t AS ?v) WHERE { ?x :t ?t }",
        ':a :t "2020-01-01T01:00:00+01:00"^^<http://www.w3.org/2001/XMLSchema#dateTime> .',
        "unbound",
        '"PT0S"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration>',
        " [-+] ",
    ),
    Deviation(
        "graphs without a triple pattern",
        "18.6",
        "GRAPH ?g binds ?g to every named graph, whatever the pattern inside; pyoxigraph only where a triple pattern is",
        "SELECT ?g WHERE { GRAPH ?g { VALUES ?v { 1 } } }",
        "",
        ":g1",
        "unbound",
        r"GRAPH \?g",
    ),
    Deviation(
        "order among unlike literals",
        "15.1",
        "3 comes before 10 wherever a dateTime stands; for pyoxigraph a dateTime is equal to both, so its sort may not compare them",
        "SELECT ?v WHERE { ?x :n ?v } ORDER BY ?v LIMIT 1",
        ':a :n 3 .\n:b :n 10 .\n:c :n "2020-02-29T12:30:15Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .',
        '"3"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '"10"^^<http://www.w3.org/2001/XMLSchema#integer>',
        r"ORDER BY",
        "out of order",
        sometimes=True,
    ),
)
