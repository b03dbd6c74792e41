"""Where the server listens, as clients write it."""

import os

from django.conf import settings

_ANY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104 - recognised, not bound to


def address(host: str, port: int) -> str:
    """`http://127.0.0.1:8000`; a server that listens everywhere is reached at localhost."""
    name = "localhost" if host in _ANY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def name_public_url(host: str, port: int) -> None:
    """In development let the processes that are started from now on answer pictures below this address.

    The setting PUBLIC_URL goes before it.
    """
    if not settings.PRODUCTION:
        os.environ.setdefault("PUBLIC_URL", address(host, port))
