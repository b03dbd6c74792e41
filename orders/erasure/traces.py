"""Erasing what is kept beside a person's rows: mails, stored answers, the history of the admin site, refused jobs."""

from collections.abc import Collection

from django.contrib.admin.models import LogEntry
from django.db.models import F

from commerce.kit.jobs.models import Refusal
from commerce.kit.mails.address_limit import digest_of
from commerce.kit.mails.models import Mail

ERASED = "erased"


def erase_mails(about: Collection[str]) -> None:
    """Erase the addresses of mails about these rows. They are not sent any more."""
    mails = Mail.objects.filter(about__in=about)
    mails.filter(sent_at=None).update(next_try_at=None)
    mails.update(**_NOBODY)


def erase_recipient(email: str) -> None:
    """Erase the address of all mails to it, which may be about rows of others, such as gift cards."""
    Mail.objects.filter(recipient_digest=digest_of(email)).update(**_NOBODY)


def erase_history(ids: Collection[str]) -> None:
    """Erase texts about these rows, which staff may have written. Who did what kind of thing and when remains."""
    entries = LogEntry.objects.filter(object_id__in=ids)
    entries.update(object_repr=F("object_id"), change_message=ERASED.capitalize() + ".")


def erase_refusals(email: str) -> None:
    """Erase the person from jobs: customers are named by their e-mail address there."""
    Refusal.objects.filter(label=email).update(label=ERASED, reason="")


_NOBODY = dict.fromkeys(("recipient", "recipient_digest", "error"), "")
