"""The demo as `make demo` runs it: a process of its own that serves, and says so when it does."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from catalog.models import Product
from commerce.operations.management.commands.demo import STAFF_EMAIL
from staff.models import User
from tests.operations.demo.test_demo import demo, field
from tests.operations.server.test_serve import alive, answers, descendants
from tests.packages import ROOT
from tests.ports import free_port

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db(transaction=True)]
PATIENCE = 300.0


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def started(port: int, process_environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    environment = {name: value for name, value in process_environment.items() if name != "PUBLIC_URL"}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "demo", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield process
    for pid in [process.pid, *(descendants(process.pid) if alive(process.pid) else ())]:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    process.communicate()


def test_it_greets_when_the_server_is_there_and_pictures_are_below_its_address(
    started: subprocess.Popen[str], port: int
) -> None:
    assert started.stdout is not None
    printed = ""
    while "The demo shop is ready." not in printed:
        line = started.stdout.readline()
        assert line, printed
        printed += line
    assert printed.index(f"Serving http://127.0.0.1:{port}") < printed.index("The demo shop is ready.")
    deadline = time.monotonic() + PATIENCE
    while not answers(port):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    key = next(line.split()[-1] for line in started.stdout if "Storefront key" in line)
    found = got(port, "/store/products?fields=thumbnail", {"x-publishable-api-key": key}).decode()
    assert f'"http://127.0.0.1:{port}/static/demo/assam-mangalam-1.png"' in found
    assert got(port, "/static/demo/assam-mangalam-1.png").startswith(b"\x89PNG")
    started.terminate()
    assert started.wait(PATIENCE) == 0


def got(port: int, path: str, headers: dict[str, str] | None = None) -> bytes:
    web = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    web.request("GET", path, headers=headers or {})
    answer = web.getresponse()
    body = answer.read()
    web.close()
    assert answer.status == 200, body
    return body


def test_ctrl_c_ends_make_without_an_error(port: int, tmp_path: Path) -> None:
    """It reaches all processes of the terminal at once. What make needs is there already (-o).

    Nothing is passed on of a make that runs the tests: as its child, this one would say where it works.
    """
    outside = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    environment = {**outside, "DATABASE_URL": f"sqlite:///{tmp_path}/shop.sqlite3", "COMMERCE_HOME": str(tmp_path)}
    program = str(shutil.which("make"))
    words = [program, "-o", ".venv/runtime-installed", "demo", f"python={sys.executable}", f"PORT={port}"]
    making = subprocess.Popen(
        words,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert making.stdout is not None
    assert making.stdout.readline() == "Preparing the demo shop, which takes up to a minute …\n"
    os.killpg(making.pid, signal.SIGINT)
    printed, _ = making.communicate(timeout=PATIENCE)
    assert printed == "\nInterrupted: uncommitted changes were rolled back; you can run the command again.\n"


def test_on_a_taken_port_nothing_is_said_to_be_ready(port: int, process_environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", port)):
        done = subprocess.run(
            [sys.executable, "manage.py", "demo", "--port", str(port)],
            cwd=ROOT,
            env=process_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    assert done.returncode == 1
    assert f"Cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "ready" not in done.stdout
    assert not User.objects.exists()
    assert not Product.objects.exists()


def test_the_printed_command_sets_another_password(
    process_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", process_environment["DATABASE_URL"])
    demo()
    output = demo()
    assert field(output, "Password") == "unchanged; set another with"
    command = next(line for line in output.splitlines() if "changepassword" in line)
    given = {name: value for name, value in process_environment.items() if name not in ("COMMERCE_ENV", "DATABASE_URL")}
    done = subprocess.run(
        ["/bin/sh", "-ec", command],
        cwd=ROOT,
        env=given,
        input="a kettle at eighty degrees\n" * 2,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        start_new_session=True,  # a password is asked for at the terminal, where there is one
    )
    assert done.returncode == 0, done.stderr
    assert User.objects.get(email=STAFF_EMAIL).check_password("a kettle at eighty degrees")
