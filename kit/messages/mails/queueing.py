"""Queuing emails."""

from collections.abc import Collection

from django.db.models import Max
from structlog.contextvars import get_contextvars

from kit.messages.mails.models import Mail
from kit.values.ids import new_id
from kit.values.timestamps import now
from kit.writes import raw_rows


def queue_mail(
    kind: str, *, about: str, number: int = 1, is_for_guest: bool = False, is_one_of_many: bool = False
) -> None:
    """Queue an email in the caller's transaction; do nothing if there is already one with this kind, about and number.

    kind, about, number, is_for_guest, is_one_of_many: see Mail. One statement.
    """
    _insert(kind, [about], number=number, is_for_guest=is_for_guest, is_one_of_many=is_one_of_many)


def queue_mails(kind: str, *, about: Collection[str]) -> None:
    """Queue an email about each of these rows, as `queue_mail` does. One statement."""
    _insert(kind, about, number=1)


def queue_next_mail(kind: str, *, about: str) -> int:
    """Queue one more email about a row to which the same can happen repeatedly; returns its number. Two statements.

    The caller holds the lock under which it happens.
    """
    number = (Mail.objects.filter(kind=kind, about=about).aggregate(last=Max("number"))["last"] or 0) + 1
    while not _insert(kind, [about], number=number):  # `send_again`, which holds no lock, took the number meanwhile
        number += 1
    return number


def _insert(
    kind: str, about: Collection[str], *, number: int, is_for_guest: bool = False, is_one_of_many: bool = False
) -> int:
    """Returns how many were queued."""
    moment = now()
    row = {
        "kind": kind,
        "number": number,
        "is_for_guest": is_for_guest,
        "is_one_of_many": is_one_of_many,
        "request_id": get_contextvars().get("request_id", ""),
        "created_at": moment,
        "next_try_at": moment,
        "handed_over_at": None,
        "sent_at": None,
        "attempts": 0,
        **dict.fromkeys(("recipient", "recipient_digest", "error"), ""),
    }
    rows = [{**row, "id": new_id("mail"), "about": each} for each in about]
    return raw_rows.insert(Mail, rows, ignore_conflicts=True)
