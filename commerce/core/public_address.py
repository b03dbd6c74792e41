"""Where clients reach this server: at the address that the setting PUBLIC_URL names."""

from django.conf import settings


def absolute(address: str) -> str:
    """A path on this server, which begins with one slash, with PUBLIC_URL before it; any other address as it is."""
    return settings.PUBLIC_URL + address if address[:1] == "/" != address[1:2] else address
