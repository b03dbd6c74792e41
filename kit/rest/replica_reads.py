"""Which requests a read replica may answer: reads of the catalogue with a publishable key and no other credential."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import unquote

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from kit.database import replicas

Result = TypeVar("Result")

POSITION = "x-commit-position"
"""The header of responses to writes. A read that sends it back sees what was written."""

_POSITION_SENT = "HTTP_X_COMMIT_POSITION"


def from_replica(request: HttpRequest, read: Callable[[], Result]) -> Result | None:
    """What the read returns from a replica; None if the primary must answer. Raises InvalidData naming the header.

    The read is as for `replicas.read`. It must be about the catalogue, and may be done again.
    """
    if not replicas.are_configured():
        return None
    sent = request.META.get(_POSITION_SENT)
    position = 0 if sent is None else replicas.parse_position(sent, name=POSITION)
    if not _has_only_a_publishable_key(request):
        return None
    return replicas.read(read, position=position)


def add_position(response: HttpResponseBase) -> None:
    """Name the position in the log to the response of a write, where there are replicas."""
    if replicas.are_configured() and response.status_code < 400:
        with suppress(DatabaseError):  # the write is done
            response.headers[POSITION] = replicas.commit_position()


def _has_only_a_publishable_key(request: HttpRequest) -> bool:
    """Sessions, tokens and carts are read where they are written."""
    return (
        "HTTP_X_PUBLISHABLE_API_KEY" in request.META
        and "HTTP_AUTHORIZATION" not in request.META
        and settings.SESSION_COOKIE_NAME not in request.META.get("HTTP_COOKIE", "")
        and "cart_id" not in unquote(request.META.get("QUERY_STRING", ""))
    )
