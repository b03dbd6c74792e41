"""Renewing the claim of an intent while its request is being sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import structlog
from django.db import Error, connection

from payments.models import Intent
from payments.requests.claims import LEASE, renew

log = structlog.get_logger(__name__)

BEAT_SECONDS = LEASE.total_seconds() / 3
"""Seconds between two renewals; two in a row may fail before the claim lapses."""


@contextmanager
def renewed(intent: Intent) -> Iterator[None]:
    """Renew the caller's claim during the block, for settings.PAYMENT_PATIENCE at most.

    A thread does this on its own connection, which it opens for the first renewal: calls that end before cost neither
    statement nor connection.
    """
    is_over = Event()
    renewing = Thread(target=_renew_until, args=(is_over, intent), name="claim-renewal", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        is_over.set()
        renewing.join()


def _renew_until(is_over: Event, intent: Intent) -> None:
    try:
        while not is_over.wait(BEAT_SECONDS) and _beat(intent):
            pass
    finally:
        connection.close()


def _beat(intent: Intent) -> bool:
    """Renew once; returns whether to go on. If the database is busy or gone, the next beat tries again."""
    try:
        return renew(intent)
    except Error:
        log.warning("payment_claim_not_renewed", intent=intent.pk, exc_info=True)
        connection.close()
        return True
