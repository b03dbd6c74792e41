"""Erasing a person's traces in emails, the admin history and jobs."""

from collections.abc import Collection

from django.contrib.admin.models import LogEntry
from django.db.models import F

from kit.database.locking import lock_rows
from kit.jobs.models import Job, Refusal, RowResult
from kit.messages.mails.address_limit import digests_of
from kit.messages.mails.models import Mail

ERASED = "erased"


def erase_mails(about: Collection[str]) -> None:
    """Erase the addresses of emails about these rows. Unsent emails are never sent."""
    mails = Mail.objects.filter(about__in=about)
    mails.filter(sent_at=None).update(next_try_at=None)
    mails.update(**_NOBODY)


def erase_recipient(email: str) -> None:
    """Erase that address from all emails, which may be about other people's rows, such as gift cards."""
    Mail.objects.filter(recipient_digest__in=digests_of(email)).update(**_NOBODY)


def erase_history(ids: Collection[str]) -> None:
    """Erase the texts of history entries about these rows. The user, the kind of change and the time remain."""
    entries = LogEntry.objects.filter(object_id__in=ids)
    entries.update(object_repr=F("object_id"), change_message=ERASED.capitalize() + ".")


def erase_refusals(email: str) -> None:
    """Erase the person from the refusals of jobs, which label customers by email address."""
    Refusal.objects.filter(label=email).update(label=ERASED, reason="")


def erase_results(order_ids: Collection[str]) -> None:
    """Erase what jobs have told of these orders, and the tracking numbers that they were given for them.

    Two statements, and three if there are such jobs, with one for each.
    """
    for job in lock_rows(Job.objects.filter(pk__in=_jobs_with_parcels_of(order_ids))):
        parcels = job.parameters["parcels"]
        kept = {key: parcel for key, parcel in parcels.items() if parcel[0] not in order_ids}
        Job.objects.filter(pk=job.pk).update(parameters={**job.parameters, "parcels": kept})
    RowResult.objects.filter(about__in=order_ids).update(text="")


def _jobs_with_parcels_of(order_ids: Collection[str]) -> list[str]:
    """Found without a lock: the other jobs must not wait for an erasure. A job is never given more parcels."""
    shipping = Job.objects.filter(parameters__has_key="parcels").values_list("pk", "parameters")
    return [key for key, given in shipping if any(parcel[0] in order_ids for parcel in given["parcels"].values())]


_NOBODY = dict.fromkeys(("recipient", "recipient_digest", "error"), "")
