"""A client that keeps its connections, in a process of its own so that its cost is not the server's.

`python -m tests.bench.client PORT CONNECTIONS REQUESTS` sends the request on standard input that many times, one after
the other on each connection, and writes what it saw as JSON. The last answer's body goes along, to be compared.
"""

import socket
import sys
import time

import orjson


def main() -> None:
    port, connections, requests = (int(word) for word in sys.argv[1:4])
    request = sys.stdin.buffer.read()
    wires = [socket.create_connection(("127.0.0.1", port)) for _ in range(connections)]
    seconds: list[float] = []
    statuses: set[int] = set()
    body = b""
    for _ in range(max(1, requests // connections)):
        started = time.perf_counter()
        for wire in wires:
            wire.sendall(request)
        for wire in wires:
            status, body = receive(wire)
            statuses.add(status)
        seconds.append((time.perf_counter() - started) / connections)
    seen = {"requests": len(seconds) * connections, "statuses": sorted(statuses), "seconds": sum(seconds) * connections}
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
