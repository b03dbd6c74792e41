"""Request bodies, collected by the event loop within limits of size, time and memory, or refused."""

from collections.abc import AsyncIterable

from kit.server.arrivals import Deadlines, pieces
from kit.server.refusals import busy

LARGEST = 1024 * 1024
SECONDS = 10.0
SMALL = 16 * 1024
"""Bytes of each body that do not count against the budget, so that large bodies keep out only each other."""

BUDGET = 32 * 1024 * 1024


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
        self._deadlines = Deadlines()

    async def collect(self, chunks: AsyncIterable[bytes], announced: str | None) -> Body:
        """Collect a body. It counts against the budget until it is released.

        announced: the Content-Length, a number, or None for a chunked body. Raises Refused: 400 for a body that is
        cut off, 408, 413, and 503 when bodies hold the whole budget.
        """
        body = Body()
        parts: list[bytes] = []
        size = 0
        try:
            async with self._deadlines.within(self._seconds):
                async for piece in pieces(chunks, announced, largest=self._largest):
                    size += len(piece)
                    self._charge(body, size)
                    parts.append(piece)
        except BaseException:
            self.release(body)
            raise
        body.content = b"".join(parts)
        return body

    def release(self, body: Body) -> None:
        """Give the body's share of the budget back."""
        self._budget += body.charged
        body.charged = 0

    def close(self) -> None:
        """The server stops: see Deadlines.close."""
        self._deadlines.close()

    def _charge(self, body: Body, size: int) -> None:
        more = max(size - SMALL, 0) - body.charged
        if more > self._budget:
            raise busy()
        self._budget -= more
        body.charged += more
