"""Ports for servers that tests start."""

import socket
from random import SystemRandom

BELOW_CLIENTS = range(15_000, 32_000)
_DICE = SystemRandom()
_given = set[int]()


def free_port() -> int:
    """One where nobody listens, and no other call of this process gives it.

    The kernel gives clients only higher ones, so that none of them takes it before the server does.
    """
    while True:
        port = _DICE.choice(BELOW_CLIENTS)
        with socket.socket() as probe:
            if port not in _given and not _is_taken(probe, port):
                _given.add(port)
                return port


def _is_taken(probe: socket.socket, port: int) -> bool:
    try:
        probe.bind(("127.0.0.1", port))
    except OSError:
        return True
    return False
