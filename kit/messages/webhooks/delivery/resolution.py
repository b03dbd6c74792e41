"""The IP addresses of a host, looked up once for a delivery and judged before the connection is made to one of them."""

import socket
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from django.conf import settings

from kit.messages.webhooks.delivery.failures import DeliveryFailed
from kit.messages.webhooks.endpoints.public_networks import is_public


class Endpoint(NamedTuple):
    """Where to connect. address: what `socket.connect` takes; it holds the IP address and no name."""

    family: int
    address: tuple[Any, ...]


def resolve(host: str, port: int, *, seconds: float) -> list[Endpoint]:
    """All addresses of the host, of which every single one is public. Raises DeliveryFailed.

    The look-up has no time-out of its own, so a thread does it.
    """
    found: SimpleQueue[list[Endpoint] | OSError] = SimpleQueue()
    Thread(target=_look_up, args=(host, port, found), name="webhook-name", daemon=True).start()
    try:
        endpoints = found.get(timeout=seconds)
    except Empty:
        raise DeliveryFailed("The name of the host was not resolved in time") from None
    if isinstance(endpoints, OSError) or not endpoints:
        raise DeliveryFailed("The name of the host could not be resolved")
    if not settings.WEBHOOKS_TO_LOCAL_ADDRESSES and not all(is_public(endpoint.address[0]) for endpoint in endpoints):
        raise DeliveryFailed("The host has an address that is not public")
    return endpoints


def _look_up(host: str, port: int, found: "SimpleQueue[list[Endpoint] | OSError]") -> None:
    try:
        listed = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        found.put(error if isinstance(error, OSError) else OSError(str(error)))
    else:
        found.put([Endpoint(family, address) for family, _, _, _, address in listed])
