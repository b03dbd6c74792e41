"""Granian with the tiny front, and clients that write their requests byte by byte."""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commerce.operations.server.web_server import granian_command
from tests.kit.server.tiny import GATE, RUNS
from tests.ports import free_port
from tests.waiting import until

HOST = "127.0.0.1"
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self._file = self._socket.makefile("rb")

    def send(self, data: str | bytes) -> None:
        self._socket.sendall(data.encode() if isinstance(data, str) else data)

    def ask(self, method: str, path: str, *headers: str, body: str = "") -> Answer:
        self.send(request(method, path, *headers, body=body))
        return self.answer(has_body=method != "HEAD")

    def answer(self, *, has_body: bool = True) -> Answer:
        status = int(self._file.readline().split()[1])
        headers: dict[str, str] = {}
        while line := self._file.readline().strip().decode():
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        return Answer(status, headers, self._file.read(int(headers.get("content-length", "0"))) if has_body else b"")

    def is_closed(self) -> bool:
        """Whether the server has closed it, with nothing left to read. Waits for one or the other."""
        return self._file.read(1) == b""

    def hang_up(self) -> None:
        self._file.close()
        self._socket.close()


def request(method: str, path: str, *headers: str, body: str = "") -> str:
    """Its text. Without a body it has no Content-Length."""
    length = [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: tiny.example", *headers, *length, "", body])


class Tiny:
    """The running server. gate: what `?hold` waits for."""

    def __init__(self, port: int, process: subprocess.Popen[bytes], directory: Path) -> None:
        self.port, self.process = port, process
        self.gate = directory / "gate"
        self._runs = directory / "runs"
        self.clients: list[Client] = []

    def client(self) -> Client:
        self.clients.append(Client(self.port))
        return self.clients[-1]

    def runs(self) -> list[str]:
        """The paths of the requests that had a thread."""
        return self._runs.read_text().split() if self._runs.exists() else []

    def wait_for_runs(self, *paths: str) -> None:
        until(lambda: self.runs() == list(paths), self.runs)


@contextmanager
def tiny_server(directory: Path, **environment: str) -> Iterator[Tiny]:
    port = free_port()
    known = {GATE: str(directory / "gate"), RUNS: str(directory / "runs")}
    command = granian_command("tests.kit.server.tiny:application", host=HOST, port=port, workers=1, interface="rsgi")
    process = subprocess.Popen(command, env={**os.environ, **known, **environment})
    server = Tiny(port, process, directory)
    try:
        until(lambda: _listens(port), process.poll)
        yield server
    finally:
        server.gate.touch()
        for client in server.clients:
            client.hang_up()
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
