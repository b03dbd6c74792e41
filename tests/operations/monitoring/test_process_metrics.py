"""The names under which processes are measured: by what the supervisor called them, and by their place."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from commerce.operations.monitoring.process_metrics import ProcessesCollector, named_processes
from commerce.operations.server.child_processes import Process, program
from tests.waiting import until

pytestmark = pytest.mark.once
WITH_A_CHILD = ("sh", "-c", "sleep 60 & wait")


@pytest.fixture
def children(tmp_path: Path) -> Iterator[dict[str, Process]]:
    """Processes of this one, each with one of its own."""
    started = {name: program(*WITH_A_CHILD, name=name)(tmp_path) for name in ("web 1", "web 2", "background", "")}
    yield started
    for process in started.values():
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_managers_stand_above_web_processes_and_jobs_below_the_background(children: dict[str, Process]) -> None:
    names = {"supervisor", "web 1 manager", "web 1", "web 2 manager", "web 2", "background", "jobs"}
    until(lambda: named_processes(os.getpid()).keys() == names, seconds=60)
    found = named_processes(os.getpid())
    for name, process in (("web 1 manager", "web 1"), ("web 2 manager", "web 2"), ("background", "background")):
        assert found[name] == children[process].pid
    for name, above in (("web 1", "web 1 manager"), ("web 2", "web 2 manager"), ("jobs", "background")):
        assert os.getpgid(found[name]) == found[above] != found[name]
    assert found["supervisor"] == os.getpid()
    assert len({*found.values()}) == len(names)


def test_each_metric_is_named_once_and_has_all_processes(children: dict[str, Process]) -> None:
    until(lambda: len(named_processes(os.getpid())) == 7, seconds=60)
    families = list(ProcessesCollector(os.getpid()).collect())
    assert len({family.name for family in families}) == len(families) == 6
    for family in families:
        assert len({sample.labels["process"] for sample in family.samples}) == len(family.samples) == 7
    (start,) = [family for family in families if family.name == "process_start_time_seconds"]
    again = [family for family in ProcessesCollector(os.getpid()).collect() if family.name == start.name]
    assert again == [start]
