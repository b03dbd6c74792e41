"""Programs that serve together."""

import logging
import os
import signal
import time
from pathlib import Path

import pytest

from commerce.operations.server import processes
from commerce.operations.server.child_processes import Process, program
from commerce.operations.server.processes import Part, RestartedCommand, run_together
from tests.operations.server.test_serve import alive

pytestmark = [pytest.mark.every(3), pytest.mark.once]


class Stop:
    """Stops everything after that many seconds, as an operator does."""

    def __init__(self, seconds: float) -> None:
        self._due = time.monotonic() + seconds

    def supervise(self, directory: Path) -> None:
        if time.monotonic() >= self._due:
            os.kill(os.getpid(), signal.SIGTERM)

    def running(self) -> list[Process]:
        return []


def run_for(seconds: float, part: Part, directory: Path) -> None:
    run_together([part, Stop(seconds)], directory=directory)


def test_a_helper_that_dies_ends_nothing_and_is_started_again_after_ever_longer_pauses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    dying = RestartedCommand("worker", program("sh", "-c", "echo done >> runs; exit 3"))
    with caplog.at_level(logging.ERROR):
        run_for(5, dying, tmp_path)
    assert caplog.messages == [
        "The worker ended by itself with exit code 3; it will be restarted in 1 s.",
        "The worker ended by itself with exit code 3; it will be restarted in 2 s.",
        "The worker ended by itself with exit code 3; it will be restarted in 4 s.",
    ]
    assert (tmp_path / "runs").read_text().count("done") == 3


def test_the_pauses_grow_to_the_longest(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FIRST_PAUSE", 0.1)
    monkeypatch.setattr(processes, "LONGEST_PAUSE", 0.3)
    with caplog.at_level(logging.ERROR):
        run_for(4, RestartedCommand("worker", program("sh", "-c", "kill -9 $$")), tmp_path)
    pauses = [message.removeprefix("The worker was killed by SIGKILL; it will be ") for message in caplog.messages]
    assert pauses[:4] == [f"restarted in {seconds} s." for seconds in (0.1, 0.2, 0.3, 0.3)]


def test_a_helper_that_ran_steadily_is_started_again_after_the_first_pause(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "FIRST_PAUSE", 0.2)
    monkeypatch.setattr(processes, "STEADY_SECONDS", 0.5)
    with caplog.at_level(logging.ERROR):
        run_for(4, RestartedCommand("worker", program("sleep", "0.6")), tmp_path)
    assert len(caplog.messages) >= 2
    assert set(caplog.messages) == {"The worker ended by itself with exit code 0; it will be restarted in 0.2 s."}


def test_a_helper_ends_with_the_others(tmp_path: Path) -> None:
    begun = time.monotonic()
    run_for(2, RestartedCommand("worker", program("sh", "-c", "echo $$ > pid; exec sleep 25")), tmp_path)
    assert time.monotonic() - begun < 15
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


def test_what_a_killed_helper_has_started_ends_before_it_is_started_again(tmp_path: Path) -> None:
    run_for(2, RestartedCommand("worker", program("sh", "-c", "sleep 25 & echo $! >> children; kill -9 $$")), tmp_path)
    children = (tmp_path / "children").read_text().split()
    assert len(children) >= 2
    assert not [child for child in children if alive(int(child))]
