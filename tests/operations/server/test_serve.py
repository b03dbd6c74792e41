"""`manage.py serve`, started for real as its own process."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.db.migrations.recorder import MigrationRecorder

from catalog.models import LowestPrice, StalePrice
from commerce.operations.migration_state import pending_migrations
from commerce.operations.server.web_server import STOP_SECONDS
from tests.crash.faults import web_processes
from tests.factories.pricing import price
from tests.factories.products import VariantFactory
from tests.operations.leftovers import leave_of_each_kind, left
from tests.packages import ROOT
from tests.ports import free_port

pytestmark = pytest.mark.every(3)

PATIENCE = 300.0
COMPLETE = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF_A_BODY = b"POST /auth/user/emailpass HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


@contextmanager
def serving(port: int, environment: dict[str, str], checkout: Path = ROOT) -> Iterator[subprocess.Popen[str]]:
    """The command, once it answers, in a process group of its own; whatever the test leaves behind is killed."""
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", "1"],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    children: list[int] = []
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(port):
            assert server.poll() is None, server.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.1)
        children = descendants(server.pid)
        yield server
    finally:
        for pid in [server.pid, *children, *descendants(server.pid)]:
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
        server.communicate()


def answers(port: int, path: str = "/health/live") -> bool:
    web = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        web.request("GET", path)
        return web.getresponse().status == 200
    except OSError:
        return False
    finally:
        web.close()


def descendants(pid: int) -> list[int]:
    """The process's children and theirs, as the kernel lists them; none of one that is gone."""
    try:
        listed = [
            child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [below for child in map(int, listed) for below in (child, *descendants(child))]


def background_processes(server: subprocess.Popen[str]) -> list[int]:
    return [child for child in descendants(server.pid) if name_of(child) == "background work"]


def name_of(pid: int) -> str:
    """As `ps -o comm` shows it; empty for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def command_line(pid: int) -> bytes:
    """Its words; none for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def end_of(server: subprocess.Popen[str], children: list[int]) -> tuple[int, str]:
    """The command's exit code and its words, once it and all its children are gone."""
    output, _ = server.communicate(timeout=PATIENCE)
    deadline = time.monotonic() + PATIENCE
    while any(alive(child) for child in children):
        assert time.monotonic() < deadline, "processes are left"
        time.sleep(0.1)
    return server.returncode, output


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.mark.parametrize("stop_signal", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.once)])
def test_it_answers_until_it_is_stopped_and_leaves_no_process(
    port: int, process_environment: dict[str, str], stop_signal: signal.Signals
) -> None:
    with serving(port, process_environment) as server:
        assert answers(port, "/health/ready")
        children = descendants(server.pid)
        assert len(children) == 3  # granian, its worker, and the background process
        assert b"commerce.operations.server.serving" in command_line(server.pid)
        announced = next(line for line in server.stdout if line.startswith("Serving"))
        server.send_signal(stop_signal)
        code, output = end_of(server, children)
    assert code == 0
    assert announced.startswith(f"Serving http://127.0.0.1:{port} with 1 web process;")
    assert "Stopped." in output


@pytest.mark.once
def test_clients_that_stay_connected_idle_or_with_half_a_body_do_not_keep_it_from_stopping(
    port: int, process_environment: dict[str, str]
) -> None:
    with serving(port, process_environment) as server, ExitStack() as clients:
        for sent in [COMPLETE, HALF_A_BODY] * 2:
            client = clients.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(sent)
        time.sleep(0.5)
        children = descendants(server.pid)
        (worker,) = web_processes(server.pid)
        began = time.monotonic()
        server.terminate()
        assert end_of_worker(worker) - began < STOP_SECONDS
        code, _ = end_of(server, children)
    assert code == 0


@pytest.mark.once
def test_a_stopping_server_is_not_ready_and_answers_until_it_stops(
    port: int, process_environment: dict[str, str]
) -> None:
    with serving(port, {**process_environment, "DRAIN_SECONDS": "60"}) as server:
        kept = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        assert responded(kept, "/health/ready") == (200, None)
        children = descendants(server.pid)
        (worker,) = web_processes(server.pid)
        server.terminate()
        wait_until(lambda: not answers(port, "/health/ready"), server)
        assert answers(port, "/health/live")
        assert responded(kept, "/health/ready") == (503, "close")
        os.kill(worker, signal.SIGTERM)  # once more: it answers no longer
        again = time.monotonic()
        assert end_of_worker(worker) - again < STOP_SECONDS
        code, _ = end_of(server, children)
    assert code == 0
    assert not answers(port)


def end_of_worker(pid: int) -> float:
    """When a web process that was told to stop is gone, as `time.monotonic()`.

    Granian kills one that has not stopped in time. What it prints does not tell: it also reports killing one that has
    stopped, since two of its threads wait for the process and only one of them sees its end.
    """
    while alive(pid):
        time.sleep(0.05)
    return time.monotonic()


def responded(web: HTTPConnection, path: str) -> tuple[int, str | None]:
    """The status, and whether the connection is kept."""
    web.request("GET", path)
    response = web.getresponse()
    response.read()
    return response.status, response.getheader("Connection")


def wait_until(is_so: Callable[[], bool], server: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert server.poll() is None, "the server ended"
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_it_discards_what_is_past_its_time(port: int, process_environment: dict[str, str]) -> None:
    leave_of_each_kind(age=timedelta(days=30), number=1)
    with serving(port, {**process_environment, "PRUNE_INTERVAL": "1"}):
        deadline = time.monotonic() + PATIENCE
        while any(left().values()):
            assert time.monotonic() < deadline, left()
            time.sleep(0.1)


def test_it_computes_lowest_prices_that_have_changed(port: int, process_environment: dict[str, str]) -> None:
    price(VariantFactory(), 4)
    assert StalePrice.objects.exists()
    with serving(port, {**process_environment, "RECOMPUTE_INTERVAL": "1"}):
        deadline = time.monotonic() + PATIENCE
        while not LowestPrice.objects.filter(amount=4).exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.mark.once
def test_a_taken_port_is_refused(port: int, process_environment: dict[str, str]) -> None:
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # as another granian would
        holder.bind(("127.0.0.1", port))
        holder.listen()
        refused = run_serve(port, process_environment)
    assert refused.returncode == 1
    assert refused.stderr == f"CommandError: Cannot listen on 127.0.0.1:{port}: Address already in use.\n"


def test_without_its_migrations_it_refuses_and_says_what_to_run(port: int, process_environment: dict[str, str]) -> None:
    applied = MigrationRecorder.Migration.objects.get(app="catalog", name="0001_initial")
    applied.delete()
    try:
        assert pending_migrations() == ["catalog.0001_initial"]
        refused = run_serve(port, process_environment)
    finally:
        applied.save()
    assert refused.returncode == 1
    assert refused.stderr == (
        "CommandError: Migrations are not applied: 1, beginning with catalog.0001_initial. "
        "Run `manage.py migrate` first.\n"
    )


def run_serve(port: int, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
