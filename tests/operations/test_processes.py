"""Chores beside programs that serve together."""

import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from commerce.operations.processes import Chore, run_together

SERVING = [sys.executable, "-c", "import time; time.sleep(2)"]


def run_beside(chore: Chore, directory: Path, serving: Sequence[str] = SERVING) -> str | None:
    return run_together({"server": serving}, directory=directory, chores=[chore])


def test_a_chore_is_run_again_and_again(tmp_path: Path) -> None:
    chore = Chore("counting", ["sh", "-c", "echo done >> runs"], 0.4)
    assert run_beside(chore, tmp_path) == "The server ended by itself with exit code 0, so everything else was stopped."
    assert 2 <= (tmp_path / "runs").read_text().count("done") <= 5


def test_its_failure_is_logged_and_ends_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        ended = run_beside(Chore("pruning", ["sh", "-c", "exit 3"], 1.2), tmp_path)
    assert ended == "The server ended by itself with exit code 0, so everything else was stopped."
    assert caplog.messages == ["The pruning ended by itself with exit code 3; it is tried again when it is due."]


def test_one_that_still_runs_is_not_started_twice_and_ends_with_the_others(tmp_path: Path) -> None:
    begun = time.monotonic()
    run_beside(Chore("sleeping", ["sh", "-c", "echo done >> runs; exec sleep 25"], 0.3), tmp_path)
    assert time.monotonic() - begun < 15
    assert (tmp_path / "runs").read_text().count("done") == 1
