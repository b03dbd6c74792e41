"""`manage.py serve` whose processes are killed: those that are left end, and it can be started again at once."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crash.faults import web_processes
from tests.crash.test_jobs import a_deletion_of_tags
from tests.operations.server.test_serve import (
    PATIENCE,
    alive,
    answers,
    background_processes,
    command_line,
    descendants,
    end_of,
    name_of,
    port,
    serving,
    wait_until,
)
from tests.packages import ROOT

__all__ = ["port"]
pytestmark = [pytest.mark.every(3), pytest.mark.once]


@pytest.mark.django_db(transaction=True)
def test_all_processes_end_with_a_killed_supervisor_and_another_can_be_started_at_once(
    port: int, process_environment: dict[str, str]
) -> None:
    a_deletion_of_tags()
    with serving(port, process_environment) as server:
        wait_until(lambda: "jobs" in map(name_of, descendants(server.pid)), server)
        family = descendants(server.pid)
        assert len(family) == 4  # granian, its web process, the background process and its process of jobs
        server.kill()
        server.wait()
        with serving(port, process_environment) as another:
            wait_for_end(family)
            wait_until(lambda: bool(web_processes(another.pid)), another)
            (granian,) = (pid for pid in descendants(another.pid) if is_manager(pid))
            (web,) = web_processes(another.pid)
            another.kill()  # both at once: neither of them can end the web process
            os.kill(granian, signal.SIGKILL)
            wait_for_end([web])


@pytest.mark.django_db(transaction=True)
def test_it_is_process_1_of_a_container(port: int, process_environment: dict[str, str]) -> None:
    if os.geteuid() or not shutil.which("unshare"):
        pytest.skip("needs unshare, as root")
    contained = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    command = [*contained, sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1"]
    container = subprocess.Popen(command, cwd=ROOT, env=process_environment, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port), container)
        (supervisor,) = children(container.pid)
        assert process_numbers(supervisor)[-1] == 1
        (granian,) = (pid for pid in descendants(supervisor) if is_manager(pid))
        (web,) = web_processes(supervisor)
        (background,) = (pid for pid in descendants(supervisor) if name_of(pid) == "background work")
        time.sleep(1)  # four times as long as they take to see that they are orphans
        assert alive(web)
        assert alive(background)
        os.kill(granian, signal.SIGKILL)
        wait_until(lambda: web_processes(supervisor) not in ([], [web]) and answers(port), container)
        assert [pid for pid in descendants(supervisor) if not alive(pid)] == []  # no zombie is left
        os.kill(supervisor, signal.SIGTERM)
        assert container.wait(PATIENCE) == 0
    finally:
        with suppress(ProcessLookupError):
            container.kill()  # and with it all others
        container.wait()


@pytest.mark.django_db(transaction=True)
def test_killed_processes_are_started_again(port: int, process_environment: dict[str, str]) -> None:
    """The background process; granian, whose web process ends with it; and a process within seconds of its start."""
    with serving(port, process_environment) as server:
        assert any(line.startswith("Serving") for line in server.stdout)
        wait_until(lambda: bool(background_processes(server)), server)
        (background,) = background_processes(server)
        os.kill(background, signal.SIGKILL)
        (orphan,) = web_processes(server.pid)
        granian = next(child for child in descendants(server.pid) if b"granian" in command_line(child))
        os.kill(granian, signal.SIGKILL)
        wait_until(lambda: background_processes(server) not in ([], [background]), server)
        wait_until(lambda: web_processes(server.pid) not in ([], [orphan]) and answers(port), server)
        assert not alive(orphan)
        killed = [replaced_web_process(server) for _ in range(3)]
        assert len({orphan, *killed}) == 4
        wait_until(lambda: answers(port, "/health/ready"), server)
        children = descendants(server.pid)
        server.terminate()
        code, output = end_of(server, children)
    assert code == 0
    assert "The background process was killed by SIGKILL; it will be restarted in 1 s." in output
    assert "The web process 1 was killed by SIGKILL; it will be restarted in 1 s." in output
    assert "The web process 1 ended by itself with exit code 1; it will be restarted in " in output
    assert "Serving" not in output  # said once


def replaced_web_process(server: subprocess.Popen[str]) -> int:
    """Kill the web process, as soon as there is one, and wait until it is another's turn."""
    wait_until(lambda: bool(web_processes(server.pid)), server)
    victim = web_processes(server.pid)[0]
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: web_processes(server.pid) not in ([], [victim]), server)
    return victim


def is_manager(pid: int) -> bool:
    return b"granian_manager" in command_line(pid) and bool(descendants(pid))


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def process_numbers(pid: int) -> list[int]:
    """The process's id in each namespace that it is in, the innermost last."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next([int(word) for word in line.split()[1:]] for line in lines if line.startswith("NSpid:"))


def wait_for_end(pids: Iterable[int]) -> None:
    deadline = time.monotonic() + PATIENCE
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "processes are left"
        time.sleep(0.05)
