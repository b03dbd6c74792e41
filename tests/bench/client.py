"""A client that keeps its connections, in a process of its own so that its cost is not the server's.

`python -m tests.bench.client PORT CONNECTIONS` sends the requests on standard input, a JSON list of texts, one on each
connection and the next ones when all are answered, and writes what it saw as JSON. The last answer's body goes along,
to be compared.
"""

import socket
import sys
import time

import orjson


def main() -> None:
    port, connections = (int(word) for word in sys.argv[1:3])
    requests = [text.encode() for text in orjson.loads(sys.stdin.buffer.read())]
    wires = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
    seconds: list[float] = []
    statuses: set[int] = set()
    body = b""
    for first in range(0, len(requests), connections):
        together = requests[first : first + connections]
        started = time.perf_counter()
        for wire, request in zip(wires, together, strict=False):
            wire.sendall(request)
        for wire in wires[: len(together)]:
            status, body = receive(wire)
            statuses.add(status)
        seconds.append(time.perf_counter() - started)
    seen = {"requests": len(requests), "statuses": sorted(statuses), "seconds": sum(seconds)}
    sys.stdout.buffer.write(orjson.dumps(seen) + b"\n" + body)


def receive(wire: socket.socket) -> tuple[int, bytes]:
    """Status and body of the next answer."""
    buffer = b""
    while b"\r\n\r\n" not in buffer:
        buffer += _more(wire)
    head, _, rest = buffer.partition(b"\r\n\r\n")
    status = int(head[9:12])
    headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    if b"content-length" in headers:
        while len(rest) < int(headers[b"content-length"]):
            rest += _more(wire)
        return status, rest
    while not rest.endswith(b"0\r\n\r\n"):
        rest += _more(wire)
    return status, _joined(rest)


def _more(wire: socket.socket) -> bytes:
    data = wire.recv(1 << 20)
    if not data:
        raise ConnectionError("the server closed the connection")
    return data


def _joined(chunks: bytes) -> bytes:
    body = b""
    while chunks:
        size, _, rest = chunks.partition(b"\r\n")
        body += rest[: int(size, 16)]
        chunks = rest[int(size, 16) + 2 :]
    return body


if __name__ == "__main__":
    main()
