"""Which worker sends an email, and what is recorded of it (kit/writes/leases.py)."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db.models import F

from kit.database.locking import retry_on_conflict
from kit.errors import Conflict
from kit.messages.mails.models import Mail
from kit.values.text import kept_error
from kit.values.timestamps import now
from kit.writes.leases import Leased, back_off_end

LEASE = timedelta(minutes=2)
"""Longer than one email takes: a mail server has EMAIL_TIMEOUT (10 s) for each of its few answers."""
MOST_ATTEMPTS = 80
"""With the waits of `back_off`, three days."""
_FIRST_WAIT = timedelta(seconds=30)
_LONGEST_WAIT = timedelta(hours=1)
_TRIES_TO_RECORD = 10
"""Each waits for a lock as long as LOCK_TIMEOUT_MS: an email whose sending is not recorded is sent twice."""
MAILS = Leased(
    rows=lambda: Mail.objects.filter(next_try_at__isnull=False),
    lease=lambda: LEASE,
    until="next_try_at",
    is_schedule=True,
    after_deaths=timedelta(seconds=5),
)


def due_ids(limit: int) -> list[str]:
    """Of the emails to send now, in their order."""
    rows = MAILS.free_rows().order_by("is_one_of_many", "next_try_at", "pk")
    return list(rows.values_list("pk", flat=True)[:limit])


def claim(mail_id: str) -> Mail | None:
    """The email, claimed; None if another worker has claimed or sent it."""
    return retry_on_conflict(lambda: MAILS.claim(mail_id))


def finish(mail: Mail, *, is_sent: bool) -> None:
    """Record that the email was sent, or that nothing had to be sent."""
    for _ in range(_TRIES_TO_RECORD):
        with suppress(Conflict):
            retry_on_conflict(lambda: MAILS.release(mail, sent_at=now() if is_sent else None))
            return
    raise Conflict


def back_off(mail: Mail, error: str) -> None:
    """Release the email with exponential back-off or, after MOST_ATTEMPTS, mark it as failed."""
    end = back_off_end(_FIRST_WAIT, _LONGEST_WAIT, doublings=mail.attempts - 1)
    next_try_at = None if mail.attempts >= MOST_ATTEMPTS else end
    retry_on_conflict(lambda: MAILS.release(mail, error=error, next_try_at=next_try_at))


def postpone(mail: Mail, until: datetime, **columns: str) -> None:
    """Release the email, which has to wait for others to the same address or for what it needs. That is no attempt."""
    retry_on_conflict(lambda: MAILS.release(mail, next_try_at=until, attempts=F("attempts") - 1, error="", **columns))


def note_outage(error: str) -> None:
    """Show on all due emails why they are not sent. They stay due."""
    waiting = MAILS.free_rows().exclude(error=kept_error(error))
    retry_on_conflict(lambda: waiting.update(error=kept_error(error)))
