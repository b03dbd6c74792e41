"""CPU time, memory and open files of all processes of a `serve`, each measured by prometheus-client.

It reads /proc, which only Linux has: elsewhere there are none of these metrics.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from prometheus_client import ProcessCollector
from prometheus_client.core import Metric

from commerce.operations.server.child_processes import PROCESS_NAME

_PROC = Path("/proc")


class ProcessesCollector:
    """`process_cpu_seconds_total` and others of its kind, with the name of the process as a label."""

    def __init__(self, supervisor: int) -> None:
        self._supervisor = supervisor

    def collect(self) -> Iterable[Metric]:
        families: dict[str, Metric] = {}
        for name, pid in named_processes(self._supervisor).items():
            for measured in _collector(pid).collect():
                family = Metric(measured.name, measured.documentation, measured.type)
                for sample in measured.samples:
                    families.setdefault(family.name, family).add_sample(sample.name, {"process": name}, sample.value)
        return families.values()


@lru_cache(maxsize=64)
def _collector(pid: int) -> ProcessCollector:
    """Kept, since it computes when the process started by a boot time that moves with the clock."""
    return ProcessCollector(pid=lambda: pid, registry=None)


def named_processes(supervisor: int) -> dict[str, int]:
    """The ids of the supervisor's process and of those below it that have names, by name.

    Below a web process's manager is the web process; below the background process, the process of jobs.
    """
    parents = dict(_parents())
    found = {"supervisor": supervisor}
    for child in _below(supervisor, parents):
        if name := _name_of(child):
            outer, inner = (f"{name} manager", name) if name.startswith("web ") else (name, "jobs")
            found[outer] = child
            for each in _below(child, parents):
                found[inner] = each
    return found


def _below(parent: int, parents: dict[int, int]) -> list[int]:
    """The ids of its children; of one that is being replaced, the successor comes last."""
    return sorted(pid for pid, its in parents.items() if its == parent)


def _parents() -> Iterator[tuple[int, int]]:
    """Each process with its parent."""
    for stat in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            yield int(stat.parent.name), int(stat.read_bytes().rpartition(b")")[2].split()[1])


def _name_of(pid: int) -> str:
    """What the supervisor called it; empty for others."""
    try:
        variables = (_PROC / f"{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return ""
    names = [each.partition(b"=")[2] for each in variables if each.startswith(f"{PROCESS_NAME}=".encode())]
    return os.fsdecode(names[-1]) if names else ""
