"""What a disagreement comes from: the case is reduced to what it needs, and that has to be a listed deviation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from prsp.errors import EngineError, PrspError
from prsp.model.result import Result
from prsp.model.snapshot import Snapshot
from prsp.model.static import StaticData
from tests.random.agree import disagreement
from tests.random.case import Case
from tests.random.deviations import Deviation
from tests.random.reduce import isolated, windows_alone
from tests.random.references import Aborted, Naive, Oxigraph

Engine = Callable[[str, Snapshot, StaticData], Result]


def oxigraph(text: str, snapshot: Snapshot, static: StaticData) -> Result:
    """pyoxigraph, as an engine to be compared."""
    return Oxigraph(snapshot, static).ask(text)


def complaint(case: Case, engine: Engine) -> str | None:
    """What is wrong with an engine's answer about the only window of a case; None when nothing is."""
    (snapshot,) = case.snapshots()
    naive = Naive(snapshot, case.static)
    expected = naive.ask(case.query.text)
    try:
        return disagreement(case.query, expected, engine(case.query.text, snapshot, case.static), naive.ask)
    except Aborted:
        return "pyoxigraph aborted, as it may when rows are out of order"
    except (EngineError, SyntaxError) as error:  # also when what it gives is no RDF
        return str(error)


@dataclass(slots=True)
class Causes:
    """Explains the disagreements of an engine: the first few of each listed deviation, or all."""

    engine: Engine
    deviations: Sequence[Deviation]
    each: int | None
    """How many to reduce that a deviation may excuse; None for all."""
    tried: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    """How often each deviation was what remained."""

    def unexplained(self, case: Case, wrong: str) -> str | None:
        """What is to be said when a disagreement is no listed one; None when it is, or when enough of its kind were looked at."""
        excuses = [known.name for known in self.deviations if known.may_show(case.query.text, wrong)]
        if not excuses:
            return f"{wrong}\n\n{case}"
        if self.each is not None and all(self.tried[name] >= self.each for name in excuses):
            return None
        self.tried.update(excuses)
        small = self.reduced(case)
        if small is None:
            return None
        left = complaint(small, self.engine)
        assert left is not None
        causes = [known.name for known in self.deviations if known.explains(small.query.text, "\n".join(small.data), left)]
        self.found.update(causes)
        if causes:
            return None
        return f"{wrong}\n\n{case}\n\nWhat remains, and no listed deviation explains: {left}\n\n{small}"

    def reduced(self, case: Case) -> Case | None:
        """The disagreement about the first window that shows one, made small."""
        for alone in windows_alone(case):
            if (kind := self._kind(alone)) is not None:
                return isolated(alone, lambda cut, kind=kind: self._kind(cut) == kind)  # type: ignore[misc]
        return None

    def _kind(self, case: Case) -> str | None:
        """How an answer is wrong, which no cut may change, or it would lead to something else; None when nothing is wrong."""
        if _NOTHING_MADE in case.query.text:
            return None
        try:
            wrong = complaint(case, self.engine)
        except (PrspError, AssertionError, KeyError, ValueError, IndexError):
            return None  # a cut left no query
        return None if wrong is None else found[0] if (found := _KIND.match(wrong)) else "an answer"


_KIND = re.compile(r"\w+ could not answer: \w+|pyoxigraph aborted|expected the columns")
_NOTHING_MADE = "CONSTRUCT {  }"
