"""The network address of a request, as far as it can be trusted."""

import hmac
import re
import time
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

import structlog
from django.conf import settings

PASSED_ON_SECONDS = 300
"""How far the time of a passed-on address may differ from ours; for so long it can be replayed."""
_HOUSEHOLD = 64  # an IPv6 customer holds a whole /64 and may write from any address in it
_PASSED_ON = re.compile(r"(?P<signed>(?P<address>[0-9A-Fa-f:.]{2,45});t=(?P<time>[0-9]{1,12}));s=(?P<mac>[0-9a-f]{64})")
_log = structlog.get_logger()


def client_address(meta: Mapping[str, Any]) -> str:
    """The network address that throttles count a caller by: IPv4, or the /64 network of IPv6.

    meta: the WSGI environment. A storefront that renders pages for its shoppers may pass on theirs, signed
    (X-Client-Address, see `_passed_on`). X-Forwarded-For is read from its end, as many steps as there are proxies of
    ours (settings.TRUSTED_PROXIES): the caller wrote what comes before. Source: behaviour.md 0.11.
    """
    passed_on = _passed_on(meta.get("HTTP_X_CLIENT_ADDRESS")) if settings.CLIENT_ADDRESS_SECRET else None
    if passed_on is not None:
        return passed_on
    peer = str(meta.get("REMOTE_ADDR", ""))
    forwarded = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if settings.TRUSTED_PROXIES else []
    claimed = forwarded[-settings.TRUSTED_PROXIES :][:1]
    return next((found for found in map(_network, [*claimed, peer]) if found), peer)


def _passed_on(header: str | None) -> str | None:
    """The address of `<address>;t=<seconds since 1970>;s=<HMAC-SHA256 of all before ";s=", hexadecimal>`.

    The key is settings.CLIENT_ADDRESS_SECRET. An invalid header is ignored, and the log says why: a storefront
    whose clock is wrong must not close the shop.
    """
    if header is None:
        return None
    found = _PASSED_ON.fullmatch(header)
    network = _network(found["address"]) if found else None
    if found is None or network is None:
        problem = "malformed"
    elif not hmac.compare_digest(_mac(found["signed"]), found["mac"]):
        problem = "wrongly signed"
    elif abs(time.time() - int(found["time"])) > PASSED_ON_SECONDS:
        problem = "not of this time"
    else:
        return network
    _log.warning("an X-Client-Address header is ignored", problem=problem)
    return None


def _mac(signed: str) -> str:
    return hmac.digest(settings.CLIENT_ADDRESS_SECRET.encode(), signed.encode(), "sha256").hex()


def _network(text: str) -> str | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, _HOUSEHOLD), strict=False))
