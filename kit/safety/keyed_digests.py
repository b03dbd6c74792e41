"""Digests that only this server can compute: tables store them in place of what could be guessed from a plain hash."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_digest(purpose: str, text: str) -> str:
    """64 hexadecimal digits, under SECRET_KEY. purpose: keeps the digests of different tables apart."""
    return _digest(purpose, text, settings.SECRET_KEY)


def keyed_digests(purpose: str, text: str) -> list[str]:
    """The digests by which a stored row may be found: under SECRET_KEY, then under each of SECRET_KEY_FALLBACKS."""
    return [_digest(purpose, text, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


def _digest(purpose: str, text: str, key: str) -> str:
    return salted_hmac(purpose, text, secret=key, algorithm="sha256").hexdigest()
