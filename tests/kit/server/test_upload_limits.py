"""The real server's limits of uploads; tests/kit/server/test_uploads.py tests with smaller limits what they do."""

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from kit.server.arrivals import Deadlines
from kit.server.refusals import Refused
from kit.server.uploads import Uploads

LARGEST = 210 * 1024 * 1024


async def nothing() -> AsyncIterator[bytes]:
    yield b""


@pytest.fixture
def uploads(tmp_path: Path) -> Uploads:
    return Uploads(lambda environ: True, lambda: tmp_path)


def test_a_body_has_at_most_210_mebibytes(uploads: Uploads) -> None:
    async def announce(length: int) -> None:
        async with uploads.spooled(nothing(), str(length)):
            pass

    with pytest.raises(Refused, match=f"larger than {LARGEST} bytes"):
        asyncio.run(announce(LARGEST + 1))
    with pytest.raises(Refused, match="incomplete"):
        asyncio.run(announce(LARGEST))


def test_two_arrive_at_a_time(uploads: Uploads) -> None:
    async def arrive(count: int) -> None:
        async with AsyncExitStack() as several:
            for _ in range(count):
                await several.enter_async_context(uploads.spooled(nothing(), None))

    asyncio.run(arrive(2))
    with pytest.raises(Refused, match="Other files are being uploaded"):
        asyncio.run(arrive(3))
    asyncio.run(arrive(2))


def test_each_has_two_minutes(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    @asynccontextmanager
    async def within(_: Deadlines, seconds: float) -> AsyncIterator[None]:
        given.append(seconds)
        yield

    async def arrive() -> None:
        async with uploads.spooled(nothing(), None):
            pass

    monkeypatch.setattr(Deadlines, "within", within)
    asyncio.run(arrive())
    assert given == [120]


def test_a_full_disk_refuses_it() -> None:
    def no_room() -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def arrive() -> None:
        async with Uploads(lambda environ: True, no_room).spooled(nothing(), "0"):
            raise AssertionError("unreachable")

    with pytest.raises(Refused) as raised:
        asyncio.run(arrive())
    assert (raised.value.status, raised.value.retry_after) == (503, 30)
