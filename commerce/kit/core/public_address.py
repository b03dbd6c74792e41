"""The public URL of this server: the setting PUBLIC_URL."""

from django.conf import settings


def absolute(address: str) -> str:
    """Prefix a path on this server, which begins with one slash, with PUBLIC_URL; return other addresses unchanged."""
    return settings.PUBLIC_URL + address if address[:1] == "/" != address[1:2] else address
