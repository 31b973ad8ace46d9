"""Live runs: fed file by file, killed without warning, resumed; nothing is lost and nothing is different."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prsp.model.profile import Bounds
from prsp.model.window import TimeWindow
from prsp.transform.reference import Element, window_close
from tests.data import ROOT
from tests.transform.build import triple, write

FILES = 24
KILLS = 5
LATENESS = 100


def stream(seed: int = 11) -> list[list[Element]]:
    """Files of elements, mostly in order, some late."""
    chance = random.Random(seed)
    files, clock = [], 1_000
    for number in range(FILES):
        elements = []
        for i in range(30):
            clock += chance.randint(0, 9)
            # Not in the first files: whichever of them the first batch holds, the smallest time is the same.
            behind = chance.choice([0, 0, 0, 20, 80, 700]) if number >= 8 and chance.random() < 0.2 else 0
            elements.append(Element(triple(f"{number}-{i}", chance.randint(0, 3)), clock - behind))
        files.append(elements)
    return files


def start(folder: Path) -> subprocess.Popen[bytes]:
    # A session of its own, so that the JVM and the Python workers can be killed with it.
    with (folder / "stderr").open("ab") as errors:
        return subprocess.Popen([sys.executable, "-m", "tests.run.live", str(folder)], cwd=ROOT, start_new_session=True, stderr=errors)


def results(folder: Path) -> dict[str, object]:
    """The finished lines by id; an id never stands for two contents."""
    found: dict[str, object] = {}
    path = folder / "out.ndjson"
    for line in path.read_bytes().split(b"\n")[:-1] if path.exists() else []:
        document = json.loads(line)
        assert document["id"] not in found
        found[document["id"]] = document
    return found


def feed(folder: Path, number: int, elements: list[Element]) -> None:
    """Put a file in place at once; all files have the same modification time."""
    hidden = folder / f".{number}"
    write(hidden, elements)
    os.utime(hidden, (1_600_000_000, 1_600_000_000))
    hidden.rename(folder / "in" / f"file-{number:04d}.nts")


def wait_until(done: object, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not done():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def progress(folder: Path) -> int:
    path = folder / "checkpoint" / "streams" / "0" / "index"
    return sum(json.loads(p.read_bytes())["files"] for p in path.glob("[0-9]*.json")) if path.exists() else 0


def run_fed(folder: Path, *, kills: int) -> dict[str, object]:
    (folder / "in").mkdir(parents=True)
    chance = random.Random(kills)
    files = stream()
    for number in range(2):
        feed(folder, number, files[number])
    process = start(folder)
    fed = 2
    for kill in range(kills + 1):
        last_life = kill == kills
        target = FILES if last_life else min(FILES - 2, fed + FILES // (kills + 1))
        while fed < target:
            feed(folder, fed, files[fed])
            fed += 1
            time.sleep(chance.random() * 0.4)
        if last_life:
            break
        # At a random moment after it has come to life: mid-batch, between commits, or while waiting.
        before = progress(folder)
        wait_until(lambda: progress(folder) > before)  # noqa: B023  # called before the loop goes on
        time.sleep(chance.random() * 1.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process = start(folder)
    wait_until(lambda: progress(folder) == FILES)
    (folder / "stop").touch()
    assert process.wait(60) == 0, (folder / "stderr").read_text(encoding="utf-8")
    return results(folder)


@pytest.mark.spark
def test_killed_and_resumed_equals_never_killed(tmp_path: Path) -> None:
    control = run_fed(tmp_path / "control", kills=0)
    killed = run_fed(tmp_path / "killed", kills=KILLS)
    assert killed == control
    assert len(control) > 15
    assert (tmp_path / "killed" / "late.nts").read_bytes() == (tmp_path / "control" / "late.nts").read_bytes()
    elements = [element for file in stream() for element in file]
    summary = (tmp_path / "killed" / "summary.txt").read_text(encoding="utf-8")
    assert f"{len(elements)} read = " in summary
    # And both are what the reference says of the windows that have passed.
    smallest = min(e.time for e in stream()[0] + stream()[1])
    want = window_close(elements, TimeWindow(400, 150), t0=smallest, bounds=Bounds.CLOSED, lateness=LATENESS)
    passed = [w for w in want.windows if max(e.time for e in elements) - LATENESS > w.at]
    got = sorted((d["at"], d["windows"][0]["elements"]) for d in control.values())  # type: ignore[index]
    assert got == [(w.at, len(w.content)) for w in passed]
    assert f"{want.in_windows} in windows + {want.in_no_window} in no window + {want.late} late + 0 rejected" in summary
