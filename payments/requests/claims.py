"""Which process works on an intent, and how the intent ends.

A claim is a lease of a few seconds that its process renews while it sends the request (payments/requests/leases.py), so
that the claim of a killed process lapses soon. A process that was only paused may then send it, too: it and its
successor use the intent's id as the idempotency key, and `finish` records one outcome. `attempts` numbers the claims of
an intent. Times are those of the process: if hosts' clocks differ by seconds, a request may be sent twice, but no money
is lost.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models, transaction
from django.db.models import Exists, F, OuterRef, Q

from kit.values.text import kept_error
from kit.values.timestamps import now
from payments.models import Intent
from payments.states import Result

LEASE = timedelta(seconds=2.5)
_MAX_BACK_OFF = 16
"""Times settings.PAYMENT_PATIENCE."""


def claim(intent_id: str, *, is_waiting: bool) -> Intent | None:
    """Claim the intent; None if another process has claimed it, or if an earlier intent of the session is not done.

    is_waiting: whether to claim it even during the back-off after a failed request.
    Must not be called inside a transaction (RuntimeError).
    """
    moment = now()
    claimed = {"claimed_at": moment, "claimed_until": lease_end(moment, of=moment), "error": ""}
    with transaction.atomic(durable=True):
        if not _claimable(intent_id, moment, is_waiting=is_waiting).update(attempts=F("attempts") + 1, **claimed):
            return None
        intent: Intent = Intent.objects.select_related("session__collection").get(pk=intent_id)
        return intent


def is_claimable(intent_id: str, *, is_waiting: bool) -> bool:
    """Whether `claim` would succeed now. Reads only: on SQLite each write blocks all others."""
    return bool(_claimable(intent_id, now(), is_waiting=is_waiting).exists())


def _claimable(intent_id: str, moment: datetime, *, is_waiting: bool) -> "models.QuerySet[Intent]":
    earlier = Intent.objects.filter(session=OuterRef("session"), done_at=None, pk__lt=OuterRef("pk"))
    free = is_free(moment) | ~Q(error="") if is_waiting else is_free(moment)
    found: models.QuerySet[Intent] = Intent.objects.filter(~Exists(earlier), free, pk=intent_id, done_at=None)
    return found


def lease_end(moment: datetime, *, of: datetime) -> datetime:
    """When a claim made at `of` ends if it is renewed now: after settings.PAYMENT_PATIENCE at the latest."""
    return min(moment + LEASE, of + settings.PAYMENT_PATIENCE)


def renew(intent: Intent) -> bool:
    """Extend the claim by LEASE. False if it has ended or is no longer the caller's."""
    end = lease_end(now(), of=intent.claimed_at)
    still_claimed = _still_ours(intent).filter(error="")
    return bool(still_claimed.update(claimed_until=end)) and end < intent.claimed_at + settings.PAYMENT_PATIENCE


def is_free(moment: datetime) -> Q:
    """Intents that no process is working on and whose back-off is over."""
    return Q(claimed_until=None) | Q(claimed_until__lt=moment)


def is_running(intent: Intent, *, longer_than: float) -> bool:
    """Whether another process has been sending it for more than so many seconds. Each waiting caller holds a thread."""
    if intent.claimed_at is None:
        return False
    return bool(now() > intent.claimed_at + timedelta(seconds=longer_than))


def earlier_open_intents(intent_id: str) -> list[str]:
    """The ids of the session's earlier open intents, in the order in which they must be carried out."""
    session = Intent.objects.filter(pk=intent_id).values("session")
    still_open = Intent.objects.filter(session__in=session, done_at=None, pk__lt=intent_id)
    return list(still_open.order_by("pk").values_list("pk", flat=True))


def back_off(intent: Intent, error: str, *, is_waiting: bool) -> None:
    """Release with exponential back-off, a short one if a caller waits; not if another process has claimed it since."""
    wait = settings.PAYMENT_PATIENCE * (1 if is_waiting else min(2**intent.attempts, _MAX_BACK_OFF))
    _still_ours(intent).update(claimed_until=now() + wait, error=kept_error(error))


def finish(intent: Intent, result: Result, error: str = "") -> bool:
    """Record the outcome; returns False if another process already has. Callers have locked the collection."""
    still_open = Intent.objects.filter(pk=intent.pk, done_at=None)
    return bool(still_open.update(done_at=now(), result=result, error=kept_error(error)))


def _still_ours(intent: Intent) -> "models.QuerySet[Intent]":
    still_open: models.QuerySet[Intent] = Intent.objects.filter(pk=intent.pk, done_at=None)
    return still_open.filter(attempts=intent.attempts)
