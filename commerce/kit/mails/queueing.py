"""Queuing mails."""

from structlog.contextvars import get_contextvars

from commerce.kit.core import raw_rows
from commerce.kit.core.ids import new_id
from commerce.kit.core.timestamps import now
from commerce.kit.mails.models import Mail


def queue_mail(
    kind: str, *, about: str, number: int = 1, is_for_guest: bool = False, is_one_of_many: bool = False
) -> None:
    """Queue a mail in the caller's transaction; do nothing if there is already one with this kind, about and number.

    kind, about, number, is_for_guest, is_one_of_many: see Mail. One statement.
    """
    moment = now()
    row = {
        "id": new_id("mail"),
        "kind": kind,
        "about": about,
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
    raw_rows.insert(Mail, [row], ignore_conflicts=True)
