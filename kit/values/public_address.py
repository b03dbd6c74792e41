"""The public addresses of paths on this server: the settings PUBLIC_URL and MEDIA_URL."""

from django.conf import settings

MEDIA_PATH = "/media/"
"""Below it are the files of pictures, unless MEDIA_URL names another place."""


def absolute(address: str) -> str:
    """Prefix a path on this server, which begins with one slash, with PUBLIC_URL; return other addresses unchanged.

    Paths of pictures stand on MEDIA_URL where that is absolute.
    """
    if address[:1] != "/" or address[1:2] == "/":
        return address
    if settings.MEDIA_URL != MEDIA_PATH and address.startswith(MEDIA_PATH):
        return f"{settings.MEDIA_URL}{address.removeprefix(MEDIA_PATH)}"
    return f"{settings.PUBLIC_URL}{address}"
