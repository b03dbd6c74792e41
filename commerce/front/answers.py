"""A WSGI application called for one request, and its answer sent."""

import logging
from collections.abc import Iterable
from typing import IO, Any
from wsgiref.types import WSGIApplication

from commerce.front.rsgi import Exchange, HeaderList

log = logging.getLogger(__name__)


class SentFile:
    """`wsgi.file_wrapper`: an open file that is the whole body."""

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
        """As the answer that it stands for."""
        self.file.close()


class Answer:
    """Calls the application, which is `start_response` to it."""

    __slots__ = ("headers", "status")

    def __init__(self) -> None:
        self.status = 500
        self.headers: HeaderList = []

    def __call__(self, status: str, headers: HeaderList, exc_info: Any = None) -> Any:
        self.status = int(status[:3])
        self.headers = headers

    def send(self, application: WSGIApplication, environ: dict[str, Any], exchange: Exchange) -> None:
        """Run it and send what it answers; a failure that it did not turn into an answer is logged and a bare 500."""
        try:
            self._send(application(environ, self), exchange)
        except Exception:
            log.exception("the application failed")
            exchange.response_empty(500, [])

    def _send(self, result: Iterable[bytes], exchange: Exchange) -> None:
        """Files go from the disk, everything else at once: granian would queue the parts of a stream without bound."""
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
    """Whether it is a file of the disk, to be sent from its beginning."""
    return isinstance(getattr(file, "name", None), str) and file.seekable() and file.tell() == 0
