"""How the content of a request arrives: piece by piece, within limits of size and time."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager, suppress

from kit.server.refusals import Refused

ON_ITS_WAY = 0.2
"""Seconds within which the content of an ordinary request arrives."""

LAST_SECONDS = 1.0
"""How long a stopping server still receives what is on its way."""


class Deadlines:
    """The deadlines of everything that is being received."""

    def __init__(self) -> None:
        self._open: dict[asyncio.Timeout, float] = {}
        self._is_closed = False

    @asynccontextmanager
    async def within(self, seconds: float) -> AsyncIterator[None]:
        """Bound the block. Raises Refused, 408."""
        deadline = asyncio.timeout(min(seconds, LAST_SECONDS) if self._is_closed else seconds)
        self._open[deadline] = asyncio.get_running_loop().time()
        try:
            async with deadline:
                yield
        except TimeoutError:
            raise Refused(408, f"The request body did not arrive within {seconds:g} seconds") from None
        finally:
            del self._open[deadline]

    def close(self) -> None:
        """The server stops. What is on its way still arrives; what has taken longer is cut off, like half a body."""
        self._is_closed = True
        present = asyncio.get_running_loop().time()
        for deadline, begun in self._open.items():
            with suppress(RuntimeError):  # it has just expired
                deadline.reschedule(present + LAST_SECONDS if present - begun < ON_ITS_WAY else present)


async def pieces(chunks: AsyncIterable[bytes], announced: str | None, *, largest: int) -> AsyncIterator[bytes]:
    """The pieces of a body. Granian ends a complete one with one empty chunk, and one that was cut off with two.

    announced: the Content-Length, a number, or None for a chunked body. Raises Refused: 400 for a body that is cut
    off, 413 for one that is larger than `largest` bytes.
    """
    length = None if announced is None else int(announced)
    if length is not None and length > largest:
        raise _too_large(largest)
    size = ends = 0
    async for chunk in chunks:
        if not chunk:
            ends += 1
            continue
        size += len(chunk)
        if size > largest:
            raise _too_large(largest)
        yield chunk
        if size == length:
            return
    if ends != 1 or length not in (None, size):
        raise Refused(400, "The request body is incomplete or malformed")


def _too_large(largest: int) -> Refused:
    return Refused(413, f"The request body is larger than {largest} bytes")
