"""What happens once the server is ready: a message to the operator, and a command."""

import socket
from collections.abc import Callable
from pathlib import Path

from commerce.operations.server.addresses import LOOPBACK
from commerce.operations.server.child_processes import Process, Start

_SECONDS = 1.0
_REQUEST = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Announcement:
    """Runs beside the server: calls `say` and starts `then` once /health/live answers at host and port."""

    def __init__(self, host: str, port: int, say: Callable[[], None], then: Start | None = None) -> None:
        self._address = (LOOPBACK.get(host, host), port)
        self._say = say
        self._then = then
        self._is_due = True
        self._process: Process | None = None

    def supervise(self, directory: Path) -> None:
        """Ask until the server answers."""
        if self._is_due and self._answers():
            self._is_due = False
            self._say()
            self._process = self._then(directory) if self._then else None
        elif self._process and self._process.poll() is not None:
            self._process = None

    def running(self) -> list[Process]:
        """The process of `then`, until it has ended."""
        return [self._process] if self._process else []

    def _answers(self) -> bool:
        """Not by http.client, which would load TLS."""
        try:
            with socket.create_connection(self._address, timeout=_SECONDS) as web:
                web.sendall(_REQUEST)
                status = web.makefile("rb").readline().split()[1:2]
        except OSError:
            return False
        return bool(status) and status[0] < b"500"
