"""What is reported to the operator, and when."""

import socket
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from commerce.operations.server import announcement
from commerce.operations.server.announcement import Announcement
from commerce.operations.server.child_processes import program

pytestmark = pytest.mark.once


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/health/live" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    """A port that connects and does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        yield silent.getsockname()[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104 - asked, not bound to
def test_it_speaks_once_when_the_server_answers(host: str, tmp_path: Path) -> None:
    said: list[str] = []
    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        part = Announcement(host, server.server_port, lambda: said.append("Serving"))
        part.supervise(tmp_path)
        part.supervise(tmp_path)
        server.shutdown()
    assert said == ["Serving"]
    assert part.running() == []


def test_it_starts_the_command_that_follows_once_and_lets_go_of_it_when_it_has_ended(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        count = program(sys.executable, "-c", "open('runs', 'a').write('once ')")
        part = Announcement("127.0.0.1", server.server_port, lambda: None, count)
        part.supervise(tmp_path)
        (process,) = part.running()
        process.wait(60)
        part.supervise(tmp_path)
        server.shutdown()
    assert part.running() == []
    assert (tmp_path / "runs").read_text() == "once "


def test_it_is_silent_while_the_port_does_not_answer(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcement, "_SECONDS", 0.1)
    said: list[str] = []
    Announcement("127.0.0.1", port, lambda: said.append("Serving")).supervise(tmp_path)
    Announcement("127.0.0.1", 1, lambda: said.append("Serving")).supervise(tmp_path)
    assert said == []
