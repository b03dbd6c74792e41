"""Which worker sends an email, and what is recorded of it.

A claim is a lease: it moves `next_try_at` to its own end. Until then no other worker finds the email due; afterwards,
or as soon as its process is started again, the email of a killed worker is sent again. A worker changes nothing once
`next_try_at` is not the end of its own claim.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from kit.database.claims import claimant
from kit.database.locking import retry_on_conflict
from kit.errors import Conflict
from kit.messages.mails.models import Mail
from kit.values.text import kept_error
from kit.values.timestamps import now

LEASE = timedelta(minutes=2)
"""Longer than one email takes: a mail server has EMAIL_TIMEOUT (10 s) for each of its few answers."""
AFTER_DEATHS = timedelta(seconds=5)
MOST_ATTEMPTS = 80
"""With the waits of `back_off`, three days."""
_FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(hours=1)
_TRIES_TO_RECORD = 10
"""Each waits for a lock as long as LOCK_TIMEOUT_MS: an email whose sending is not recorded is sent twice."""


def due(limit: int) -> list[str]:
    """The ids of emails to send now, in their order."""
    rows = Mail.objects.filter(next_try_at__lte=now()).order_by("is_one_of_many", "next_try_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def claim(mail_id: str) -> Mail | None:
    """The email, claimed; None if another worker has claimed or sent it."""
    moment = now()
    free = Mail.objects.filter(pk=mail_id, next_try_at__lte=moment)
    taken = {"next_try_at": moment + LEASE, "claimed_by": claimant()}
    claimed = retry_on_conflict(lambda: free.update(attempts=F("attempts") + 1, **taken))
    return Mail.objects.get(pk=mail_id) if claimed else None


def free_claims_of(name: str) -> None:
    """Make those emails due that the killed process of this name was sending.

    One that more than one process was killed with waits for AFTER_DEATHS: it may be the cause.
    """
    held = Mail.objects.filter(claimed_by=name, next_try_at__isnull=False)
    held.filter(attempts__gt=1).update(next_try_at=now() + AFTER_DEATHS, claimed_by="")
    held.update(next_try_at=now(), claimed_by="")


def finish(mail: Mail, *, is_sent: bool) -> None:
    """Record that the email was sent, or that nothing had to be sent."""
    ended = {"next_try_at": None, "claimed_by": "", "sent_at": now() if is_sent else None, "error": ""}
    for _ in range(_TRIES_TO_RECORD):
        with suppress(Conflict):
            retry_on_conflict(lambda: _ours(mail).update(**ended))
            return
    raise Conflict


def back_off(mail: Mail, error: str) -> None:
    """Release the email with exponential back-off or, after MOST_ATTEMPTS, mark it as failed."""
    wait = min(_FIRST_WAIT * 2 ** min(mail.attempts - 1, 10), _LONGEST_WAIT)
    next_try_at = None if mail.attempts >= MOST_ATTEMPTS else now() + wait
    retry_on_conflict(lambda: _ours(mail).update(next_try_at=next_try_at, claimed_by="", error=kept_error(error)))


def postpone(mail: Mail, until: datetime, *, recipient: str, digest: str) -> None:
    """Release the email, which has to wait for others to the same address. That is no attempt."""
    waits = {"next_try_at": until, "claimed_by": "", "recipient": recipient, "recipient_digest": digest, "error": ""}
    retry_on_conflict(lambda: _ours(mail).update(attempts=F("attempts") - 1, **waits))


def note_outage(error: str) -> None:
    """Show on all due emails why they are not sent. They stay due."""
    waiting = Mail.objects.filter(next_try_at__lte=now()).exclude(error=kept_error(error))
    retry_on_conflict(lambda: waiting.update(error=kept_error(error)))


def _ours(mail: Mail) -> "QuerySet[Mail]":
    return Mail.objects.filter(pk=mail.pk, next_try_at=mail.next_try_at)
