"""How many payment sessions a cart may have: each is stored for good and takes two requests to its provider."""

from datetime import timedelta
from math import ceil

from django.conf import settings
from django.db.models import Count, Min

from commerce.kit.core.timestamps import now
from payments.errors import TooManySessions
from payments.models import PaymentSession


def check_attempts(collection_id: str) -> None:
    """Raise TooManySessions if the locked collection with that id may not have another session. One statement.

    settings.THROTTLES["payment_sessions"] holds how many it may have in how many seconds.
    """
    most, seconds = settings.THROTTLES["payment_sessions"]
    window, moment = timedelta(seconds=seconds), now()
    recent = PaymentSession.objects.filter(collection=collection_id, created_at__gt=moment - window)
    had = recent.aggregate(number=Count("pk"), first=Min("created_at"))
    if had["number"] >= most:
        over = (had["first"] or moment) + window
        raise TooManySessions(retry_after=ceil((over - moment).total_seconds()))
