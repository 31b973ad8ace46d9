"""The same job on threads and on separate executor processes, one of which is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prsp.bench.stream import write_stream
from tests.data import ROOT

CLUSTER = "local-cluster[2,1,1024]"


def start(master: str, folder: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.transform.cluster", master, str(folder / "in"), str(folder / name)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def finished(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return output


def executors(root: int) -> list[int]:
    """The executor processes among the descendants of a process."""
    parents, executor = {}, []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])
                if b"CoarseGrainedExecutorBackend" in (entry / "cmdline").read_bytes():
                    executor.append(int(entry.name))
            except OSError:
                continue  # it ended while we looked

    def descends(pid: int) -> bool:
        while pid > 1 and pid != root:
            pid = parents.get(pid, 0)
        return pid == root

    return [pid for pid in executor if descends(pid)]


@pytest.mark.spark
def test_threads_processes_and_a_killed_executor_cut_the_same_windows(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_stream(tmp_path / "in", 300_000, per_second=5_000)
    local = finished(start("local[2]", tmp_path, "local"))
    assert local.split()[1] == "300006"
    assert finished(start(CLUSTER, tmp_path, "cluster")) == local
    process = start(CLUSTER, tmp_path, "killed")
    killed: list[int] = []
    while process.poll() is None and not killed:
        if len(list((tmp_path / "killed" / "panes").glob("[0-9]*"))) > 3:
            killed = executors(process.pid)[:1]
            for pid in killed:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    assert finished(process) == local
    assert killed, "no executor was there to be killed"
