"""Erasing what is kept beside a person's rows: mails, stored answers, the history of the admin site, refused jobs."""

from collections.abc import Collection

from django.contrib.admin.models import LogEntry
from django.db.models import F, Q

from commerce.kit.jobs.models import Refusal
from commerce.kit.mails.address_limit import digest_of
from commerce.kit.mails.models import Mail

ERASED = "erased"


def erase_mails(*, about: Collection[str], emails: Collection[str]) -> None:
    """Erase the addresses of mails. Those about the person's rows are not sent any more."""
    Mail.objects.filter(about__in=about, sent_at=None).update(next_try_at=None)
    digests = [digest_of(email) for email in emails]
    theirs = Mail.objects.filter(Q(about__in=about) | Q(recipient_digest__in=digests))
    theirs.update(recipient="", recipient_digest="", error="")


def erase_history(ids: Collection[str]) -> None:
    """Erase texts about these rows, which staff may have written. Who did what kind of thing and when remains."""
    entries = LogEntry.objects.filter(object_id__in=ids)
    entries.update(object_repr=F("object_id"), change_message=ERASED.capitalize() + ".")


def erase_refusals(emails: Collection[str]) -> None:
    """Erase the person from jobs: customers are named by their e-mail address there."""
    Refusal.objects.filter(label__in=emails).update(label=ERASED, reason="")
