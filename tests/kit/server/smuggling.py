"""Requests whose end is in doubt, each with a second request that hides in its body or behind it."""

import re
import socket
import string
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

QUIET_SECONDS = 1.0
CHUNKED = "Transfer-Encoding: chunked"
END = "0\r\n\r\n"
_AT_ONCE = 16


def refused(path: str) -> dict[str, str]:
    """What RFC 9112 forbids, or lets a server refuse. path: of the second request."""
    second = f"GET {path} HTTP/1.1\r\nHost: shop.example\r\n\r\n"
    longer, both = f"Content-Length: {5 + len(second)}", END + second
    lengths = {
        "two lengths, the shorter first": f"Content-Length: 5\r\n{longer}",
        "two lengths, the longer first": f"{longer}\r\nContent-Length: 5",
        "a list of lengths": f"Content-Length: 5, {5 + len(second)}",
        "a length with a sign": "Content-Length: +5",
        "a negative length": "Content-Length: -5",
        "a hexadecimal length": "Content-Length: 0x5",
        "a length with a space": "Content-Length: 5 0",
        "an empty length": "Content-Length: ",
        "a length beyond 64 bits": "Content-Length: 18446744073709551621",
        "a space before the colon of the length": "Content-Length : 5",
        "a folded length": "Content-Length:\r\n 5",
        "a length behind a carriage return": "X-A: b\rContent-Length: 5",
        "a NUL in a header": "X-A: b\0c\r\nContent-Length: 5",
        "a folded header": "X-A: b\r\n c\r\nContent-Length: 5",
        "several hosts": "Host: other.example\r\nContent-Length: 5",
    }
    codings = {
        "an unknown coding": "Transfer-Encoding: xchunked",
        "an unknown coding and a length": f"Transfer-Encoding: xchunked\r\n{longer}",
        "a coding after the chunks": f"Transfer-Encoding: chunked, identity\r\n{longer}",
        "a coding before the chunks": "Transfer-Encoding: gzip, chunked",
        "chunks of chunks": "Transfer-Encoding: chunked, chunked",
        "two codings, the chunks first": f"{CHUNKED}\r\nTransfer-Encoding: identity",
        "two codings, the chunks last": f"Transfer-Encoding: identity\r\n{CHUNKED}",
        "an empty coding": f"Transfer-Encoding: \r\n{longer}",
        "a quoted coding": f'Transfer-Encoding: "chunked"\r\n{longer}',
        "a coding after a vertical tab": f"Transfer-Encoding: \x0bchunked\r\n{longer}",
        "a space before the colon of the coding": f"Transfer-Encoding : chunked\r\n{longer}",
        "a folded coding": f"Transfer-Encoding:\r\n chunked\r\n{longer}",
        "a coding behind a carriage return": f"X-A: b\r{CHUNKED}\r\n{longer}",
    }
    chunks = {
        "a line feed after a size": "5\nhello\r\n",
        "a line feed in an extension": "5;a\nhello\r\n",
        "a carriage return in an extension": "5;a\rb\r\nhello\r\n",
        "a line feed after a chunk": "5\r\nhello\n",
        "nothing after a chunk": "5\r\nhello",
        "more than the chunk": "5\r\nhelloXX",
        "a prefix of the size": "0x5\r\nhello\r\n",
        "a sign of the size": "+5\r\nhello\r\n",
        "a negative size": "-5\r\nhello\r\n",
        "a space before the size": " 5\r\nhello\r\n",
        "a size beyond 64 bits": "10000000000000005\r\nhello\r\n",
        "an underscore in the size": "0_5\r\nhello\r\n",
        "an empty size": "\r\nhello\r\n",
        "line feeds after the last chunk": "0\n\n",
    }
    return {
        **{name: f"{_first(path, head)}hello{second}" for name, head in lengths.items()},
        **{name: f"{_first(path, head)}{both}" for name, head in codings.items()},
        **{name: f"{_first(path, CHUNKED)}{sent}{both}" for name, sent in chunks.items()},
    }


def single(path: str) -> dict[str, str]:
    """What is one request with a body, and may be answered once: the second request is part of the body, if it counts.

    Where two framings are given, the chunks count, and nothing after them.
    """
    second = f"GET {path} HTTP/1.1\r\nHost: shop.example\r\n\r\n"
    chunk = f"{len(second):x}\r\n{second}\r\n{END}"
    longer, whole = f"Content-Length: {5 + len(second)}", f"Content-Length: {len(second)}"
    return {
        "a request in a body": _first(path, whole) + second,
        "the same length twice": _first(path, f"{whole}\r\n{whole}") + second,
        "a request in a chunk": _first(path, CHUNKED) + chunk,
        "a request in a chunk with an extension": _first(path, CHUNKED) + chunk.replace("\r\n", ";a=b\r\n", 1),
        "a coding in capitals": _first(path, "Transfer-Encoding: CHUNKED") + chunk,
        "a coding whose name has an underscore": _first(path, f"Transfer_Encoding: chunked\r\n{longer}") + END + second,
        "a length that the connection names": _first(path, f"Connection: Content-Length\r\n{whole}") + second,
        "a length before chunks": _first(path, f"{longer}\r\n{CHUNKED}") + END + second,
        "a length after chunks": _first(path, f"{CHUNKED}\r\n{longer}") + END + second,
        "a short length and chunks": _first(path, f"{CHUNKED}\r\nContent-Length: 4") + chunk,
    }


def _first(path: str, head: str) -> str:
    return f"POST {path.replace('second', 'first')} HTTP/1.1\r\nHost: shop.example\r\n{head}\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    """statuses: of all answers, in their order."""

    path: str
    statuses: Sequence[int]
    is_closed: bool


def outcomes(build: Callable[[str], Mapping[str, str]], connect: Callable[[], socket.socket]) -> dict[str, Outcome]:
    """Send each request over a connection of its own, with a path of its own, `/health/second` and two letters."""

    def outcome(number: int, name: str) -> Outcome:
        path = f"/health/second{string.ascii_lowercase[number // 26]}{string.ascii_lowercase[number % 26]}"
        with connect() as connection:
            connection.settimeout(QUIET_SECONDS)
            connection.sendall(build(path)[name].encode("latin-1"))
            heard, is_closed = _everything(connection)
        return Outcome(path, [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard)], is_closed)

    names = list(build(""))
    with ThreadPoolExecutor(_AT_ONCE) as clients:
        return dict(zip(names, clients.map(outcome, range(len(names)), names), strict=True))


def _everything(connection: socket.socket) -> tuple[bytes, bool]:
    """What is answered until the connection is closed or quiet, and whether it is closed."""
    heard = b""
    try:
        while piece := connection.recv(65536):
            heard += piece
    except TimeoutError:
        return heard, False
    except OSError:
        pass
    return heard, True
