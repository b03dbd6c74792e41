"""Where a request comes from, as far as that can be believed."""

from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings

_HOUSEHOLD = 64  # an IPv6 customer holds a whole /64 and may write from any address in it


def client_address(meta: Mapping[str, Any]) -> str:
    """The network address that throttles count a caller by: IPv4, or the /64 network of IPv6.

    meta: the WSGI environment. X-Forwarded-For is read from its end, as many steps as there are proxies of ours
    (settings.TRUSTED_PROXIES): whatever stands before was written by the caller. Source: behaviour.md 0.11.
    """
    peer = str(meta.get("REMOTE_ADDR", ""))
    forwarded = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if settings.TRUSTED_PROXIES else []
    claimed = forwarded[-settings.TRUSTED_PROXIES :][:1]
    return next((found for found in map(_network, [*claimed, peer]) if found), peer)


def _network(text: str) -> str | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, _HOUSEHOLD), strict=False))
