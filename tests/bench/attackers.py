"""Clients that mean no good, in a process of their own: `python -m tests.bench.attackers PORT MODE CONNECTIONS`.

Standard input holds the requests, a JSON list of texts, shared out over the connections. They go on until they are
done, or stopped by SIGTERM; then what was answered is written as JSON, the number of answers by status.

MODE is one of
- `ask`: send a request, read the answer, send it again;
- `once`: the same, one time;
- `leave`: send a request and hang up at once, one time;
- `stay`: send the text, which is half a request, and stay; when the server hangs up, come again;
- `drip`: the same, with a byte more every second.
"""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

import orjson

from kit.server.open_files import allow_open_files

_answers: Counter[str] = Counter()


async def main() -> None:
    port, mode, connections = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    texts = [text.encode() for text in orjson.loads(sys.stdin.buffer.read())]
    attack = _MODES[mode]
    allow_open_files(connections + 100)
    attackers = asyncio.gather(
        *(attack(port, texts[turn % len(texts)]) for turn in range(connections)), return_exceptions=True
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, attackers.cancel)
    with suppress(asyncio.CancelledError):
        await attackers
    sys.stdout.buffer.write(orjson.dumps(_answers))


async def ask(port: int, text: bytes) -> None:
    while True:
        await once(port, text)


async def once(port: int, text: bytes) -> None:
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(text)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")), b":0")
        await reader.readexactly(int(length.partition(b":")[2]))
        _answers[head[9:12].decode()] += 1
        writer.close()
    except (OSError, asyncio.IncompleteReadError):
        _answers["none"] += 1
        await asyncio.sleep(0.1)


async def leave(port: int, text: bytes) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    await writer.drain()
    writer.close()


async def stay(port: int, text: bytes, *, drips: bool = False) -> None:
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(text)
            dripping = asyncio.ensure_future(_drip(writer)) if drips else None
            answer = await reader.read(65536)
            _answers[answer[9:12].decode() or "none"] += 1
            if dripping:
                dripping.cancel()
            writer.close()
        await asyncio.sleep(0.1)


async def drip(port: int, text: bytes) -> None:
    await stay(port, text, drips=True)


async def _drip(writer: asyncio.StreamWriter) -> None:
    while True:
        await asyncio.sleep(1)
        writer.write(b" ")


_MODES: dict[str, Callable[[int, bytes], Awaitable[None]]] = {
    "ask": ask,
    "once": once,
    "leave": leave,
    "stay": stay,
    "drip": drip,
}

if __name__ == "__main__":
    asyncio.run(main())
