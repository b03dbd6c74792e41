"""Calls a WSGI application for one request, and sends its answer."""

import logging
from collections.abc import Iterable
from typing import IO, Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from kit.server.rsgi import HeaderList, Responses

log = logging.getLogger(__name__)


class SentFile:
    """`wsgi.file_wrapper`: an open file as the whole body of the answer."""

    def __init__(self, file: IO[bytes], block_size: int = 8192) -> None:
        self.file = file
        self.block_size = block_size

    def __iter__(self) -> "SentFile":
        return self

    def __next__(self) -> bytes:
        block = self.file.read(self.block_size)
        if not block:
            raise StopIteration
        return block

    def close(self) -> None:
        """Close the file; WSGI calls this at the end of the answer."""
        self.file.close()


class Answer:
    """The answer of one request. It is also the `start_response` that the application calls."""

    __slots__ = ("headers", "status")

    def __init__(self) -> None:
        self.status = 500
        self.headers: HeaderList = []

    def __call__(self, status: str, headers: HeaderList, exc_info: object = None) -> Any:
        self.status = int(status[:3])
        self.headers = headers

    def send(self, application: WSGIApplication, environ: WSGIEnvironment, exchange: Responses) -> None:
        """Call the application and send its answer. Logs an exception that it raises, and sends a bare 500."""
        try:
            self._send(application(environ, self), exchange)
        except Exception:
            log.exception("the application failed")
            exchange.response_empty(500, [])

    def _send(self, result: Iterable[bytes], exchange: Responses) -> None:
        """Send files from disk, and everything else in one piece: granian would queue a stream without bound."""
        try:
            if isinstance(result, SentFile) and _is_whole(result.file):
                exchange.response_file(self.status, self.headers, result.file.name)
            else:
                exchange.response_bytes(self.status, self.headers, b"".join(result))
        finally:
            close = getattr(result, "close", None)
            if close is not None:
                close()


def _is_whole(file: IO[bytes]) -> bool:
    """Whether this is a file on disk, to be sent from its beginning."""
    return isinstance(getattr(file, "name", None), str) and file.seekable() and file.tell() == 0
