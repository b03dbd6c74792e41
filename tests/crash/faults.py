"""What goes wrong while clients redeem: web processes are killed again and again, and PostgreSQL crashes once."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass

from tests.bench.processes import PROC, tree
from tests.plugins.clusters import Cluster


@dataclass(slots=True)
class Faults:
    """Spread over the work: by how much of it is done, so that the server is never killed faster than it recovers.

    kills: how many web processes are to be killed, the oldest first.
    """

    server_pid: int
    cluster: Cluster
    kills: int
    killed: int = 0
    crashes: int = 0

    def cause(self, done: float) -> None:
        """What is due when that part of the work is done, of 0 to 1."""
        if not self.crashes and done >= 0.5:
            self.cluster.crash()
            self.crashes += 1
        if self.killed < self.kills * done:
            with suppress(ProcessLookupError, IndexError):  # all are gone, and the next ones not started yet
                os.kill(web_processes(self.server_pid)[0], signal.SIGKILL)
                self.killed += 1


def web_processes(server_pid: int) -> list[int]:
    """Those that answer requests, of all the processes below the server's own; the oldest first."""
    granians = [pid for pid in tree(server_pid) if b"granian" in _words(pid)]
    webs = [pid for pid in granians if any(pid in tree(other)[1:] for other in granians)]
    return sorted(webs, key=_started)


def _started(pid: int) -> int:
    """The moment, in the kernel's ticks."""
    try:
        return int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19])
    except FileNotFoundError:
        return 0


def _words(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes()
    except FileNotFoundError:
        return b""
