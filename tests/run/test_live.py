"""Live runs: fed file by file, killed without warning, resumed; nothing is lost and nothing is different."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from prsp.model.profile import Bounds
from prsp.model.window import TimeWindow
from prsp.transform.reference import Element, Outcome, Seen, window_close
from tests.data import ROOT
from tests.servers import Endpoint
from tests.transform.build import triple, write

FILES = 24
KILLS = 2
LONG_KILLS = 8
LATENESS = 100
Engine = tuple[str, dict[str, str]]
OXIGRAPH: Engine = ("oxigraph", {})


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


def start(folder: Path, engine: Engine, operator: str) -> subprocess.Popen[bytes]:
    # A session of its own, so that the JVM and the Python workers can be killed with it.
    command = [sys.executable, "-m", "tests.run.live", str(folder), engine[0], json.dumps(engine[1]), operator]
    with (folder / "stderr").open("ab") as errors:
        return subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=errors)


def results(folder: Path) -> dict[str, object]:
    """The results by id; each stands in one file of the output directory."""
    found: dict[str, object] = {}
    for path in (folder / "out").rglob("*"):
        if path.is_file():
            document = json.loads(path.read_bytes())
            assert document["id"] not in found
            assert path.name == f"{document['at']:020d}-{document['seq']}.ndjson"
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


def dealt(folder: Path) -> int | None:
    """The last instant whose evaluation is committed."""
    path = folder / "checkpoint" / "progress.json"
    queries = json.loads(path.read_bytes())["queries"] if path.exists() else []
    at: int | None = queries[0]["at"] if queries else None
    return at


@cache
def reference() -> Outcome:
    """What the reference says of the whole stream."""
    elements = [element for file in stream() for element in file]
    smallest = min(e.time for e in stream()[0] + stream()[1])
    return window_close(elements, TimeWindow(400, 150), t0=smallest, bounds=Bounds.CLOSED, lateness=LATENESS)


def passed() -> list[Seen]:
    """The windows that have passed when everything has arrived."""
    largest = max(element.time for file in stream() for element in file)
    return [w for w in reference().windows if largest - LATENESS > w.at]


def run_fed(folder: Path, engine: Engine = OXIGRAPH, *, kills: int, operator: str = "rstream") -> dict[str, object]:
    (folder / "in").mkdir(parents=True)
    chance = random.Random(kills)
    files = stream()
    for number in range(2):
        feed(folder, number, files[number])
    lives = [start(folder, engine, operator)]
    try:
        feed_and_kill(folder, engine, operator, kills, chance, lives)
        # A run that is stopped finishes the window in hand, not all that are due.
        wait_until(lambda: progress(folder) == FILES and dealt(folder) == passed()[-1].at)
        (folder / "stop").touch()
        assert lives[-1].wait(60) == 0, (folder / "stderr").read_text(encoding="utf-8")
    finally:
        end(lives[-1])
    return results(folder)


def end(life: subprocess.Popen[bytes]) -> None:
    """With the JVM and the workers it started; nothing where it has ended by itself."""
    if life.poll() is None:
        os.killpg(life.pid, signal.SIGKILL)
        life.wait()


def feed_and_kill(
    folder: Path, engine: Engine, operator: str, kills: int, chance: random.Random, lives: list[subprocess.Popen[bytes]]
) -> None:
    """Feeds the rest of the files; every now and then the run is killed, and another one goes on."""
    files = stream()
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
        end(lives[-1])
        lives.append(start(folder, engine, operator))


def engines(fuseki: Endpoint) -> dict[str, tuple[Engine, str]]:
    """The engines that are killed, each under an operator of its own."""
    urls = {"query": fuseki.query, "update": fuseki.update, "store": fuseki.store}
    return {"oxigraph": (OXIGRAPH, "rstream"), "spectra": (("spectra", {}), "istream"), "fuseki": (("http", urls), "dstream")}


def check_the_control(folder: Path, control: dict[str, object]) -> None:
    """What was never killed is what the reference says of the windows that have passed."""
    want, elements = reference(), [element for file in stream() for element in file]
    got = sorted((d["at"], d["windows"][0]["elements"]) for d in control.values())  # type: ignore[index]
    assert got == [(w.at, len(w.content)) for w in passed()]
    assert len(got) > 15
    summary = (folder / "summary.txt").read_text(encoding="utf-8")
    assert (
        f"{len(elements)} read = {want.in_windows} in windows + {want.in_no_window} in no window + {want.late} late + 0 rejected" in summary
    )


def without_frame(results: dict[str, object]) -> dict[int, list[str]]:
    """What came out at each instant, whoever answered: the rows as a bag."""
    found = {}
    for line in results.values():
        assert isinstance(line, dict)
        found[line["at"]] = sorted(json.dumps(row, sort_keys=True) for row in line["results"]["bindings"])
    return found


def differences(whole: dict[int, list[str]], operator: str) -> dict[int, list[str]]:
    """What an operator lets out of the whole answers, one after another."""
    found, before = {}, Counter[str]()
    for at in sorted(whole):
        now = Counter(whole[at])
        found[at] = sorted(((now - before) if operator == "istream" else (before - now)).elements())
        before = now
    return found


def check_killed(folder: Path, fuseki: Endpoint, kills: int) -> None:
    control = run_fed(folder / "control", kills=0)
    check_the_control(folder / "control", control)
    for name, (engine, operator) in engines(fuseki).items():
        # In CI the second and third engine are killed once: what is durable is the same for all of them.
        killed = run_fed(folder / name, engine, kills=kills if name == "oxigraph" or kills > KILLS else 1, operator=operator)
        whole = without_frame(control)
        assert without_frame(killed) == (whole if operator == "rstream" else differences(whole, operator)), name
        assert (folder / name / "late.nts").read_bytes() == (folder / "control" / "late.nts").read_bytes()
        if operator == "rstream":
            assert killed == control


@pytest.mark.spark
def test_killed_and_resumed_equals_never_killed(tmp_path: Path, fuseki: Endpoint) -> None:
    check_killed(tmp_path, fuseki, KILLS)


@pytest.mark.long
@pytest.mark.spark
def test_killed_many_times_and_resumed_equals_never_killed(tmp_path: Path, fuseki: Endpoint) -> None:
    check_killed(tmp_path, fuseki, LONG_KILLS)
