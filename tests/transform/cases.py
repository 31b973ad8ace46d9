"""Random cases for the transformer: streams with gaps, duplicates, disorder and ties; windows of every kind."""

import random
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from prsp.model.profile import Bounds
from prsp.model.snapshot import Snapshot
from prsp.model.window import CountWindow, TimeWindow
from prsp.transform.log import PaneLog
from prsp.transform.reference import Element, Outcome, window_close
from tests.transform.build import content, evaluations_of, stream_of, triple, write


@dataclass(frozen=True)
class Case:
    """One stream over some files, one window, and how it is stored."""

    number: int
    files: list[list[Element]]
    window: TimeWindow | CountWindow
    t0: int
    bounds: Bounds
    lateness: int | None
    pane: int
    split_bytes: int

    @property
    def elements(self) -> list[Element]:
        return [element for file in self.files for element in file]

    def write(self, folder: Path) -> None:
        folder.mkdir()
        for number, elements in enumerate(self.files):
            write(folder / f"f{number}.nts", elements)

    def expected(self) -> Outcome:
        return window_close(self.elements, self.window, t0=self.t0, bounds=self.bounds, lateness=self.lateness)

    def check(self, log: PaneLog) -> int:
        """Compare every window, element by element, and the account; gives the number of windows."""
        stream = stream_of(log, self.window, self.t0, self.bounds, self.lateness)
        evaluations = evaluations_of(stream, self.t0)
        # In half of the cases what has passed is asked for first, as a live run does.
        got: list[Snapshot] = [*(evaluations.due() if self.number % 2 else ()), *evaluations.flush()]
        want = self.expected()
        assert [(g.at, g.seq) for g in got] == [(w.at, w.seq) for w in want.windows], self
        for snapshot, window in zip(got, want.windows, strict=True):
            (contribution,) = snapshot.contributions
            assert (contribution.open, contribution.close) == (window.open, window.close), self
            assert content(contribution) == sorted(window.content), self
            assert contribution.elements == contribution.triples == len(window.content), self
        tally = stream.tally
        assert (tally.in_windows, tally.in_no_window, tally.late) == (want.in_windows, want.in_no_window, want.late), self
        assert tally.in_windows + tally.in_no_window + tally.late == log.accepted == len(self.elements), self
        return len(got)


def random_case(number: int) -> Case:
    chance = random.Random(number)
    scale = chance.choice([1, 7, 50, 300])
    time = chance.choice([0, -500, 1_000, 123_456])
    elements: list[Element] = []
    for i in range(chance.choice([0, 1, 5, 30, 80])):
        if chance.random() < 0.9:
            time += chance.choice([0, 0, 1, scale, scale * 5, -scale, -scale * 3])
        else:
            time += chance.randint(0, scale * 40)  # an empty stretch
        elements.append(Element(triple(chance.randint(0, 5), i if chance.random() < 0.7 else 0), time))
    cuts = sorted(chance.randint(0, len(elements)) for _ in range(chance.randint(0, 2)))
    edges = [0, *cuts, len(elements)]
    bounds = chance.choice(list(Bounds))
    smallest = min((e.time for e in elements), default=0)
    before, after = smallest - chance.randint(0, scale * 5), smallest + chance.randint(0, scale * 5)
    window: TimeWindow | CountWindow = TimeWindow(chance.randint(1, scale * 12), chance.randint(1, scale * 8))
    if chance.random() < 0.25:
        window = CountWindow(chance.randint(1, 8), chance.randint(1, 8))
    return Case(
        number,
        [elements[a:b] for a, b in pairwise(edges)],
        window,
        chance.choice([smallest - (bounds is Bounds.LEFT_OPEN), before, after]),
        bounds,
        chance.choice([None, None, 0, scale, scale * 4]),
        chance.choice([1, 3, 17, 100, 1_000]),
        chance.choice([150, 900, 10**6, 10**6]),
    )
