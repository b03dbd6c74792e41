"""Programs that serve together: when one ends, or when told to stop, all of them end."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType

GRACE_SECONDS = 30.0
_LOOK_SECONDS = 0.2


def run_together(commands: Mapping[str, Sequence[str]], *, directory: Path) -> str | None:
    """Run the named commands until SIGTERM or SIGINT, or until the first of them ends by itself.

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
            # A group of its own: the terminal's Ctrl-C reaches us alone, and we pass it on once.
            running[name] = subprocess.Popen(command, cwd=directory, process_group=0)  # noqa: S603 - our own commands
        while not told_to_stop and all(process.poll() is None for process in running.values()):
            time.sleep(_LOOK_SECONDS)
        return None if told_to_stop else _sentence(running)
    finally:
        _end(list(running.values()))
        for number, handler in before.items():
            signal.signal(number, handler)


def _sentence(running: Mapping[str, subprocess.Popen[bytes]]) -> str:
    name, code = next((name, process.returncode) for name, process in running.items() if process.returncode is not None)
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended by itself with exit code {code}"
    return f"The {name} {how}, so everything else was stopped."


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
