"""Shoppers who complete their carts at once, in a process of their own: `python -m tests.bench.buyers PORT KEY`.

Standard input holds the ids of the carts, a JSON list. Each has a connection of its own, open before the first request
is sent. Like a storefront, a client repeats what was answered 409, 429 or 503, after a pause. Writes as JSON a list of
`{"status": …, "type": …, "id": …, "code": …, "seconds": …, "repeated": [409]}`: the last answer of each, when it came,
and the statuses of those before.
"""

import asyncio
import random
import sys
import time
from typing import Any

import orjson

from kit.server.open_files import allow_open_files

REPEATED = (409, 429, 503)


async def main() -> None:
    port, key = int(sys.argv[1]), sys.argv[2]
    carts = orjson.loads(sys.stdin.buffer.read())
    allow_open_files(len(carts) + 100)
    wires = [await asyncio.open_connection("127.0.0.1", port) for _ in carts]
    began = time.perf_counter()
    answers = await asyncio.gather(
        *(_buy(*wire, _request(cart, key), began) for wire, cart in zip(wires, carts, strict=True))
    )
    sys.stdout.buffer.write(orjson.dumps(answers))


def _request(cart: str, key: str) -> bytes:
    lines = [
        f"POST /store/carts/{cart}/complete HTTP/1.1",
        "host: 127.0.0.1",
        f"x-publishable-api-key: {key}",
        f"idempotency-key: complete-{cart}",
        "content-length: 0",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


async def _buy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes, began: float) -> Any:
    repeated: list[int] = []
    while True:
        writer.write(request)
        status, body = await _answer(reader)
        if status not in REPEATED:
            break
        repeated.append(status)
        await asyncio.sleep(random.uniform(0.5, 1.5))  # noqa: S311 - jitter, not a secret
    writer.close()
    return {
        "status": status,
        "type": body.get("type"),
        "code": body.get("code"),
        "id": (body.get("order") or {}).get("id"),
        "seconds": time.perf_counter() - began,
        "repeated": repeated,
    }


async def _answer(reader: asyncio.StreamReader) -> tuple[int, Any]:
    head = await reader.readuntil(b"\r\n\r\n")
    headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
    return int(head[9:12]), orjson.loads(await reader.readexactly(int(headers[b"content-length"])))


if __name__ == "__main__":
    asyncio.run(main())
