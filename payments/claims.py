"""Whose turn an intent is, and how it ends."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from commerce.core.timestamps import now
from payments.models import Intent
from payments.states import Result

_LONGEST_ERROR = 1000
_LONGEST_REST = 16
"""Times settings.PAYMENT_PATIENCE."""


def claim(intent_id: str, *, is_pressing: bool) -> bool:
    """Whether the caller is the one to ask now, for settings.PAYMENT_PATIENCE; what comes earlier has to be done first.

    Whoever fails to get an answer leaves an error, and the intent to those that press.
    Must not be called inside a transaction (RuntimeError).
    """
    moment = now()
    earlier = Intent.objects.filter(session=OuterRef("session"), done_at=None, pk__lt=OuterRef("pk"))
    free = is_free(moment) | ~Q(error="") if is_pressing else is_free(moment)
    found = Intent.objects.filter(~Exists(earlier), free, pk=intent_id, done_at=None)
    if not found.exists():  # whoever waits only looks: on SQLite each write stops all others
        return False
    claimed_until = moment + settings.PAYMENT_PATIENCE
    with transaction.atomic(durable=True):
        return bool(found.update(claimed_until=claimed_until, attempts=F("attempts") + 1, error=""))


def is_free(moment: datetime) -> Q:
    """Intents that nobody is busy with, and that need not rest."""
    return Q(claimed_until=None) | Q(claimed_until__lt=moment)


def is_asked_for(intent: Intent, *, longer_than: float) -> bool:
    """Whether somebody has been asking for more than so many seconds: whoever waits for them as well holds a thread."""
    if intent.claimed_until is None:
        return False
    return bool(now() > intent.claimed_until - settings.PAYMENT_PATIENCE + timedelta(seconds=longer_than))


def open_before(intent_id: str) -> list[str]:
    """What its provider has to be asked earlier, of the same session, by id and in order."""
    session = Intent.objects.filter(pk=intent_id).values("session")
    still_open = Intent.objects.filter(session__in=session, done_at=None, pk__lt=intent_id)
    return list(still_open.order_by("pk").values_list("pk", flat=True))


def rest(intent: Intent, error: str, *, is_pressing: bool) -> None:
    """Leave it open for a while, that grows while nobody presses; to those who have claimed it since, if any have."""
    wait = settings.PAYMENT_PATIENCE * (1 if is_pressing else min(2**intent.attempts, _LONGEST_REST))
    still_ours = Intent.objects.filter(pk=intent.pk, done_at=None, claimed_until=intent.claimed_until)
    still_ours.update(claimed_until=now() + wait, error=_kept(error))


def finish(intent: Intent, result: Result, error: str = "") -> bool:
    """Whether nobody else did; whoever asks has locked the collection."""
    still_open = Intent.objects.filter(pk=intent.pk, done_at=None)
    return bool(still_open.update(done_at=now(), result=result, error=_kept(error)))


def _kept(error: str) -> str:
    return error.replace("\0", "")[:_LONGEST_ERROR]
