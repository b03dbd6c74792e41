"""Which addresses of pictures may be attached to products."""

import re
from collections.abc import Collection
from urllib.parse import urlsplit

from django.conf import settings

from kit.database.locking import lock_rows
from kit.values.public_address import MEDIA_PATH
from kit.values.timestamps import now
from pictures.errors import UnusablePicture
from pictures.models import Picture
from pictures.names import digest_in, path_in
from pictures.states import PictureStatus

_BREAKING = re.compile(r"[\x00-\x20\x7f\\]")
"""Blanks and control characters, which browsers leave out, and backslashes, which they read as slashes."""


def address_fault(address: str) -> str | None:
    """Why the address cannot be one of a picture, as a sentence, or None.

    Browsers run `javascript:`, and `//host`, `data:` and `file:` are not what the shop can promise to show.
    """
    try:
        parts = urlsplit(address)
        is_remote = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_remote = False
    own = address.startswith((settings.STATIC_URL, MEDIA_PATH)) and ".." not in address.split("/")
    if (is_remote or own) and not _BREAKING.search(address):
        return None
    return f"It must begin with http:// or https:// or be a path below {settings.STATIC_URL} or {MEDIA_PATH}"


def usable_address(address: str) -> str:
    """The address as rows store it: a picture of this shop without its host, any other address unchanged.

    `prune` keeps the picture for another day, within which the caller must save the row that names it.
    Raises UnusablePicture for a picture of this shop that does not exist or has failed, and as `address_fault`.
    """
    found = usable_addresses([address])[address]
    if isinstance(found, UnusablePicture):
        raise found
    return found


def usable_addresses(addresses: Collection[str]) -> dict[str, str | UnusablePicture]:
    """For each address what `usable_address` returns or raises. At most two statements."""
    digests = {address: digest for address in addresses if (digest := digest_in(address)) is not None}
    rows = Picture.objects.filter(digest__in={*digests.values()})
    pictures = {row.digest: row for row in lock_rows(rows)} if digests else {}  # waits for a prune that deletes some
    if pictures:
        rows.update(judged_at=now())
    return {
        address: _judged(address, pictures.get(digests[address])) if address in digests else _checked(address)
        for address in addresses
    }


def _checked(address: str) -> str | UnusablePicture:
    fault = address_fault(address)
    return UnusablePicture(fault) if fault else address


def _judged(address: str, picture: Picture | None) -> str | UnusablePicture:
    if picture is None:
        return UnusablePicture("There is no such picture: upload it first")
    if picture.status == PictureStatus.FAILED:
        return UnusablePicture(f"The picture cannot be used. {picture.reason}")
    return path_in(address) or address
