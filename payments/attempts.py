"""How often a cart may be tried to pay: each attempt stays in the books, and its provider is asked about it twice."""

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db.models import Count, Min

from commerce.kit.core.timestamps import now
from payments.errors import TooManySessions
from payments.models import PaymentCollection, PaymentSession


def check_attempts(collection: PaymentCollection) -> None:
    """Let the locked collection have another session. One statement.

    Raises TooManySessions where it has had as many as settings.THROTTLES allows, until the first of them is over.
    """
    most, seconds = settings.THROTTLES["payment_sessions"]
    window, moment = timedelta(seconds=seconds), now()
    recent = PaymentSession.objects.filter(collection=collection, created_at__gt=moment - window)
    had = recent.aggregate(number=Count("pk"), first=Min("created_at"))
    if had["number"] >= most:
        over = (had["first"] or moment) + window
        raise TooManySessions(retry_after=ceil((over - moment).total_seconds()))
