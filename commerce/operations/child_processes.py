"""Child processes of `serve`: executables, and commands of manage.py, which it forks."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, cast

from django.core.management import CommandError, call_command
from django.db import connections

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_LONGEST_NAME = 15  # the kernel truncates longer ones


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


def program(*words: str) -> Start:
    """An executable, by its command line."""

    def start(directory: Path) -> Process:
        # A process group of its own: only we receive the terminal's Ctrl-C, and pass it on once.
        return subprocess.Popen(words, cwd=directory, process_group=0)  # noqa: S603 - our own commands

    return start


def command(name: str, *words: str) -> Start:
    """A command of manage.py: a fork of this process where that is safe, else another Python process.

    A fork starts at once and shares the code in memory, where another process takes seconds of CPU and 100 MB.
    name: what `ps -o comm` and `top` show.
    """

    def start(directory: Path) -> Process:
        return _Fork(name, words) if _can_fork() else program(sys.executable, "manage.py", *words)(directory)

    return start


def prepare_forks() -> None:
    """Close the database connections, which forks must not share, and keep the garbage collector off shared memory."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()  # its threads
    gc.collect()
    gc.freeze()


def _can_fork() -> bool:
    """Whether forking is safe: only on Linux, and without other threads, whose locks would stay held in the fork."""
    return sys.platform == "linux" and threading.active_count() == 1


class _Fork:
    """A fork that runs a command of manage.py. Stop signals are blocked until it has reset their handlers."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        self._process = multiprocessing.get_context("fork").Process(target=_run, args=(name, words))
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        self.pid = cast("int", self._process.pid)
        with suppress(OSError):  # it has ended
            os.setpgid(self.pid, self.pid)

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("a fork", timeout or 0)
        return self._process.exitcode


def _run(name: str, words: Sequence[str]) -> None:
    """Runs in the fork."""
    with suppress(OSError):  # the parent has done it
        os.setpgid(0, 0)
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    Path("/proc/self/comm").write_text(name[:_LONGEST_NAME])
    try:
        call_command(*words)
    except CommandError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.returncode)
