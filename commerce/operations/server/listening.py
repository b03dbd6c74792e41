"""The address that the server listens on."""

import os
import socket
import time
from argparse import ArgumentTypeError
from errno import EADDRINUSE

from django.conf import settings
from django.core.management.base import CommandError

from commerce.operations.server.addresses import address

PATIENCE_SECONDS = 2.0
_LOOK_SECONDS = 0.1


def port_number(text: str) -> int:
    """The argument of --port."""
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise ArgumentTypeError(f"a port is a number from 1 to 65535, not '{text}'")
    return int(text)


def positive_number(text: str) -> int:
    """The argument of --workers."""
    if not (text.isdecimal() and int(text)):
        raise ArgumentTypeError(f"must be a number of at least 1, not '{text}'")
    return int(text)


def require_free_port(host: str, port: int) -> None:
    """Raise CommandError if another server listens there: both would share the port.

    The processes of a killed server have PATIENCE_SECONDS to notice that (parent_process.py).
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while error := _refusal(host, port):
        if error.errno != EADDRINUSE or time.monotonic() > deadline:
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
        time.sleep(_LOOK_SECONDS)


def _refusal(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def name_public_url(host: str, port: int) -> None:
    """In development, make this address the PUBLIC_URL of the processes that are started from now on.

    A PUBLIC_URL that is set takes precedence.
    """
    if not settings.PRODUCTION:
        os.environ.setdefault("PUBLIC_URL", address(host, port))
