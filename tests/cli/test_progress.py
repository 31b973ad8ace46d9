"""What a run shows on a terminal while it goes on; elsewhere nothing."""

import io
import sys
import time

import pytest

from prsp.cli.progress import Progress
from prsp.cli.steps import Steps
from prsp.run import Status


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """In place of standard error; not a fixture, since pytest puts its own there when the test begins."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    return shown


def test_a_live_run_tells_elements_windows_rate_watermark_lag_and_whom_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with Progress(quiet=False) as progress:
        progress.show(Status())
        until = time.monotonic() + 30
        while "cutting" not in shown.getvalue() and time.monotonic() < until:
            time.sleep(0.05)  # the bar draws ten times a second
        progress.show(Status(elements=12_000, windows=34, watermark=5_000, lag=2_500, waiting="http://e/slow"))
    text = shown.getvalue()
    for said in (
        "starting Spark",
        "cutting",
        "12,000 elements",
        "34 windows",
        "elements/s",
        "watermark 5000",
        "lag 2.5 s",
        "waiting for http://e/slow",
    ):
        assert said in text


def test_the_bar_goes_to_the_end_for_cutting_and_again_for_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with Progress(quiet=False) as progress:
        for fraction in (0.5, 1.0, 0.25):
            progress.show(Status(elements=7, fraction=fraction))
    assert " 25%" in shown.getvalue()


def test_steps_are_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with Steps(quiet=False) as steps:
        steps.show("3 of 4, sliding-20: measuring", 0.75)
    assert "3 of 4, sliding-20: measuring" in shown.getvalue()


@pytest.mark.parametrize("kind", [Progress, Steps])
def test_quiet_and_no_terminal_show_nothing(kind: type[Progress] | type[Steps], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    with kind(quiet=True):
        pass
    assert shown.getvalue() == ""
    plain = io.StringIO()
    monkeypatch.setattr(sys, "stderr", plain)
    with kind(quiet=False):
        pass
    assert plain.getvalue() == ""
