"""Programs that serve together, and what runs beside them: when one ends, or when told to stop, all of them end."""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

GRACE_SECONDS = 30.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
STEADY_SECONDS = 60.0
_LOOK_SECONDS = 0.2
_logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Chore:
    """A command that is run every so many seconds beside the others, the first time after as many.

    Its failure is logged and ends nothing. One that still runs when it is due again is left to end first.
    """

    name: str
    command: Sequence[str]
    seconds: float
    _due: float = field(init=False)
    _process: subprocess.Popen[bytes] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._due = time.monotonic() + self.seconds

    def look_after(self, directory: Path) -> None:
        """Start it when it is due, and log how it failed."""
        if self._process and self._process.poll() is not None:
            if self._process.returncode:
                _logger.error("The %s %s; it is tried again when it is due.", self.name, _how_ended(self._process))
            self._process = None
        if not self._process and time.monotonic() >= self._due:
            self._due = time.monotonic() + self.seconds
            self._process = _start(self.command, directory)

    def running(self) -> list[subprocess.Popen[bytes]]:
        """Its process, if it has one."""
        return [self._process] if self._process else []


@dataclass(slots=True)
class Helper:
    """A command that runs beside the others and is started again whenever it ends, whatever ended it.

    Before that it pauses FIRST_PAUSE seconds, each time twice as long, LONGEST_PAUSE at most; once it ran for
    STEADY_SECONDS the pauses begin anew.
    """

    name: str
    command: Sequence[str]
    _due: float = field(init=False, default=0.0)
    _pause: float = field(init=False, default=0.0)
    _started: float = field(init=False, default=0.0)
    _process: subprocess.Popen[bytes] | None = field(init=False, default=None)

    def look_after(self, directory: Path) -> None:
        """Start it when it is due, and log how it ended."""
        if self._process and self._process.poll() is not None:
            steady = time.monotonic() - self._started >= STEADY_SECONDS
            self._pause = min(2 * self._pause, LONGEST_PAUSE) if self._pause and not steady else FIRST_PAUSE
            self._due = time.monotonic() + self._pause
            ended = _how_ended(self._process)
            _logger.error("The %s %s; it is started again in %g s.", self.name, ended, self._pause)
            self._process = None
        if not self._process and time.monotonic() >= self._due:
            self._started = time.monotonic()
            self._process = _start(self.command, directory)

    def running(self) -> list[subprocess.Popen[bytes]]:
        """Its process, if it has one."""
        return [self._process] if self._process else []


def run_together(
    commands: Mapping[str, Sequence[str]], *, directory: Path, beside: Sequence[Chore | Helper] = ()
) -> str | None:
    """Run the named commands, and what is beside them, until SIGTERM or SIGINT, or until the first command ends.

    Whatever still runs then gets SIGTERM, and after GRACE_SECONDS SIGKILL, with its own children. Returns None when
    told to stop, else a sentence that names the command which ended. Must be called from the main thread.
    """
    told_to_stop: list[int] = []

    def note(signal_number: int, frame: FrameType | None) -> None:
        told_to_stop.append(signal_number)

    before = {number: signal.signal(number, note) for number in (signal.SIGTERM, signal.SIGINT)}
    running: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, command in commands.items():
            running[name] = _start(command, directory)
        while not told_to_stop and all(process.poll() is None for process in running.values()):
            for other in beside:
                other.look_after(directory)
            time.sleep(_LOOK_SECONDS)
        return None if told_to_stop else _sentence(running)
    finally:
        _end([*running.values(), *(process for other in beside for process in other.running())])
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(command: Sequence[str], directory: Path) -> subprocess.Popen[bytes]:
    """In a group of its own: the terminal's Ctrl-C reaches us alone, and we pass it on once."""
    return subprocess.Popen(command, cwd=directory, process_group=0)  # noqa: S603 - our own commands


def _sentence(running: Mapping[str, subprocess.Popen[bytes]]) -> str:
    name, ended = next((name, process) for name, process in running.items() if process.returncode is not None)
    return f"The {name} {_how_ended(ended)}, so everything else was stopped."


def _how_ended(process: subprocess.Popen[bytes]) -> str:
    code = process.returncode
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended by itself with exit code {code}"


def _end(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    deadline = time.monotonic() + GRACE_SECONDS
    for process in processes:
        process.terminate()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=max(0.0, deadline - time.monotonic()))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
