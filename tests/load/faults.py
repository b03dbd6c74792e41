"""What goes wrong during the load test, and when: processes are killed, and PostgreSQL restarts once."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from tests.bench.processes import PROC, tree
from tests.crash.faults import web_processes
from tests.plugins.clusters import Cluster

GRACE_SECONDS = 5.0
SETTLED = 0.2
"""The part of the test after which memory is measured for the first time: of ten minutes, two."""


@dataclass(frozen=True, slots=True)
class Fault:
    """From the moment of it until the shop could answer again, by the machine's clock."""

    name: str
    began: float
    ended: float

    def excuses(self, moment: float) -> bool:
        """Whether a request may fail that ends then."""
        return self.began <= moment <= self.ended + GRACE_SECONDS


@dataclass
class Faults:
    """Causes them. Every fourth kill is of the background process, the others of the youngest web process.

    So the oldest web process lives as long as the test, and its memory shows what leaks. Several servers take turns.
    """

    server_pids: list[int]
    cluster: Cluster
    happened: list[Fault] = field(default_factory=list)
    killed: int = 0

    def kill(self) -> None:
        """Kill one process."""
        is_background = self.killed % 4 == 3
        server = self.server_pids[self.killed // 4 % len(self.server_pids)]
        victims = background_processes(server) if is_background else web_processes(server)
        moment = time.time()
        with suppress(ProcessLookupError, IndexError):  # it is just being started again
            os.kill(victims[-1], signal.SIGKILL)
            self.killed += 1
            self.happened.append(Fault("background" if is_background else "web", moment, moment))

    def restart_database(self) -> None:
        """Crash PostgreSQL, and wait until it accepts connections."""
        began = time.time()
        self.cluster.crash()
        self.happened.append(Fault("PostgreSQL", began, time.time()))

    def excuse(self, moment: float) -> bool:
        """Whether a request may fail that ends then."""
        return any(fault.excuses(moment) for fault in self.happened)


def background_processes(server_pid: int) -> list[int]:
    """The one that runs tasks, emails and webhooks."""
    return [pid for pid in tree(server_pid) if _name(pid) == "background work"]


def _name(pid: int) -> str:
    with suppress(FileNotFoundError):
        return (PROC / f"{pid}/comm").read_text().strip()
    return ""


def spread(kills: int, seconds: float) -> Iterator[tuple[float, bool]]:
    """When what happens: seconds from the start, and whether PostgreSQL restarts then instead of a kill.

    Memory is measured before the first fault, and some time after the last.
    """
    first, last = seconds * SETTLED, seconds * 0.95
    moments = [(first + (last - first) * (number + 0.5) / kills, False) for number in range(kills)]
    yield from sorted([*moments, ((first + last) / 2, True)])
