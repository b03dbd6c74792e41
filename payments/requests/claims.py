"""Which process works on an intent (kit/writes/leases.py), and how the intent ends.

The lease is a few seconds long, and its process renews it while it sends the request, so that the claim of a killed
process lapses soon. A process that was only paused may then send it, too: it and its successor use the intent's id as
the idempotency key, and `finish` records one outcome. `attempts` numbers the claims of an intent. Times are those of
the process: if hosts' clocks differ by seconds, a request may be sent twice, but no money is lost.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import structlog
from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from kit.values.timestamps import now
from kit.writes.leases import Leased, back_off_end
from payments.models import Intent

log = structlog.get_logger(__name__)

LEASE = timedelta(seconds=2.5)
BEAT_SECONDS = LEASE.total_seconds() / 3
"""Seconds between two renewals; two in a row may fail before the claim lapses."""
INTENTS = Leased(
    rows=lambda: Intent.objects.filter(done_at=None).select_related("session__collection"),
    lease=lambda: min(LEASE, settings.PAYMENT_PATIENCE),
    is_named=False,
)


def claim(intent_id: str, *, is_waiting: bool) -> Intent | None:
    """Claim the intent; None if another process has claimed it, or if an earlier intent of the session is not done.

    is_waiting: whether to claim it even during the back-off after a failed request.
    Must not be called inside a transaction (RuntimeError).
    """
    moment = now()
    claimed = {"claimed_at": moment, "claimed_until": moment + INTENTS.lease(), "error": ""}
    with transaction.atomic(durable=True):
        return INTENTS.claim(intent_id, among=_claimable_rows(is_waiting=is_waiting), **claimed)


def is_claimable(intent_id: str, *, is_waiting: bool) -> bool:
    """Whether `claim` would succeed now. Reads only: on SQLite each write blocks all others."""
    return _claimable_rows(is_waiting=is_waiting).filter(pk=intent_id).exists()


finish = INTENTS.finish
"""Callers have locked the collection."""


def _claimable_rows(*, is_waiting: bool) -> "QuerySet[Intent]":
    earlier = INTENTS.rows().filter(session=OuterRef("session"), pk__lt=OuterRef("pk"))
    free = INTENTS.free_condition() | ~Q(error="") if is_waiting else INTENTS.free_condition()
    return INTENTS.rows().filter(~Exists(earlier), free)


def is_running(intent: Intent, *, longer_than: float) -> bool:
    """Whether another process has been sending it for more than so many seconds. Each waiting caller holds a thread."""
    if intent.claimed_at is None:
        return False
    return bool(now() > intent.claimed_at + timedelta(seconds=longer_than))


def earlier_open_ids(intent_id: str) -> list[str]:
    """Of the session's earlier open intents, in the order in which they must be carried out."""
    session = Intent.objects.filter(pk=intent_id).values("session")
    earlier = INTENTS.rows().filter(session__in=session, pk__lt=intent_id)
    return list(earlier.order_by("pk").values_list("pk", flat=True))


def back_off(intent: Intent, error: str, *, is_waiting: bool) -> None:
    """Release with exponential back-off, a short one if a caller waits; not if another process has claimed it since."""
    end = back_off_end(settings.PAYMENT_PATIENCE, doublings=0 if is_waiting else intent.attempts)
    INTENTS.release(intent, error=error, claimed_until=end)


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
        return _renew(intent)
    except Error:
        log.warning("payment_claim_not_renewed", intent=intent.pk, exc_info=True)
        connection.close()
        return True


def _renew(intent: Intent) -> bool:
    """Extend the claim by LEASE. False if it has ended or is no longer the caller's."""
    last = intent.claimed_at + settings.PAYMENT_PATIENCE
    end = min(now() + LEASE, last)
    return bool(INTENTS.claimed_rows(intent).filter(error="").update(claimed_until=end)) and end < last
