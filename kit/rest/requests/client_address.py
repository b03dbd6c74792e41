"""The network address of a request, as far as it can be trusted."""

import hmac
import re
import time
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import structlog
from django.conf import settings

PASSED_ON_SECONDS = 300
"""How far the time of a passed-on address may differ from ours; for so long it can be replayed."""
_HOUSEHOLD, _SITE = 64, 48
"""An IPv6 customer holds a whole /64, a business or a tenant of a hoster often a /48; each may write from all of it."""
_PASSED_ON = re.compile(r"(?P<signed>(?P<address>[0-9A-Fa-f:.]{2,45});t=(?P<time>[0-9]{1,12}));s=(?P<mac>[0-9a-f]{64})")
_log = structlog.get_logger()

_Address = IPv4Address | IPv6Address


def client_address(meta: Mapping[str, Any]) -> str:
    """The network address that throttles count a caller by: IPv4, or the /64 network of IPv6.

    meta: the WSGI environment. A storefront that renders pages for its shoppers may pass on theirs, signed
    (X-Client-Address, see `_passed_on`). X-Forwarded-For is read from its end, as many steps as there are proxies of
    ours (settings.TRUSTED_PROXIES): the caller wrote what comes before.
    Why: docs/decisions/security.md#only-our-own-proxies-name-a-callers-address.
    """
    address, problem = _origin(meta)
    if problem is not None:
        _log.warning("an X-Client-Address header is ignored", problem=problem)
    return _network(address, _HOUSEHOLD)


def client_site(meta: Mapping[str, Any]) -> str:
    """The network by which callers take turns: as `client_address`, but the /48 of IPv6, and nothing is logged."""
    return _network(_origin(meta)[0], _SITE)


def _origin(meta: Mapping[str, Any]) -> tuple[_Address | str, str | None]:
    """Where a request came from, and why the address that it passes on is ignored. A text is no network address."""
    header = meta.get("HTTP_X_CLIENT_ADDRESS") if settings.CLIENT_ADDRESS_SECRET else None
    passed_on = None if header is None else _passed_on(header)
    if passed_on is not None and not isinstance(passed_on, str):
        return passed_on, None
    peer = str(meta.get("REMOTE_ADDR", ""))
    forwarded = str(meta.get("HTTP_X_FORWARDED_FOR", "")).split(",") if settings.TRUSTED_PROXIES else []
    claimed = forwarded[-settings.TRUSTED_PROXIES :][:1]
    return next((address for address in map(_address, [*claimed, peer]) if address), peer), passed_on


def _passed_on(header: str) -> _Address | str:
    """The address of `<address>;t=<seconds since 1970>;s=<HMAC-SHA256 of all before ";s=", hexadecimal>`.

    The key is settings.CLIENT_ADDRESS_SECRET. An invalid header is ignored, and the log says why, which is returned: a
    storefront whose clock is wrong must not close the shop.
    """
    match = _PASSED_ON.fullmatch(header)
    address = _address(match["address"]) if match else None
    if match is None or address is None:
        return "malformed"
    if not hmac.compare_digest(_mac(match["signed"]), match["mac"]):
        return "wrongly signed"
    if abs(time.time() - int(match["time"])) > PASSED_ON_SECONDS:
        return "not of this time"
    return address


def _mac(signed: str) -> str:
    return hmac.digest(settings.CLIENT_ADDRESS_SECRET.encode(), signed.encode(), "sha256").hex()


def _address(text: str) -> _Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _network(address: _Address | str, prefix: int) -> str:
    return str(ip_network((address, prefix), strict=False) if isinstance(address, IPv6Address) else address)
