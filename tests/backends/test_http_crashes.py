"""Runs of the http backend that end badly: what they leave is known, can be removed, and is taken for nothing else."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from prsp.errors import DeadlineExceeded, EngineError, InputError
from prsp.model.query import Rho
from prsp.model.term import IRI
from prsp.parse import parse_rho
from prsp.testing.windows import snapshot_of
from prsp_backends.http import abandoned
from tests.backends import victim
from tests.backends.recorder import Recorder, path_of
from tests.backends.user_store import SAYS, WAYS, answer, difference, fed, graphs, http, of_others, options, rows, update, values, words
from tests.cli.run import prsp
from tests.data import ROOT
from tests.servers import Endpoint

MOMENTS = [("graph", stop) for stop in ("prepared", "loaded", "evaluated", "windows")]
MOMENTS += [("delta", stop) for stop in ("prepared", "loaded", "evaluated", "windows")]
MOMENTS += [(way, "windows") for way in WAYS if " by " in way]


@contextmanager
def running(endpoint: Endpoint, way: str, stop: str) -> Iterator[subprocess.Popen[str]]:
    """A run in a process of its own that has come as far as it is told to; with ``windows`` it does not stop there."""
    command = [sys.executable, "-m", "tests.backends.victim", json.dumps(options(endpoint, way)), stop]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            wanted = 6 if stop == "windows" else 1
            for line in process.stdout:
                wanted -= line.strip() == ("evaluated" if stop == "windows" else stop)
                if not wanted:
                    break
            assert process.poll() is None
            yield process
        finally:
            process.kill()


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    time.sleep(0.2)  # what it had asked for last is done by then


@pytest.mark.parametrize(("way", "stop"), MOMENTS)
def test_a_killed_run_is_listed_and_removed_and_the_rest_stays(store: Endpoint, untouched: None, way: str, stop: str) -> None:
    before, backend = rows(store), http(store, way)
    with running(store, way, stop) as process:
        assert (backend.leftovers(), backend.remove_leftovers()) == ([], []), "it is alive"
        kill(process)
    assert difference(before, rows(store)) != ""
    assert difference(before, of_others(rows(store), victim.NAMED)) == ""
    (told,) = backend.leftovers()
    assert re.fullmatch(rf"run [0-9a-f-]{{36}} of \S+, process {process.pid} on \S+: .*", told)
    assert all(graph in told for graph in victim.NAMED if stop != "prepared" or graph == "urn:test:static")
    assert backend.remove_leftovers() == [told]
    assert (backend.leftovers(), backend.remove_leftovers()) == ([], [])


def test_the_same_run_again_takes_the_place_of_one_that_was_killed(store: Endpoint, untouched: None) -> None:
    with running(store, "graph", "loaded") as process:
        kill(process)
    with fed(http(store), parse_rho(victim.QUERY), victim.STATIC) as feed:
        feed.give(snapshot_of({None: b"_:b <urn:p> <urn:o> .\n", "urn:test:window": b"_:b <urn:q> <urn:n> .\n"}))
        assert len(values(feed.evaluate())) == 1
    assert http(store).leftovers() == []


def run_of(endpoint: Endpoint, name: str, place: str, pid: int, born: str, *graphs: str) -> None:
    """An entry in the ledger as a run would make it."""
    facts = {"place": place, "pid": str(pid), "born": born, "started": "2020-01-01T00:00:00+00:00"}
    lines = [f'<urn:prsp:run:{name}> <urn:prsp:{key}> "{value}" .' for key, value in facts.items()]
    lines += [f"<urn:prsp:run:{name}> <urn:prsp:graph> <{graph}> ." for graph in graphs]
    update(endpoint, f"INSERT DATA {{ GRAPH <urn:prsp:run:{name}> {{ {' '.join(lines)} }} }}")
    for graph in graphs:
        update(endpoint, f"INSERT DATA {{ GRAPH <{graph}> {{ <urn:s> <urn:p> <urn:o> }} }}")


def test_a_run_of_another_machine_is_removed_only_when_it_is_named(store: Endpoint, untouched: None) -> None:
    run_of(store, "far", "elsewhere/boot/pid", 1, "7", "urn:prsp:window:far", "urn:far")
    backend = http(store)
    (told,) = backend.leftovers()
    assert told.startswith("run far of 2020-01-01T00:00:00+00:00, process 1 on elsewhere: ")
    assert told.endswith("(on another machine, or before a restart of this one: removed only when named)")
    assert backend.remove_leftovers() == []
    with pytest.raises(InputError, match="no run nobody"):
        backend.remove_leftovers(["far", "nobody"])
    with pytest.raises(EngineError, match="in use by another run far"):
        answer(backend, SAYS, {None: b"", "urn:far": b""})
    assert len(backend.remove_leftovers(["far"])) == 1


def test_a_living_run_is_never_removed_nor_a_graph_that_a_dead_one_claims_as_well(store: Endpoint, untouched: None) -> None:
    rho = parse_rho("SELECT ?o { GRAPH <urn:w> { ?s ?p ?o } }")
    backend = http(store)
    with fed(backend, rho) as feed:
        feed.give(snapshot_of({"urn:w": b"<urn:s> <urn:p> <urn:o> .\n"}))
        (mine,) = graphs(store, "urn:prsp:run:")
        with pytest.raises(InputError, match="still alive"):
            backend.remove_leftovers([mine.removeprefix("urn:prsp:run:")])
        (place,) = {str(row[3])[1:-1] for row in rows(store) if row[2] == IRI("urn:prsp:place")}
        # A process that died after it had claimed a name and before it could see that the name was taken.
        run_of(store, "dead", place, 2**22 + 1, "7", "urn:prsp:window:dead")
        update(store, "INSERT DATA { GRAPH <urn:prsp:run:dead> { <urn:prsp:run:dead> <urn:prsp:graph> <urn:w> } }")
        assert len(backend.remove_leftovers()) == 1
        assert values(feed.evaluate()) == [("<urn:o>",)]


def given_up(recorder: Recorder, rho: Rho, window: Mapping[str | None, bytes]) -> None:
    """A session whose window the endpoint works on for longer than anybody waits; it is written after the session's end."""
    with fed(http(recorder.endpoint, "graph by update"), rho) as feed:
        if None not in window:
            feed.give(snapshot_of(dict.fromkeys(window, b"<urn:first> <urn:p> <urn:o> .\n")))
        recorder.late.add(path_of(recorder.endpoint.update))
        with pytest.raises(DeadlineExceeded):
            feed.give(snapshot_of(window, number=1), deadline=time.monotonic() + 0.3)
    assert recorder.late == set()


