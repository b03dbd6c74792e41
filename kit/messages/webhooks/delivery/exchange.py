"""One request over HTTP to a host on the public internet.

By http.client over a socket of our own, because the connection must go to the very address that was judged. It follows
no redirects and knows no proxies.
"""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from kit.messages.webhooks.delivery.bounded_socket import BoundedSocket, seconds_until
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.resolution import Endpoint, resolve
from kit.messages.webhooks.endpoints.targets import Target

CONNECT_SECONDS = 5.0
MOST_ENDPOINTS = 4


@contextmanager
def answered(
    target: Target,
    method: str,
    body: bytes | None,
    headers: Mapping[str, str],
    *,
    seconds: float,
    most_bytes: int,
    begun: float | None = None,
) -> Iterator[HTTPResponse]:
    """Send the request. Yields the response, whose body must be read within the block.

    Raises DeliveryFailed, also if reading fails.

    The host's name is resolved once, and every address of it must be public. Connecting takes CONNECT_SECONDS at most,
    everything `seconds`, since `begun` by time.monotonic or since now; the answer ends after `most_bytes`.
    """
    deadline = (time.monotonic() if begun is None else begun) + seconds
    connected = _connect(target, by=min(time.monotonic() + CONNECT_SECONDS, deadline))
    try:
        if target.is_encrypted:
            connected = _encrypted(connected, target.host, deadline)
        connection = HTTPConnection(target.host, target.port)
        bounded: Any = BoundedSocket(connected, deadline=deadline, most_bytes=most_bytes)
        connection.sock = bounded
        connection.request(method, target.path, body, {"host": target.authority, "connection": "close", **headers})
        yield connection.getresponse()
    except TimeoutError:
        raise DeliveryFailed(f"No answer within {seconds:g} seconds") from None
    except OSError:
        raise DeliveryFailed("The connection broke") from None
    except (HTTPException, ValueError):  # the latter of http.client for a chunk of a negative size
        raise DeliveryFailed("The answer was not HTTP") from None
    finally:
        connected.close()


def _connect(target: Target, *, by: float) -> socket.socket:
    """Try the host's addresses in turn, each for its share of the time."""
    failure: OSError = TimeoutError()
    try:
        endpoints = resolve(target.host, target.port, seconds=seconds_until(by))[:MOST_ENDPOINTS]
        for left, endpoint in zip(range(len(endpoints), 0, -1), endpoints, strict=True):
            try:
                return _connected(endpoint, time.monotonic() + seconds_until(by) / left)
            except OSError as error:
                failure = error
    except TimeoutError as error:
        failure = error
    if isinstance(failure, TimeoutError):
        raise DeliveryFailed(f"No connection within {CONNECT_SECONDS:g} seconds")
    raise DeliveryFailed("The connection was refused")


def _connected(endpoint: Endpoint, by: float) -> socket.socket:
    connecting = socket.socket(endpoint.family, socket.SOCK_STREAM)
    try:
        connecting.settimeout(seconds_until(by))
        connecting.connect(endpoint.address)
    except BaseException:
        connecting.close()
        raise
    return connecting


def _encrypted(connected: socket.socket, host: str, deadline: float) -> socket.socket:
    connected.settimeout(seconds_until(deadline))
    try:
        return tls_context().wrap_socket(connected, server_hostname=host)
    except ssl.SSLCertVerificationError:
        raise DeliveryFailed("The TLS certificate is not valid for the host") from None
    except ssl.SSLError:
        raise DeliveryFailed("TLS could not be agreed on") from None


@cache
def tls_context() -> ssl.SSLContext:
    """Verifies certificates and names; reading the system's certificates takes too long for each request."""
    return ssl.create_default_context()
