"""LUBM: universities, department after department, as a stream of triples; the seven queries SPECTRA used."""

from __future__ import annotations

from collections.abc import Iterator

from prsp.workload.chance import Chance
from prsp.workload.checks import at_least, check_common
from prsp.workload.department import UB, department
from prsp.workload.recipe import Event, Window, Workload, queries

STREAM = "http://example.org/streams/university"
WINDOWS: tuple[Window, ...] = ((10_000, 10_000), (50_000, 50_000), (100_000, 100_000))
"""The tumbling windows of SPECTRA's Table 1."""

_DEPARTMENTS = (15, 25)
_PREFIXES = f"PREFIX ub: <{UB}>\n"


def _where(*patterns: str) -> str:
    return "\n".join(f"  {pattern} ." for pattern in patterns)


_BODIES = {
    "q1": (
        "graduate students at the university of their first degree (a triangle)",
        "?x ?y ?z",
        _where(
            "?y a ub:University",
            "?x ub:undergraduateDegreeFrom ?y",
            "?x a ub:GraduateStudent",
            "?x ub:memberOf ?z",
            "?z ub:subOrganizationOf ?y",
            "?z a ub:Department",
        ),
    ),
    "q2": ("courses and their names", "?x ?y", _where("?x a ub:Course", "?x ub:name ?y")),
    "q3": (
        "undergraduates who hold a degree of their university (a triangle; without --home-degrees it has no answer, as in LUBM)",
        "?x ?y ?z",
        _where(
            "?x ub:undergraduateDegreeFrom ?y",
            "?x a ub:UndergraduateStudent",
            "?x ub:memberOf ?z",
            "?z a ub:Department",
            "?z ub:subOrganizationOf ?y",
            "?y a ub:University",
        ),
    ),
    "q4": (
        "full professors of one department, with name, address and telephone",
        "?x ?y1 ?y2 ?y3",
        _where(
            "?x ub:worksFor <http://www.Department0.University0.edu>",
            "?x a ub:FullProfessor",
            "?x ub:name ?y1",
            "?x ub:emailAddress ?y2",
            "?x ub:telephone ?y3",
        ),
    ),
    "q5": (
        "research groups of one department",
        "?x",
        _where("?x ub:subOrganizationOf <http://www.Department0.University0.edu>", "?x a ub:ResearchGroup"),
    ),
    "q6": (
        "full professors of one university, with their department",
        "?x ?y",
        _where("?y ub:subOrganizationOf <http://www.University0.edu>", "?y a ub:Department", "?x ub:worksFor ?y", "?x a ub:FullProfessor"),
    ),
    "q7": (
        "undergraduates who take a course of their advisor, a full professor (a triangle)",
        "?x ?y ?z",
        _where(
            "?y a ub:FullProfessor",
            "?x ub:advisor ?y",
            "?x a ub:UndergraduateStudent",
            "?x ub:takesCourse ?z",
            "?z a ub:Course",
            "?y ub:teacherOf ?z",
        ),
    ),
}


def lubm(
    *,
    universities: int = 1,
    rate: int = 1_000,
    home_degrees: int = 2,
    seed: int = 1,
    start: int = 0,
    skew: float = 0.0,
    disorder: int = 0,
    windows: tuple[Window, ...] = WINDOWS,
) -> Workload:
    """The workload: ``rate`` triples a second; a percentage of students hold a degree of their own university (0: LUBM's own)."""
    at_least("universities", universities, 1)
    at_least("rate", rate, 1)
    at_least("home-degrees", home_degrees, 0)
    check_common(skew, disorder, windows)
    sizes = [Chance(seed, f"university {number}").between(_DEPARTMENTS) for number in range(universities)]

    def batches() -> Iterator[list[Event]]:
        count = 0
        for university, departments in enumerate(sizes):
            for number in range(departments):
                chance = Chance(seed, f"department {university}.{number}")
                lines = chance.shuffled(department(chance, university, number, skew, home_degrees))
                times = [start + i * 1000 // rate for i in range(count, count + len(lines))]
                yield [(at, f"{line} .\t{at}\n") for at, line in zip(times, lines, strict=True)]
                count += len(lines)

    return Workload(
        "lubm",
        STREAM,
        {"universities": universities, "rate": rate, "home_degrees": home_degrees, "skew": skew},
        queries(STREAM, _PREFIXES, windows, _BODIES),
        batches,
        sum(sizes),
        1,
        seed,
        start,
        disorder,
    )
