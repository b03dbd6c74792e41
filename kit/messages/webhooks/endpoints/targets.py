"""URLs that webhooks may be sent to."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from kit.errors import InvalidData
from kit.messages.webhooks.endpoints.public_networks import is_public
from kit.messages.webhooks.models import LONGEST_URL
from kit.values import text

_PORTS = {"https": 443, "http": 80}
_PRINTABLE = re.compile(r"[!-~]+")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a delivery goes. authority: the Host header. path: with the query."""

    is_encrypted: bool
    host: str
    port: int
    authority: str
    path: str


def target_of(url: str, *, may_be_plain: bool = False) -> Target:
    """The URL, taken apart. Raises InvalidData that names the field for one that webhooks are not sent to.

    https only, and http too if it may be plain or settings.WEBHOOKS_TO_LOCAL_ADDRESSES; without user, password and
    fragment.
    """
    text.checked(url, field="url", longest=LONGEST_URL, may_be_blank=False, one_line=True)
    if not _PRINTABLE.fullmatch(url):
        raise _Invalid("must be ASCII without spaces: write other characters as %XX, and in the host's name as xn--…")
    try:
        parts, port = urlsplit(url), urlsplit(url).port
    except ValueError:
        raise _Invalid("is not a URL") from None
    schemes = ("https", "http") if may_be_plain or settings.WEBHOOKS_TO_LOCAL_ADDRESSES else ("https",)
    if parts.scheme not in schemes:
        raise _Invalid(f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}")
    if "@" in parts.netloc:
        raise _Invalid("must not have a user or password: deliveries are signed")
    if "#" in url:
        raise _Invalid("must not have a fragment")
    host = _host(parts)
    return Target(
        is_encrypted=parts.scheme == "https",
        host=host,
        port=_PORTS[parts.scheme] if port is None else port,
        authority=parts.netloc,
        path=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if parts.port == 0 or not (_NAME.fullmatch(host) or _version(host)):
        raise _Invalid("must have a host, and a port between 1 and 65535 if it has one")
    if _version(host) and not (settings.WEBHOOKS_TO_LOCAL_ADDRESSES or is_public(host)):
        raise _Invalid("must lead to a public address")
    return host


def _version(host: str) -> Literal[4, 6] | None:
    """The version of an IP address; None for a name."""
    try:
        return ip_address(host).version
    except ValueError:
        return None


class _Invalid(InvalidData):
    def __init__(self, problem: str) -> None:
        super().__init__(f"Value for field 'url' {problem}")
