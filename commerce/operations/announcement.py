"""The message to the operator that the server is ready."""

from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from commerce.operations.addresses import LOOPBACK
from commerce.operations.child_processes import Process

_SECONDS = 1.0


class Announcement:
    """Runs beside the server: calls `say` once /health/live answers at host and port."""

    def __init__(self, host: str, port: int, say: Callable[[], None]) -> None:
        self._address = (LOOPBACK.get(host, host), port)
        self._say = say
        self._is_due = True

    def supervise(self, directory: Path) -> None:
        """Ask until the server answers."""
        if self._is_due and self._answers():
            self._is_due = False
            self._say()

    def running(self) -> list[Process]:
        """None: it has no process."""
        return []

    def _answers(self) -> bool:
        web = HTTPConnection(*self._address, timeout=_SECONDS)
        try:
            web.request("GET", "/health/live")
            return web.getresponse().status < 500
        except (OSError, HTTPException):
            return False
        finally:
            web.close()
