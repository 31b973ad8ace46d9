"""The few terms random streams and queries are made of: few, so that joins hit."""

from __future__ import annotations

from enum import Enum
from random import Random

NS = "http://e/"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = f"PREFIX : <{NS}> PREFIX xsd: <{XSD}> "


class Flavour(Enum):
    """Whether a predicate's objects are all of one datatype."""

    TYPED = "typed"
    MIXED = "mixed"


def _typed(datatype: str, *lexical: str) -> tuple[str, ...]:
    return tuple(f'"{text}"^^<{XSD}{datatype}>' for text in lexical)


VALUES: dict[str, tuple[str, ...]] = {
    "int": _typed("integer", "0", "1", "2", "3", "-4", "10", "7"),
    "dec": _typed("decimal", "0.5", "1.5", "2.25", "-0.1", "10.3"),
    "dbl": _typed("double", "0.5", "1.5", "-2.5", "3.25", "100.125"),
    "flt": _typed("float", "0.5", "1.5", "-2.5", "4.75"),
    "str": ('"a"', '"b"', '"ab"', '"B c"', '""', '"12"', '"http://e/a"', '"é"'),
    "lang": ('"a"@en', '"b"@en', '"ab"@en-gb', '"a"@fr', '"été"@fr'),
    "bool": _typed("boolean", "true", "false"),
    "date": _typed(
        "dateTime",
        "2020-01-01T00:00:00Z",
        "2020-02-29T12:30:15Z",
        "2019-12-31T23:59:59.5Z",
        "2020-01-01T01:00:00+01:00",
        "2021-06-01T08:00:00",
    ),
}
"""Literals by kind, in the lexical form every engine keeps: canonical numbers, sums that a double holds exactly."""

ODD = (*_typed("double", "INF", "-INF", "NaN"), *_typed("float", "INF", "NaN"), *_typed("integer", "abc", ""), *_typed("dateTime", "soon"))
ODD += (*_typed("boolean", "maybe"), f'"x"^^<{NS}odd>')
"""Infinities, not-a-number, ill-typed literals and an unknown datatype."""

RESOURCES = tuple(f"<{NS}{name}>" for name in "abcd")
CLASSES = (f"<{NS}A>", f"<{NS}B>")
GRAPHS = (f"{NS}g1", f"{NS}g2")
"""A named window, and a static named graph."""

PREDICATES: dict[str, str] = {"p": "res", "q": "res", "r": "res", "type": "class"}
PREDICATES |= {"n": "int", "m": "int", "d": "dec", "f": "dbl", "h": "flt", "s": "str", "l": "lang", "b": "bool", "t": "date"}
"""What a predicate's objects are in a typed stream."""

NUMERIC = ("int", "dec", "dbl", "flt")
KINDS = ("int", "int", "dec", "dbl", "flt", "str", "str", "lang", "bool", "date")


def written(term: str) -> str:
    """A term as a query says it."""
    return ":" + term[len(NS) + 1 : -1] if term.startswith(f"<{NS}") else term


def resource(random: Random, stream: int) -> str:
    """An IRI or, less often, a blank node of a stream (-1: static data)."""
    if random.random() < 0.15:
        return f"_:{'g0' if stream < 0 else f's{stream}'}_b{random.randrange(2)}"
    return random.choice(RESOURCES)


def value(random: Random, kind: str, flavour: Flavour) -> str:
    """A literal for a predicate or a variable of a kind; in mixed streams now and then of any other."""
    if flavour is Flavour.MIXED and random.random() < 0.4:
        return random.choice(ODD) if random.random() < 0.3 else random.choice(VALUES[random.choice(KINDS)])
    if kind in ("dbl", "flt") and random.random() < 0.08:
        return random.choice(ODD[:3] if kind == "dbl" else ODD[3:5])
    return random.choice(VALUES[kind])


def object_of(random: Random, predicate: str, stream: int, flavour: Flavour) -> str:
    """Something this predicate may have as its object."""
    kind = PREDICATES[predicate]
    if kind == "class":
        return random.choice(CLASSES)
    if kind == "res":
        return (
            value(random, random.choice(KINDS), flavour) if flavour is Flavour.MIXED and random.random() < 0.1 else resource(random, stream)
        )
    return value(random, kind, flavour)
