"""Child processes of `serve` and of its background process. Does not import Django, which `serve` does not load."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Process(Protocol):
    """A child process with the interface of subprocess.Popen. It leads a process group of its own."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal that killed it; None until `poll` or `wait` has seen its end."""

    def poll(self) -> int | None: ...

    def terminate(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


Start = Callable[[Path], Process]
"""Starts a process in the given directory."""

PROCESS_NAME = "COMMERCE_PROCESS"
"""The variable that names a process, for the metrics of processes."""


def program(*words: str, name: str = "") -> Start:
    """An executable, by its command line. name: what metrics call the process."""

    def start(directory: Path) -> Process:
        environment = {**os.environ, PROCESS_NAME: name}
        # A process group of its own: only we receive the terminal's Ctrl-C, and pass it on once.
        return subprocess.Popen(words, cwd=directory, env=environment, process_group=0)  # noqa: S603 - our own commands

    return start


def command(*words: str, name: str = "") -> Start:
    """A command of manage.py."""
    return program(sys.executable, "manage.py", *words, name=name)
