"""What an experiment and an engine came to, in one line each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from prsp.compare.report.reading import Part, check_of, slots


@dataclass(frozen=True, slots=True)
class Line:
    """One engine in one experiment. Seconds and bytes; None where it has no value."""

    engine: str
    refused: str | None
    totals: Part
    behind: float | None
    """How many times the EET of the fastest it took."""
    judged: bool
    """Whether there was an answer to compare with: not where a query may be answered differently each time."""

    def value(self, name: str) -> float | None:
        """A total by name; precision, recall and F only where answers were judged."""
        if self.refused is not None or (name in ("precision", "recall", "f") and not self.judged):
            return None
        found: float | None = self.totals.get(name)
        return found


@dataclass(frozen=True, slots=True)
class Tally:
    """How the windows of one engine came out, over all experiments."""

    engine: str
    asked: int
    refused: int
    verdicts: Counter[str]

    @property
    def windows(self) -> int:
        """How many windows it was asked."""
        return self.verdicts.total()

    @property
    def clean(self) -> bool:
        """Whether it answered all it was asked as the reference does."""
        return self.windows > 0 and not self.verdicts["different"] and not self.verdicts["failed"] and not self.verdicts["unjudged"]


def lines(experiment: Part) -> list[Line]:
    """The engines of an experiment in the order they were given."""
    results = experiment["results"]
    known = [time for result in results if not result["refused"] and (time := result["totals"].get("eet")) is not None]
    fastest = min(known, default=None)
    found = []
    for result in results:
        totals = result.get("totals") or {}
        time = None if result["refused"] else totals.get("eet")
        behind = time / fastest if time is not None and fastest else None
        judged = any(verdict(window) != "unjudged" for window in result["windows"])
        found.append(Line(result["engine"], result["refused"], totals, behind, judged))
    return found


def verdict(window: Part) -> str:
    """How a window of an engine came out; a failure is one, whatever the check says."""
    return "failed" if window.get("failure") else str(check_of(window)["verdict"])


def tallies(document: Part) -> list[Tally]:
    """One for each engine."""
    found = []
    for label in slots(document):
        own = [result for experiment in document["experiments"] for result in experiment["results"] if result["engine"] == label]
        verdicts = Counter(verdict(window) for result in own for window in result["windows"])
        refused = sum(result["refused"] is not None for result in own)
        found.append(Tally(label, len(own) - refused, refused, verdicts))
    return found


def outcome(document: Part) -> str:
    """One sentence: how many engines agree with the reference everywhere."""
    found = tallies(document)
    clean = [tally for tally in found if tally.clean and not tally.refused]
    if not found:
        return "Nothing was compared."
    if len(clean) == len(found):
        return "Every engine answered every window as the reference does."
    first = f"{len(clean)} of {len(found)} engines answered every window as the reference does."
    told = (("different", "answered some differently"), ("failed", "failed on some"), ("unjudged", "cannot be judged on some"))
    others = [f"{count} {verb}" for kind, verb in told if (count := sum(tally.verdicts[kind] > 0 for tally in found))]
    if count := sum(tally.refused > 0 for tally in found):
        others.append(f"{count} {'was' if count == 1 else 'were'} not asked all")
    return first if not others else f"{first} {', '.join(others)}."
