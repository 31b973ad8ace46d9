"""What is judged: a query over streams, the meaning it is given, and the answers an engine recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from prsp.model.profile import Bounds, Strategy
from prsp.model.query import ContinuousQuery
from prsp.model.window import TimeWindow
from prsp.oracle.continuous import Evaluation, Evaluator, Setting, answers, default_origin, instants
from prsp.oracle.origins import classes, comparable_after, seen_at
from prsp.oracle.stream import Element
from prsp.verify.recorded import Recorded
from prsp.verify.verdict import Trial, compared

Origins = Mapping[str, range]
"""For each stream with time windows the origins that come to the same."""
_MOST_CHOICES = 4096


@dataclass(frozen=True, slots=True)
class Case:
    """Recorded answers, and everything that says what they should be. An origin in the profile is the only one tried."""

    query: ContinuousQuery
    streams: Mapping[str, Sequence[Element]]
    setting: Setting
    recorded: Sequence[Recorded]
    evaluator: Evaluator
    tolerance: int = 0
    flush: bool = True
    tail: bool = True
    """Whether what comes after the end of the streams is compared, too."""

    @property
    def after(self) -> int | None:
        """The instant after which evaluations are compared; None: all are, since the origin is known."""
        first = self._first()
        return None if self.fixed or first is None else comparable_after(self.query, first)

    @property
    def fixed(self) -> bool:
        """Whether the origin is known."""
        return self.setting.profile.t0 is not None or not self._timed()

    def choices(self) -> Iterator[Origins]:
        """The origins worth trying: those whose instants fit best first."""
        first = self._first()
        timed = self._timed()
        if self.fixed or first is None:
            own = self.setting.profile.t0 if self.setting.profile.t0 is not None else first or 0
            yield {iri: range(start := self.setting.origins.get(iri, own), start + 1) for iri in timed}
            return
        most = max(2, int(_MOST_CHOICES ** (1 / len(timed))))
        for chosen in product(*(self._fitting(iri, window, first)[:most] for iri, window in timed.items())):
            yield dict(zip(timed, chosen, strict=True))

    def trial(self, origins: Origins) -> Trial | None:
        """The comparison under some origins; None when the recorded instants alone tell that they do not fit."""
        return self.full_trial(origins) if self._instants_fit(origins) else None

    def full_trial(self, origins: Origins) -> Trial:
        """The comparison under some origins, whatever the instants."""
        after = self.after
        expected = [e for e in answers(self.query, self.streams, self._under(origins), self.evaluator) if self._counts(e, after)]
        recorded = [r for r in self.recorded if (after is None or r.at > after) and (self.tail or self._passed(r.at))]
        return Trial({iri: chosen.start for iri, chosen in origins.items()}, compared(expected, recorded, self.tolerance))

    def _counts(self, evaluation: Evaluation, after: int | None) -> bool:
        return (after is None or evaluation.at > after) and ((self.flush and self.tail) or self._passed(evaluation.at))

    def _passed(self, at: int) -> bool:
        largest = max(e.time for elements in self.streams.values() for e in elements)
        return at <= largest if self.setting.profile.bounds is Bounds.RIGHT_OPEN else at < largest

    def _instants_fit(self, origins: Origins) -> bool:
        if self.tolerance:
            return True
        after = self.after
        due = [(at, seq) for at, seq in instants(self.query, self.streams, self._under(origins)) if after is None or at > after]
        wanted = {found for found in due if (self.flush and self.tail) or self._passed(found[0])}
        got = {(r.at, r.seq) for r in self.recorded if (after is None or r.at > after) and (self.tail or self._passed(r.at))}
        exact = not {Strategy.NON_EMPTY, Strategy.PERIODIC} & set(self._report())
        return got == wanted if exact else got <= wanted

    def _under(self, origins: Origins) -> Setting:
        if self.fixed or not origins:
            return self.setting
        starts = {iri: chosen.start for iri, chosen in origins.items()}
        return replace(self.setting, profile=replace(self.setting.profile, t0=next(iter(starts.values()))), origins=starts)

    def _fitting(self, iri: str, window: TimeWindow, first: int) -> list[range]:
        """Origins of one stream, those under which the most of its closes are recorded instants first."""
        ats = {r.at for r in self.recorded}
        runs = classes(self.streams[iri], window, self.setting.profile.bounds, first)
        if set(self._report()) <= {Strategy.ARRIVAL, Strategy.NON_EMPTY}:
            return runs
        near = seen_at(ats, window, first, self._every())
        loose = self.tolerance or Strategy.WINDOW_CLOSE not in self._report()
        origins = near | {run.start for run in runs} if loose else near | {first}
        last = max(ats, default=first)

        def fit(origin: int) -> int:
            return sum(close in ats for close in range(origin + window.range, last + 1, window.step))

        return [range(origin, origin + 1) for origin in sorted(origins, key=lambda origin: (-fit(origin), origin))]

    def _timed(self) -> dict[str, TimeWindow]:
        return {s.iri: s.window for s in self.query.streams if isinstance(s.window, TimeWindow)}

    def _first(self) -> int | None:
        return default_origin(self.streams, self.setting.profile.bounds)

    def _report(self) -> tuple[Strategy, ...]:
        return self.setting.profile.report_for(self.query.registration.every)

    def _every(self) -> int | None:
        return self.setting.profile.every_for(self.query.registration.every)
