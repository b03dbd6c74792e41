"""How many payment sessions a cart may have: each is stored for good and takes two requests to its provider."""

from datetime import timedelta
from functools import cache
from math import ceil

from django.conf import settings
from django.db import connection

from kit.database.raw_sql import fetch
from kit.database.sql_names import column, table
from kit.values.timestamps import now
from payments.errors import TooManySessions
from payments.models import PaymentSession


def may_start(collection_id: str) -> bool:
    """Whether the locked collection with that id may have another session. One statement.

    settings.THROTTLES["payment_sessions"] holds how many it may have in how many seconds.
    """
    most, _ = settings.THROTTLES["payment_sessions"]
    ((number,),) = fetch(_statement(), [collection_id, connection.ops.adapt_datetimefield_value(now() - _window())])
    return bool(number < most)


def check_attempts(collection_id: str) -> None:
    """Raise TooManySessions if it may not. One statement; two where it is refused."""
    if not may_start(collection_id):
        window, moment = _window(), now()
        since = moment - window
        recent = PaymentSession.objects.filter(collection=collection_id, created_at__gt=since).order_by("created_at")
        first = recent.values_list("created_at", flat=True).first() or moment
        raise TooManySessions(retry_after=ceil((first + window - moment).total_seconds()))


def _window() -> timedelta:
    return timedelta(seconds=settings.THROTTLES["payment_sessions"][1])


@cache
def _statement() -> str:
    """By hand, since the ORM's own would be written again for each session."""
    collection, created_at = (column(PaymentSession, name) for name in ("collection_id", "created_at"))
    return f"SELECT COUNT(*) FROM {table(PaymentSession)} WHERE {collection} = %s AND {created_at} > %s"  # noqa: S608 - names of our own
