"""The names of pictures: hashes of the received bytes, so that addresses are known before the conversion."""

import re

from django.conf import settings

from kit.values.public_address import MEDIA_PATH

WIDTHS = (160, 480, 1200)
"""Widths in pixels of the smaller copies: `<digest>-480.webp`. A narrower picture keeps its own width."""

CONTENT_TYPE = "image/webp"
IMMUTABLE = "public, max-age=31536000, immutable"
"""The Cache-Control of the files: other bytes have another name."""

NAME = re.compile(r"([0-9a-f]{64})(-160|-480|-1200)?\.webp", re.ASCII)


def file_name(digest: str, width: int | None = None) -> str:
    """The name of the picture's file, or of its copy in one of WIDTHS."""
    return f"{digest}-{width}.webp" if width else f"{digest}.webp"


def path_of(digest: str) -> str:
    """The path that rows store, `/media/<digest>.webp`; `absolute` makes an address of it."""
    return f"{MEDIA_PATH}{file_name(digest)}"


def path_in(address: str) -> str | None:
    """The path of a picture of this shop, without its host; None for any other address.

    The host counts as ours if it is that of PUBLIC_URL or MEDIA_URL, or missing.
    """
    for prefix in (settings.MEDIA_URL, settings.PUBLIC_URL + MEDIA_PATH, MEDIA_PATH):
        if address.startswith(prefix) and NAME.fullmatch(name := address.removeprefix(prefix)):
            return f"{MEDIA_PATH}{name}"
    return None


def copy_of(address: str, width: int) -> str:
    """The address of the picture's copy in one of WIDTHS; any other address as it is."""
    found = _name_in(address)
    return address.removesuffix(found[0]) + file_name(found[1], width) if found else address


def digest_in(address: str) -> str | None:
    """The hash in such an address; None for any other address."""
    found = _name_in(address)
    return found[1] if found else None


def _name_in(address: str) -> re.Match[str] | None:
    return NAME.fullmatch((path_in(address) or "").removeprefix(MEDIA_PATH))
