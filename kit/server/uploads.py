"""Uploads: requests whose body goes to disk, once the application has accepted their head.

The application is called twice. First with HEAD in the environment and without a body: status 100 accepts the upload,
any other answer is sent; its header LIMIT may lower the largest size. Then with the whole body as a file. So strangers
are refused before they have sent anything.
"""

import asyncio
import errno
import fcntl
import tempfile
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO
from wsgiref.types import WSGIEnvironment

from kit.server.arrivals import Deadlines, pieces
from kit.server.refusals import Refused
from kit.server.rsgi import Exchange, HeaderList

HEAD = "commerce.head_of_upload"
"""The environment's key that says that the body has not been received yet."""

ACCEPTED = 100
LIMIT = "Upload-Limit"
"""The header of an accepting answer with the largest body, in bytes."""

LARGEST = 210 * 1024 * 1024
SECONDS = 120.0
AT_ONCE = 2
_BATCH = 1024 * 1024


class Uploads:
    """is_upload: whether a request is an upload, by its environment. directory: a function that returns where to spool.

    at_once: how many bodies may arrive at a time, in all processes that share the directory.
    """

    def __init__(
        self,
        is_upload: Callable[[WSGIEnvironment], bool],
        directory: Callable[[], Path],
        *,
        largest: int = LARGEST,
        seconds: float = SECONDS,
        at_once: int = AT_ONCE,
    ) -> None:
        self.is_upload = is_upload
        self._directory = directory
        self._largest, self._seconds, self._at_once = largest, seconds, at_once
        self._deadlines = Deadlines()

    @asynccontextmanager
    async def spooled(
        self, chunks: AsyncIterable[bytes], announced: str | None, *, limit: int | None = None
    ) -> AsyncIterator[IO[bytes]]:
        """The body as a file without a name, which vanishes after the block.

        announced: as in `pieces`. limit: of this body, in bytes. Raises Refused: 400, 408, 413, and 503 while others
        are being received, or the disk is full.
        """
        loop = asyncio.get_running_loop()
        with _room(), self._slot(), tempfile.TemporaryFile(dir=self._directory()) as file:
            batch = bytearray()
            async with self._deadlines.within(self._seconds):
                async for piece in pieces(chunks, announced, largest=limit or self._largest):
                    batch += piece
                    if len(batch) >= _BATCH:
                        await loop.run_in_executor(None, file.write, bytes(batch))
                        batch.clear()
            await loop.run_in_executor(None, file.write, bytes(batch))
            yield file

    def close(self) -> None:
        """The server stops: see Deadlines.close."""
        self._deadlines.close()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """One of the places; the system frees it if this process is killed. Raises Refused, 503."""
        for number in range(self._at_once):
            with (self._directory() / f"slot-{number}").open("wb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield
                return
        raise Refused(503, "Other files are being uploaded. Try again in a moment", retry_after=5)


@contextmanager
def _room() -> Iterator[None]:
    """Refuse what the disk has no room for, 503."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            raise
        raise Refused(503, "There is no room for files now. Try again later", retry_after=30) from error


class Head:
    """Stands in for the exchange while the application decides on the head, and keeps its answer."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.status, self._headers, self._body = 500, list[tuple[str, str]](), b""

    async def client_disconnect(self) -> None:
        await self._exchange.client_disconnect()

    def response_empty(self, status: int, headers: HeaderList) -> None:
        self.response_bytes(status, headers, b"")

    def response_bytes(self, status: int, headers: HeaderList, body: bytes) -> None:
        self.status, self._headers, self._body = status, headers, body

    def response_file(self, status: int, headers: HeaderList, file: str) -> None:
        self.response_bytes(status, headers, Path(file).read_bytes())

    @property
    def limit(self) -> int | None:
        """The LIMIT of the answer."""
        return next((int(value) for name, value in self._headers if name.lower() == LIMIT.lower()), None)

    def send(self) -> None:
        """Send the answer that was kept."""
        self._exchange.response_bytes(self.status, self._headers, self._body)
