"""Runs processes together until they are stopped, and restarts those that end. Does not import Django."""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Protocol

from commerce.operations.server.child_processes import Process, Start
from kit.commands.interruption import STOP_SIGNALS

GRACE_SECONDS = 30.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 5.0
STEADY_SECONDS = 60.0
_LOOK_SECONDS = 0.2
_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class RestartedCommand:
    """A command that is restarted whenever it ends, for whatever reason. Its child processes end with it.

    The first restart waits FIRST_PAUSE seconds, each further one twice as long, up to LONGEST_PAUSE. After
    STEADY_SECONDS of running the waits start over.
    """

    name: str
    start: Start
    _due: float = field(init=False, default=0.0)
    _pause: float = field(init=False, default=0.0)
    _started: float = field(init=False, default=0.0)
    _process: Process | None = field(init=False, default=None)

    def supervise(self, directory: Path) -> None:
        """Start the command when it is due, and log how it ended."""
        if self._process and self._process.poll() is not None:
            steady = time.monotonic() - self._started >= STEADY_SECONDS
            self._pause = min(2 * self._pause, LONGEST_PAUSE) if self._pause and not steady else FIRST_PAUSE
            self._due = time.monotonic() + self._pause
            ended = _how_ended(self._process)
            _logger.error("The %s %s; it will be restarted in %g s.", self.name, ended, self._pause)
            _kill_group(self._process)
            self._process = None
        if not self._process and time.monotonic() >= self._due:
            self._started = time.monotonic()
            self._process = self.start(directory)

    def running(self) -> list[Process]:
        """The running process, if there is one."""
        return [self._process] if self._process else []


class Part(Protocol):
    """Something that `run_together` supervises, several times a second."""

    def supervise(self, directory: Path) -> None:
        """Do what is due. Must return quickly."""

    def running(self) -> list[Process]:
        """The processes to end when all parts are stopped."""


def run_together(parts: Sequence[Part], *, directory: Path, grace_seconds: float = GRACE_SECONDS) -> None:
    """Supervise the parts until SIGTERM or SIGINT.

    Processes that are still running then get SIGTERM and, after `grace_seconds`, SIGKILL, as do their children. Must be
    called from the main thread.
    """
    stop_signals: list[int] = []

    def note(signal_number: int, frame: FrameType | None) -> None:
        stop_signals.append(signal_number)

    before = {number: signal.signal(number, note) for number in STOP_SIGNALS}
    try:
        while not stop_signals:
            for part in parts:
                part.supervise(directory)
            time.sleep(_LOOK_SECONDS)
    finally:
        _end([process for part in parts for process in part.running()], grace_seconds)
        for number, handler in before.items():
            signal.signal(number, handler)


def _how_ended(process: Process) -> str:
    code = process.returncode or 0
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended by itself with exit code {code}"


def _end(processes: Sequence[Process], grace_seconds: float) -> None:
    deadline = time.monotonic() + grace_seconds
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
        _kill_group(process)


def _kill_group(process: Process) -> None:
    """Kill the process and its remaining children, and wait for those that are ours: all, if we are process 1."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-process.pid, 0)
