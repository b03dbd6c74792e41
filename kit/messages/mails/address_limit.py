"""At most so many emails to one address that strangers can cause: settings.THROTTLES["guest_mails"]. More wait.

Counted by the emails themselves: those handed over within the window, and older ones that wait for their turn.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q

from kit.database.locking import lock_named
from kit.messages.mails.kinds import MustWait
from kit.messages.mails.models import Mail
from kit.safety.keyed_digests import keyed_digests
from kit.values import email_address
from kit.values.timestamps import now

RECIPIENT_DIGESTS = "commerce.mails"


def digests_of(address: str) -> list[str]:
    """What the emails to the address store in its place; the first is that of new ones.

    Keyed, since email addresses are few enough to be guessed from a plain hash.
    """
    return keyed_digests(RECIPIENT_DIGESTS, address.lower())


def pass_limit(mail: Mail, address: str) -> None:
    """Record the address, and that the email is handed over now. Raises MustWait if too many were.

    Must be called in a transaction: it holds the lock of the address. An email that passed once always passes again.
    """
    digests, moment = digests_of(address), now()
    if mail.is_for_guest and mail.handed_over_at is None:
        lock_named(f"mails {digests[0]}")
        _check(mail, digests, moment)
    Mail.objects.filter(pk=mail.pk).update(
        recipient=email_address.masked(address), recipient_digest=digests[0], handed_over_at=moment
    )


def _check(mail: Mail, digests: list[str], moment: datetime) -> None:
    allowed, seconds = settings.THROTTLES["guest_mails"]
    window = timedelta(seconds=seconds)
    recent = Q(handed_over_at__gt=moment - window)
    earlier = Q(handed_over_at=None, next_try_at__isnull=False, pk__lt=mail.pk)
    counts = Mail.objects.filter(is_for_guest=True, recipient_digest__in=digests).aggregate(
        recent=Count("pk", filter=recent),
        earlier=Count("pk", filter=earlier),
        oldest=Min("handed_over_at", filter=recent),
    )
    if counts["recent"] + counts["earlier"] >= allowed:
        raise MustWait((counts["oldest"] or moment) + window * (1 + counts["earlier"] // max(allowed, 1)))
