"""A connection with an end: all of it must be over by a moment, and no more than so many bytes are read."""

import io
import socket
import time
from collections.abc import Callable


class BoundedSocket:
    """What http.client needs of a socket. A time-out of the socket alone would begin again with each byte."""

    def __init__(self, connected: socket.socket, *, deadline: float, most_bytes: int) -> None:
        self._connected = connected
        self._deadline = deadline
        self._most_bytes = most_bytes

    def sendall(self, data: bytes) -> None:
        """Send all of it. Raises TimeoutError."""
        self._connected.settimeout(seconds_until(self._deadline))
        self._connected.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """The answer; it ends after `most_bytes`."""
        return io.BufferedReader(_Answer(self._receive_into, self._most_bytes))

    def close(self) -> None:
        """Do nothing: http.client calls it before the body is read. Its owner closes the connection."""

    def _receive_into(self, buffer: memoryview) -> int:
        self._connected.settimeout(seconds_until(self._deadline))
        return self._connected.recv_into(buffer)


class _Answer(io.RawIOBase):
    def __init__(self, receive_into: Callable[[memoryview], int], most_bytes: int) -> None:
        super().__init__()
        self._receive_into = receive_into
        self._left = most_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        room = memoryview(buffer)[: self._left]
        if not room:
            return 0
        received = self._receive_into(room)
        self._left -= received
        return received


def seconds_until(deadline: float) -> float:
    """How many are left, by time.monotonic. Raises TimeoutError if none are."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
