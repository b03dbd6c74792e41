"""Bodies are collected within limits of size, time and memory, or refused."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from kit.server.bodies import SMALL, Bodies, Body
from kit.server.refusals import Refused

pytestmark = pytest.mark.once
LARGE = b"x" * (SMALL + 100)


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def stuck(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part
    await asyncio.get_running_loop().create_future()


def refusal(work: Callable[[], Awaitable[Any]]) -> tuple[int, str]:
    async def run() -> None:
        await work()

    with pytest.raises(Refused) as refused:
        asyncio.run(run())
    return refused.value.status, refused.value.message


def collected(bodies: Bodies, source: AsyncIterator[bytes], announced: str | None) -> Body:
    return asyncio.run(bodies.collect(source, announced))


@pytest.mark.parametrize(
    ("parts", "announced"),
    [((b"he", b"llo"), "5"), ((b"hello", b""), "5"), ((b"he", b"llo", b""), None), ((b"hello",), "5")],
)
def test_a_whole_body_is_handed_over(parts: tuple[bytes, ...], announced: str | None) -> None:
    assert collected(Bodies(), chunks(*parts), announced).content == b"hello"


def test_an_empty_chunked_body_is_whole() -> None:
    assert collected(Bodies(), chunks(b""), None).content == b""


@pytest.mark.parametrize(
    ("parts", "announced"), [((b"hel", b"", b""), "5"), ((b"hel", b"", b""), None), ((b"hel", b""), "5"), ((), None)]
)
def test_a_body_that_is_cut_off_is_refused(parts: tuple[bytes, ...], announced: str | None) -> None:
    refused = refusal(lambda: Bodies().collect(chunks(*parts), announced))
    assert refused == (400, "The request body is incomplete or malformed")


@pytest.mark.parametrize(("parts", "announced"), [((), "11"), ((b"x" * 6, b"x" * 5, b""), None), ((b"x" * 12,), "10")])
def test_a_body_beyond_the_largest_size_is_refused(parts: tuple[bytes, ...], announced: str | None) -> None:
    refused = refusal(lambda: Bodies(largest=10).collect(chunks(*parts), announced))
    assert refused == (413, "The request body is larger than 10 bytes")


def test_a_body_that_does_not_arrive_in_time_is_refused() -> None:
    refused = refusal(lambda: Bodies(seconds=0.05).collect(stuck(b"{"), "5"))
    assert refused == (408, "The request body did not arrive within 0.05 seconds")


def test_large_bodies_share_a_budget_that_they_hold_until_they_are_released() -> None:
    bodies = Bodies(budget=150)
    first = collected(bodies, chunks(LARGE), str(len(LARGE)))
    assert refusal(lambda: bodies.collect(chunks(LARGE), str(len(LARGE))))[0] == 503
    assert collected(bodies, chunks(b"small"), "5").content == b"small"
    bodies.release(first)
    assert collected(bodies, chunks(LARGE), str(len(LARGE))).content == LARGE


@pytest.mark.parametrize("parts", [(LARGE, b"", b""), (LARGE,)])
def test_what_is_refused_holds_nothing_of_the_budget(parts: tuple[bytes, ...]) -> None:
    bodies = Bodies(budget=150, seconds=0.05)
    source = stuck if len(parts) == 1 else chunks
    assert refusal(lambda: bodies.collect(source(*parts), str(len(LARGE) + 1)))[0] in (400, 408)
    assert collected(bodies, chunks(LARGE), str(len(LARGE))).content == LARGE


def test_a_length_that_is_announced_and_not_sent_holds_nothing() -> None:
    async def run() -> bytes:
        bodies = Bodies(budget=150)
        waiting = [asyncio.ensure_future(bodies.collect(stuck(), "1000000")) for _ in range(20)]
        await asyncio.sleep(0)
        body = await bodies.collect(chunks(LARGE), str(len(LARGE)))
        for one in waiting:
            one.cancel()
        return body.content

    assert asyncio.run(run()) == LARGE


def test_when_the_server_stops_no_body_is_waited_for_longer_than_a_second() -> None:
    async def run() -> list[int]:
        bodies = Bodies(seconds=3600)
        waiting = asyncio.ensure_future(bodies.collect(stuck(b"{"), "5"))
        await asyncio.sleep(0)
        bodies.close()
        late = asyncio.ensure_future(bodies.collect(stuck(b"{"), "5"))
        refusals = await asyncio.gather(waiting, late, return_exceptions=True)
        return [refused.status for refused in refusals if isinstance(refused, Refused)]

    assert asyncio.run(run()) == [408, 408]