def test_what_an_endpoint_writes_after_it_was_given_up_is_found_and_removed(recorder: Recorder, store: Endpoint, untouched: None) -> None:
    before = rows(store)
    given_up(recorder, SAYS, {None: b"<urn:late> <urn:p> <urn:o> .\n"})
    recorder.gate.set()
    assert recorder.passed.wait(30)
    assert [row for row in rows(store) if row[1] == IRI("urn:late")], "it was written"
    assert difference(before, of_others(rows(store))) == ""
    assert answer(http(store), SAYS, {None: b"<urn:next> <urn:p> <urn:o> .\n"}) == [("<urn:next>", "<urn:o>")]


def test_what_was_given_up_and_is_never_written_is_forgotten_in_time(
    recorder: Recorder, store: Endpoint, untouched: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abandoned, "_SETTLES", 0.5)
    given_up(recorder, SAYS, {None: b"<urn:late> <urn:p> <urn:o> .\n"})
    assert graphs(store, "urn:prsp:run:"), "it stays in the ledger"
    time.sleep(0.5)
    answer(http(store), SAYS, {None: b""})
    assert not graphs(store, "urn:prsp:")
    recorder.gate.set()
    assert recorder.passed.wait(30)
    (orphan,) = graphs(store, "urn:prsp:")
    update(store, f"DROP GRAPH <{orphan}>")


def test_a_window_that_was_given_up_is_never_taken_for_the_next_one(recorder: Recorder, store: Endpoint, untouched: None) -> None:
    rho = parse_rho("SELECT ?s { GRAPH <urn:w> { ?s ?p ?o } }")
    given_up(recorder, rho, {"urn:w": b"<urn:late> <urn:p> <urn:o> .\n"})
    with fed(http(recorder.endpoint, "graph by update"), rho) as feed, pytest.raises(DeadlineExceeded, match="in time"):
        feed.give(snapshot_of({"urn:w": b"<urn:next> <urn:p> <urn:o> .\n"}), deadline=time.monotonic() + 0.5)
    recorder.gate.set()
    with fed(http(recorder.endpoint, "graph by update"), rho) as feed:
        feed.give(snapshot_of({"urn:w": b"<urn:next> <urn:p> <urn:o> .\n"}))
        assert recorder.passed.is_set()
        assert values(feed.evaluate()) == [("<urn:next>",)]


def test_leftovers_are_listed_and_removed_from_the_command_line(store: Endpoint, untouched: None) -> None:
    command = ["backends", "leftovers", "http", *words(store)]
    with running(store, "graph", "loaded") as process:
        assert prsp(*command, "--remove").stdout == "nothing is left of earlier runs\n"
        kill(process)
    run_of(store, "far", "elsewhere/boot/pid", 1, "7", "urn:far")
    listed = prsp(*command).stdout.splitlines()
    assert [f"process {process.pid} on" in line or "removed only when named" in line for line in listed] == [True, True]
    unsaid = prsp(*command, "far")
    assert (unsaid.returncode, "leftovers http --remove far" in unsaid.stderr) == (2, True)
    removed = prsp(*command, "--remove").stdout.splitlines()
    assert removed == [f"removed {line}" for line in listed if "only when named" not in line]
    unknown = prsp(*command, "--remove", "nobody")
    assert (unknown.returncode, "no run nobody" in unknown.stderr) == (2, True)
    (last,) = prsp(*command, "--remove", "far").stdout.splitlines()
    assert last.startswith("removed run far of ")
    assert prsp(*command).stdout == "nothing is left of earlier runs\n"
