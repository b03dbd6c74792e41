"""Request bodies, collected by the event loop within limits of size, time and memory, or refused."""

import asyncio
from collections.abc import AsyncIterable
from contextlib import suppress

from commerce.kit.front.refusals import Refused, busy

LARGEST = 1024 * 1024
SECONDS = 10.0
SMALL = 16 * 1024
"""Bytes of each body that do not count against the budget, so that large bodies keep out only each other."""

BUDGET = 32 * 1024 * 1024
_INCOMPLETE = Refused(400, "The request body is incomplete or malformed")


class Body:
    """A body that is being collected; `content` is complete once `Bodies.collect` has returned."""

    __slots__ = ("charged", "content")

    def __init__(self) -> None:
        self.content = b""
        self.charged = 0


NOTHING = Body()


class Bodies:
    """All bodies of a process. Used by the event loop alone."""

    def __init__(self, *, largest: int = LARGEST, seconds: float = SECONDS, budget: int = BUDGET) -> None:
        self._largest, self._seconds, self._budget = largest, seconds, budget
        self._deadlines: set[asyncio.Timeout] = set()
        self._is_closed = False

    async def collect(self, chunks: AsyncIterable[bytes], announced: str | None) -> Body:
        """Collect a body. It counts against the budget until it is released.

        announced: the Content-Length, a number, or None for a chunked body. Raises Refused: 400 for a body that is
        cut off, 408, 413, and 503 when bodies hold the whole budget.
        """
        length = None if announced is None else int(announced)
        if length is not None and length > self._largest:
            raise self._too_large()
        body = Body()
        deadline = asyncio.timeout(0 if self._is_closed else self._seconds)
        self._deadlines.add(deadline)
        try:
            async with deadline:
                body.content = await self._read(chunks, length, body)
        except BaseException as error:
            self.release(body)
            if isinstance(error, TimeoutError):
                raise Refused(408, f"The request body did not arrive within {self._seconds:g} seconds") from None
            raise
        finally:
            self._deadlines.discard(deadline)
        return body

    def release(self, body: Body) -> None:
        """Give the body's share of the budget back."""
        self._budget += body.charged
        body.charged = 0

    def close(self) -> None:
        """Stop all collecting now: the server stops, and must not wait for half a body."""
        self._is_closed = True
        for deadline in self._deadlines:
            with suppress(RuntimeError):  # it has just expired
                deadline.reschedule(0)

    async def _read(self, chunks: AsyncIterable[bytes], length: int | None, body: Body) -> bytes:
        """Granian ends a complete body with one empty chunk, and one that was cut off with two."""
        parts: list[bytes] = []
        size = ends = 0
        async for chunk in chunks:
            if not chunk:
                ends += 1
                continue
            size += len(chunk)
            if size > self._largest:
                raise self._too_large()
            self._charge(body, size)
            parts.append(chunk)
            if size == length:
                return b"".join(parts)
        if ends != 1 or length not in (None, size):
            raise _INCOMPLETE
        return b"".join(parts)

    def _charge(self, body: Body, size: int) -> None:
        more = max(size - SMALL, 0) - body.charged
        if more > self._budget:
            raise busy()
        self._budget -= more
        body.charged += more

    def _too_large(self) -> Refused:
        return Refused(413, f"The request body is larger than {self._largest} bytes")
