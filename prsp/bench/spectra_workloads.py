"""The streams and queries SPECTRA is measured on: YABench, LUBM and SEAS shapes, made from published facts about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from prsp.bench.stream import observation

_OM = "http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#"
_WEATHER = "http://knoesis.wright.edu/ssw/ont/weather.owl#"
_UB = "http://swat.cse.lehigh.edu/onto/univ-bench.owl#"
_SEAS = "http://purl.org/NET/seas#"
_M = "http://purl.org/NET/seas/measures#"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_DOUBLE = "http://www.w3.org/2001/XMLSchema#double"

Pattern = tuple[str, str, str]
"""A triple pattern: variables start with ``?``, other terms are N-Triples."""


@dataclass(frozen=True, slots=True)
class Workload:
    """A stream and a query on it. ``patterns`` and ``bounds`` are the query once more, for engines that are no SPARQL engines."""

    name: str
    about: str
    stream: str
    query: str
    patterns: tuple[Pattern, ...] = ()
    bounds: tuple[tuple[str, str, float], ...] = ()
    """Conditions of the FILTER: variable, ``<`` or ``>``, number."""
    columns: tuple[str, ...] = ()

    def relevant(self, line: bytes) -> bool:
        """Whether a triple can match a pattern, by its predicate and constants: what GraphSummary keeps."""
        subject, predicate, rest = line.split(b" ", 2)
        target = rest[:-3]
        return any(
            (p[0] == "?" or p.encode() == predicate) and (o[0] == "?" or o.encode() == target) and (s[0] == "?" or s.encode() == subject)
            for s, p, o in self.patterns
        )


def _select(
    name: str, about: str, stream: str, columns: str, *patterns: Pattern, bounds: tuple[tuple[str, str, float], ...] = ()
) -> Workload:
    body = " ".join(f"{s} {p} {o} ." for s, p, o in patterns)
    condition = " && ".join(f"{variable} {sign} {number}" for variable, sign, number in bounds)
    text = f"SELECT {columns} WHERE {{ {body} {f'FILTER({condition})' if bounds else ''} }}"
    return Workload(name, about, stream, text, patterns, bounds, tuple(columns.split()))


_SENSOR = ("?obs", f"<{_OM}procedure>", "?sensor")
_RESULT = ("?obs", f"<{_OM}result>", "?m")
_VALUE = ("?m", f"<{_OM}floatValue>", "?v")
_PROPERTY = ("?obs", f"<{_OM}observedProperty>", f"<{_WEATHER}_AirTemperature>")
_UNIT = ("?m", f"<{_OM}uom>", f"<{_WEATHER}fahrenheit>")


def _text(pattern: Pattern) -> str:
    return " ".join(pattern) + " ."


SHAPES: tuple[Workload, ...] = (
    _select("star-path", "YABench: a star of three and a step", "yabench", "?sensor ?obs ?v", _PROPERTY, _SENSOR, _RESULT, _VALUE),
    _select(
        "triangle",
        "LUBM Q7: students who take a course of their advisor",
        "lubm",
        "?x ?y ?z",
        ("?y", _TYPE, f"<{_UB}FullProfessor>"),
        ("?x", f"<{_UB}advisor>", "?y"),
        ("?x", _TYPE, f"<{_UB}UndergraduateStudent>"),
        ("?x", f"<{_UB}takesCourse>", "?z"),
        ("?z", _TYPE, f"<{_UB}Course>"),
        ("?y", f"<{_UB}teacherOf>", "?z"),
    ),
    _select(
        "selective",
        "LUBM Q5's shape: the departments of one university",
        "lubm",
        "?x",
        ("?x", f"<{_UB}subOrganizationOf>", "<http://www.University0.edu>"),
        ("?x", _TYPE, f"<{_UB}Department>"),
    ),
    _select(
        "star-6",
        "SEAS Q2: six measures of an observation, two of them filtered",
        "seas",
        "?obs ?v ?thd ?cf ?watt ?wh ?dpf",
        *(("?obs", f"<{_M}{name}>", f"?{variable}") for name, variable in (("V_RMS", "v"), ("V_THD", "thd"), ("V_CF", "cf"))),
        *(("?obs", f"<{_M}{name}>", f"?{variable}") for name, variable in (("W", "watt"), ("Wh", "wh"), ("DPF", "dpf"))),
        bounds=(("?watt", ">", 10), ("?cf", "<", 1.2)),
    ),
)
"""The four shapes the ratios are over."""

BEYOND: tuple[Workload, ...] = (
    Workload(
        "aggregate",
        "mean and number of observations per sensor",
        "yabench",
        f"SELECT ?sensor (AVG(?v) AS ?mean) (COUNT(*) AS ?n) WHERE {{ {_text(_SENSOR)} {_text(_RESULT)} {_text(_VALUE)} }}"
        " GROUP BY ?sensor",
        (_SENSOR, _RESULT, _VALUE),
    ),
    Workload(
        "optional",
        "observations with their value where it is above 50",
        "yabench",
        f"SELECT ?sensor ?obs ?v WHERE {{ {_text(_SENSOR)} {_text(_RESULT)} OPTIONAL {{ {_text(_VALUE)} FILTER(?v > 50) }} }}",
        (_SENSOR, _RESULT, _VALUE),
    ),
    Workload(
        "union",
        "observations of a property, and those measured in a unit",
        "yabench",
        f"SELECT ?obs ?sensor ?m WHERE {{ {{ {_text(_PROPERTY)} {_text(_SENSOR)} }} UNION {{ {_text(_RESULT)} {_text(_UNIT)} }} }}",
        (_PROPERTY, _SENSOR, _RESULT, _UNIT),
    ),
)
"""Queries no delta join alone can answer."""


@dataclass(slots=True)
class Streams:
    """The streams, each made once per length."""

    _made: dict[tuple[str, int], list[bytes]] = field(default_factory=dict)

    def lines(self, name: str, length: int) -> list[bytes]:
        """So many triples, each a line of N-Triples."""
        key = name, length
        if key not in self._made:
            self._made[key] = list(islice(MAKERS[name](), length))
        return self._made[key]


def _yabench() -> Iterator[bytes]:
    number = 0
    while True:
        for line in observation(number, 0).splitlines():
            yield line.partition("\t")[0].encode() + b"\n"
        number += 1


def _lubm(group: int = 10) -> Iterator[bytes]:
    """Professors with their courses and students, ten professors a department, shuffled within a department."""
    random, department = Random(7), 0
    while True:
        home = f"http://www.Department{department}.University{department % 20}.edu"
        lines = [f"<{home}> {_TYPE} <{_UB}Department>", f"<{home}> <{_UB}subOrganizationOf> <http://www.University{department % 20}.edu>"]
        lines += [f'<{home}> <{_UB}name> "Department{department}"']
        for number in range(group):
            professor = f"<{home}/FullProfessor{number}>"
            lines += [f"{professor} {_TYPE} <{_UB}FullProfessor>", f"{professor} <{_UB}worksFor> <{home}>"]
            lines += [f'{professor} <{_UB}emailAddress> "p{number}@{department}.edu"']
            for course in (2 * number, 2 * number + 1):
                lines += [f"{professor} <{_UB}teacherOf> <{home}/Course{course}>", f"<{home}/Course{course}> {_TYPE} <{_UB}Course>"]
                lines += [f'<{home}/Course{course}> <{_UB}name> "Course{course}"']
            for student in range(10 * number, 10 * number + 10):
                who = f"<{home}/UndergraduateStudent{student}>"
                lines += [f"{who} {_TYPE} <{_UB}UndergraduateStudent>", f"{who} <{_UB}memberOf> <{home}>"]
                lines += [f'{who} <{_UB}name> "Student{student}"', f"{who} <{_UB}advisor> <{home}/FullProfessor{random.randrange(group)}>"]
                lines += [f"{who} <{_UB}takesCourse> <{home}/Course{course}>" for course in random.sample(range(2 * group), 3)]
        random.shuffle(lines)
        for line in lines:
            yield f"{line} .\n".encode()
        department += 1


def _seas() -> Iterator[bytes]:
    random, number = Random(3), 0
    while True:
        obs = f"<http://example.org/power/{number}>"
        values = (
            230 + random.random() * 10,
            random.random() * 5,
            1 + random.random(),
            random.random() * 40,
            random.random() * 4,
            random.random(),
        )
        yield f"{obs} {_TYPE} <{_SEAS}Observation> .\n".encode()
        yield f"{obs} <{_SEAS}meter> <http://example.org/meter/{number % 200}> .\n".encode()
        for name, measured in zip(("V_RMS", "V_THD", "V_CF", "W", "Wh", "DPF"), values, strict=True):
            yield f'{obs} <{_M}{name}> "{measured:.3f}"^^<{_DOUBLE}> .\n'.encode()
        number += 1


MAKERS: dict[str, Callable[[], Iterator[bytes]]] = {"yabench": _yabench, "lubm": _lubm, "seas": _seas}
"""Endless streams, with terms that never come again beside those that do."""
