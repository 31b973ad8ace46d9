"""Where engines and the reference disagree, and where engines failed: window by window, as many as can be read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, zip_longest

from prsp.compare.report.reading import Part, check_of, key, slots
from prsp.compare.report.summary import verdict

MOST = 20
"""How many of one engine are told."""
_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Problem:
    """One window that an engine answered otherwise, or not at all."""

    engine: str
    experiment: str
    at: int
    seq: int
    kind: str
    """What the check said: different, failed or datatypes."""
    said: str
    rows: str
    """How many rows were right, wanted and given, in words."""
    reproduce: str | None

    @property
    def place(self) -> str:
        """The window in words."""
        return f"window at {self.at}" + (f", number {self.seq}" if self.seq else "")


@dataclass(frozen=True, slots=True)
class Account:
    """The problems of one engine: those told, and how many there are."""

    engine: str
    told: tuple[Problem, ...]
    total: int


def accounts(document: Part, most: int = MOST) -> list[Account]:
    """The engines that have problems; of each some from every experiment that has any, the first first."""
    found = []
    for label in slots(document):
        own = [list(problems(experiment, label)) for experiment in document["experiments"]]
        own = _one_of_datatypes(own)
        turns = [problem for problem in chain.from_iterable(zip_longest(*own)) if problem is not None]
        chosen = set(map(id, turns[:most]))
        if turns:
            told = tuple(problem for each in own for problem in each if id(problem) in chosen)
            found.append(Account(label, told, len(turns)))
    return found


def problems(experiment: Part, engine: str) -> list[Problem]:
    """All disagreements and failures of an engine in an experiment. Where only datatypes differ, the first stands for all."""
    found: list[Problem] = []
    for result in experiment["results"]:
        if result["engine"] != engine:
            continue
        for window in result["windows"]:
            kind = verdict(window)
            if kind in ("different", "failed") or (kind == "datatypes" and not any(p.kind == kind for p in found)):
                at, seq = key(window)
                name = experiment["name"]
                found.append(Problem(engine, name, at, seq, kind, _said(window), _rows(window), window.get("reproduce")))
    return sorted(found, key=lambda problem: problem.kind == "datatypes")


def _one_of_datatypes(own: list[list[Problem]]) -> list[list[Problem]]:
    """Without those where only datatypes differ, but for the first: it stands for all."""
    first = next((problem for each in own for problem in each if problem.kind == "datatypes"), None)
    return [[problem for problem in each if problem.kind != "datatypes" or problem is first] for each in own]


def _said(window: Part) -> str:
    failure = window.get("failure")
    text = f"{failure['kind']}: {failure['message']}" if failure else check_of(window).get("difference") or "no more is known"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}\n… and {len(text) - _LONGEST:,} more characters"


def _rows(window: Part) -> str:
    check = check_of(window)
    if window.get("failure"):
        return f"{check['wanted']:,} rows wanted"
    return f"{check['wanted']:,} rows wanted, {check['given']:,} given, {check['right']:,} of them right"
