"""Sending one delivery over HTTP.

By http.client over a socket of our own, because the connection must go to the very address that was judged. It follows
no redirects and knows no proxies.
"""

import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from kit.messages.webhooks.delivery.bounded_socket import BoundedSocket, seconds_until
from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.delivery.resolution import Endpoint, resolve
from kit.messages.webhooks.endpoints.targets import Target

CONNECT_SECONDS = 5.0
SECONDS = 10.0
MOST_ENDPOINTS = 4
MOST_ANSWER_BYTES = 64 * 1024


def post(target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer, which is 2xx. Raises DeliveryFailed.

    The host's name is resolved once, and every address of it must be public. Connecting takes CONNECT_SECONDS at most,
    everything SECONDS; the answer's body is read, up to MOST_ANSWER_BYTES, and dropped.
    """
    begun = time.monotonic()
    connected = _connect(target, by=begun + CONNECT_SECONDS)
    deadline = begun + SECONDS
    try:
        if target.is_encrypted:
            connected = _encrypted(connected, target.host, deadline)
        status = _exchange(connected, target, body, headers, deadline)
    except TimeoutError:
        raise DeliveryFailed(f"No answer within {SECONDS:g} seconds") from None
    except OSError:
        raise DeliveryFailed("The connection broke") from None
    except HTTPException:
        raise DeliveryFailed("The answer was not HTTP") from None
    finally:
        connected.close()
    if 200 <= status < 300:
        return status
    redirects = "; redirects are not followed" if 300 <= status < 400 else ""
    raise DeliveryFailed(f"Answered with status {status}{redirects}", status=status)


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
    """Verifies certificates and names; reading the system's certificates takes too long for each delivery."""
    return ssl.create_default_context()


def _exchange(
    connected: socket.socket, target: Target, body: bytes, headers: Mapping[str, str], deadline: float
) -> int:
    connection = HTTPConnection(target.host, target.port)
    bounded: Any = BoundedSocket(connected, deadline=deadline, most_bytes=MOST_ANSWER_BYTES)
    connection.sock = bounded
    connection.request("POST", target.path, body, {"host": target.authority, "connection": "close", **headers})
    response = connection.getresponse()
    _drop_body(response)
    return response.status


def _drop_body(response: HTTPResponse) -> None:
    """Read it, since programs take a connection that ends early for a failure; the status says all we need."""
    with suppress(OSError, HTTPException):
        response.read()
